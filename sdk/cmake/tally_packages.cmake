# Defines the Debian packages, which `./dev package` builds with cpack. A static build gives tally-fake,
# tally-outbox and tally-report: the program, documents, and for those that run as services, a systemd unit and its options. A shared build gives the libraries and libtally-dev.
set(package ${PROJECT_SOURCE_DIR}/fake/server/package)

# tally_package_documents(<component> <name> [<variable>=<value>...])
#
# Adds the documents that a Debian package of this name must have. Only cpack installs them, below /.
function(tally_package_documents component name)
  set(variables PACKAGE=${name} SOURCE=${PROJECT_SOURCE_DIR} VERSION=${PROJECT_VERSION} ${ARGN})
  list(TRANSFORM variables REPLACE "(.+)" "-D \"\\1\"")
  list(JOIN variables " " variables)
  install(
    CODE "execute_process(
            COMMAND \"${CMAKE_COMMAND}\" ${variables}
                    -D \"SHARE=\$ENV{DESTDIR}/usr/share\" -P \"${TALLY_SDK_DIR}/cmake/package_documents.cmake\"
            COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT ${component}
    EXCLUDE_FROM_ALL)
endfunction()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "the tally developers")
set(CPACK_PACKAGE_CONTACT "the tally developers <tally@example.com>")
set(CPACK_STRIP_FILES true)
set(CPACK_DEB_COMPONENT_INSTALL true)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS true)

if(BUILD_SHARED_LIBS)
  include(tally_library_packages)
elseif(TALLY_BUILD_FAKE)
  include(${package}/package.cmake)
  if(TARGET tally-report)
    include(${PROJECT_SOURCE_DIR}/sdk/bulk/package/package.cmake)
  endif()
  if(TARGET tally-outbox)
    include(${PROJECT_SOURCE_DIR}/sdk/outbox/package/package.cmake)
  endif()
endif()
include(CPack)
