# The package tally-fake. Only cpack installs these files, under / instead of a prefix.
function(tally_fake_package)
  install(${ARGN} COMPONENT tally_fake EXCLUDE_FROM_ALL)
endfunction()

tally_fake_package(TARGETS tally-fake RUNTIME DESTINATION usr/bin)
tally_fake_package(FILES ${package}/tally-fake.service DESTINATION usr/lib/systemd/system)
tally_fake_package(FILES ${package}/tally-fake.default DESTINATION etc/default RENAME tally-fake)
tally_fake_package(FILES ${package}/tally-fake.lintian-overrides DESTINATION usr/share/lintian/overrides RENAME tally-fake)
tally_fake_package(FILES docs/record-and-compare.md docs/tally-fake.md DESTINATION usr/share/doc/tally-fake)
tally_fake_package(FILES docs/reference/control-api.md DESTINATION usr/share/doc/tally-fake/reference)
tally_package_documents(tally_fake tally-fake PROGRAM=$<TARGET_FILE:tally-fake> "PURPOSE=fake of a payments API")

set(CPACK_PACKAGE_NAME tally-fake)
# The description of each package begins with its own summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_COMPONENTS_ALL tally_fake)
set(CPACK_DEBIAN_TALLY_FAKE_PACKAGE_NAME tally-fake)
set(CPACK_DEBIAN_TALLY_FAKE_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TALLY_FAKE_PACKAGE_CONTROL_EXTRA ${package}/conffiles ${package}/postinst ${package}/postrm
                                                  ${package}/prerm)
set(CPACK_COMPONENT_TALLY_FAKE_DESCRIPTION
    "fake of a payments API, for tests and development
Serves accounts, objects, states, cursors, searches, errors, limits
and locks as the service does, injects faults, and shows every request
on a web page. All data are made up.")
