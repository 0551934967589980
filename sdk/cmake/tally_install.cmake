# Defines what `cmake --install` installs: the libraries, their headers, and a package for find_package(tally CONFIG)
# with the components sdk, bulk, fake, fake_server and testing.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tally)

# tally_install_component(<component> <library>...)
#
# Installs the library named after the component, which users link, and the libraries that implement it.
function(tally_install_component component)
  foreach(library IN ITEMS ${component} ${ARGN})
    set_target_properties(tally_${library} PROPERTIES EXPORT_NAME ${library})
    install(
      TARGETS tally_${library}
      EXPORT tally-${component}
      FILE_SET HEADERS)
  endforeach()
  install(
    EXPORT tally-${component}
    NAMESPACE tally::
    DESTINATION ${package_dir})
endfunction()

tally_install_component(sdk base)
if(TARGET tally_bulk)
  tally_install_component(bulk)
endif()
tally_install_component(fake fake_service)
tally_install_component(fake_server fake_http)
tally_install_component(testing)

install(TARGETS tally-fake)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/tally-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tally-config.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
# Until 1.0, a minor version may break code written for the previous one.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tally-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/tally-config-version.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
