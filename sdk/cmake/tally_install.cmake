# What `cmake --install` puts down: the libraries, their headers, and a package for find_package(tally CONFIG)
# with the components sdk, fake, fake_server and testing.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tally)

foreach(component IN ITEMS sdk fake fake_server testing)
  set_target_properties(tally_${component} PROPERTIES EXPORT_NAME ${component})
  install(
    TARGETS tally_${component}
    EXPORT tally-${component}
    FILE_SET HEADERS)
  install(
    EXPORT tally-${component}
    NAMESPACE tally::
    DESTINATION ${package_dir})
endforeach()

install(TARGETS tally-fake)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/tally-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tally-config.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
# Until 1.0 a minor version may break what a user wrote for the one before.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tally-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
