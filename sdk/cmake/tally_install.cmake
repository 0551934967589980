# Defines what `cmake --install` installs: the libraries, their headers, a package for find_package(tally CONFIG) with the
# components sdk, bulk, outbox, fake, fake_server and testing, and files for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tally)

# tally_install_component(<component> <library>...)
#
# Installs the library named after the component, which users link, and the libraries that implement it.
function(tally_install_component component)
  # The Debian packages of the libraries; see tally_packages.cmake.
  set(runtime tally)
  if(component MATCHES "^(bulk|outbox)$")
    set(runtime ${component})
  endif()
  foreach(library IN ITEMS ${component} ${ARGN})
    set_target_properties(tally_${library} PROPERTIES EXPORT_NAME ${library})
    install(
      TARGETS tally_${library}
      EXPORT tally-${component}
      LIBRARY COMPONENT ${runtime} NAMELINK_COMPONENT dev
      ARCHIVE COMPONENT dev
      FILE_SET HEADERS COMPONENT dev)
  endforeach()
  install(
    EXPORT tally-${component}
    NAMESPACE tally::
    DESTINATION ${package_dir}
    COMPONENT dev)
endfunction()

tally_install_component(sdk base json)
if(TARGET tally_bulk)
  tally_install_component(bulk)
  install(TARGETS tally-report)
endif()
if(TARGET tally_outbox)
  tally_install_component(outbox)
  install(TARGETS tally-outbox)
endif()
if(TALLY_BUILD_FAKE)
  tally_install_component(fake fake_service)
  tally_install_component(fake_server fake_http)
  tally_install_component(testing)
  install(TARGETS tally-fake)
endif()

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/tally-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tally-config.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
# Until 1.0, a minor version may break code written for the previous one.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake
                                 COMPATIBILITY ${compatibility})
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/tally-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake
  DESTINATION ${package_dir}
  COMPONENT dev)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

include(tally_pkg_config)
