# Defines the Debian package tally-fake, which `./dev package` builds with cpack: the program, its systemd unit, the
# options of that unit, and documents. Only cpack installs these files, under / instead of a prefix.
set(package ${CMAKE_CURRENT_LIST_DIR})

function(tally_package)
  install(${ARGN} COMPONENT tally_fake EXCLUDE_FROM_ALL)
endfunction()

tally_package(TARGETS tally-fake RUNTIME DESTINATION usr/bin)
tally_package(FILES ${package}/tally-fake.service DESTINATION usr/lib/systemd/system)
tally_package(FILES ${package}/tally-fake.default DESTINATION etc/default RENAME tally-fake)
tally_package(FILES docs/tally-fake.md DESTINATION usr/share/doc/tally-fake)
tally_package(
  CODE
  "execute_process(
     COMMAND \"${CMAKE_COMMAND}\" -D \"PROGRAM=$<TARGET_FILE:tally-fake>\" -D \"SOURCE=${PROJECT_SOURCE_DIR}\"
             -D VERSION=${PROJECT_VERSION} -D \"SHARE=\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/usr/share\" -P \"${package}/documents.cmake\"
     COMMAND_ERROR_IS_FATAL ANY)")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tally-fake)
set(CPACK_PACKAGE_VENDOR "the tally developers")
set(CPACK_PACKAGE_CONTACT "the tally developers <tally@example.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "fake of a payments API, for tests and development")
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_STRIP_FILES true)
set(CPACK_COMPONENTS_ALL tally_fake)
set(CPACK_DEB_COMPONENT_INSTALL true)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_TALLY_FAKE_PACKAGE_NAME tally-fake)
set(CPACK_DEBIAN_TALLY_FAKE_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS true)
set(CPACK_DEBIAN_TALLY_FAKE_PACKAGE_CONTROL_EXTRA ${package}/conffiles ${package}/postinst
                                                  ${package}/postrm ${package}/prerm)
set(CPACK_COMPONENT_TALLY_FAKE_DESCRIPTION
    "Serves accounts, objects, states, cursors, searches, errors, limits
and locks as the service does, injects faults, and shows every request
on a web page. All data are made up.")
include(CPack)
