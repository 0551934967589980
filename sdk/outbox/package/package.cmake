# The package tally-outbox. Only cpack installs these files, under / instead of a prefix.
function(tally_outbox_package)
  install(${ARGN} COMPONENT tally_outbox EXCLUDE_FROM_ALL)
endfunction()

set(package ${CMAKE_CURRENT_LIST_DIR})
tally_outbox_package(TARGETS tally-outbox RUNTIME DESTINATION usr/bin)
tally_outbox_package(FILES ${package}/tally-outbox.service DESTINATION usr/lib/systemd/system)
# Others must not read it, since it may have keys and passwords.
tally_outbox_package(FILES ${package}/tally-outbox.default DESTINATION etc/default RENAME tally-outbox PERMISSIONS OWNER_READ
                     OWNER_WRITE)
tally_outbox_package(FILES ${package}/tally-outbox.lintian-overrides DESTINATION usr/share/lintian/overrides RENAME
                     tally-outbox)
tally_outbox_package(FILES docs/tally-outbox.md DESTINATION usr/share/doc/tally-outbox)
tally_package_documents(tally_outbox tally-outbox PROGRAM=$<TARGET_FILE:tally-outbox> "PURPOSE=worker of an outbox")

list(APPEND CPACK_COMPONENTS_ALL tally_outbox)
set(CPACK_DEBIAN_TALLY_OUTBOX_PACKAGE_NAME tally-outbox)
set(CPACK_DEBIAN_TALLY_OUTBOX_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TALLY_OUTBOX_PACKAGE_CONTROL_EXTRA ${package}/conffiles ${package}/postinst ${package}/postrm
                                                    ${package}/prerm)
set(CPACK_COMPONENT_TALLY_OUTBOX_DESCRIPTION
    "worker of a transactional outbox for a payments API
Sends the reports that applications have enqueued in a database, in
order and once, from any number of machines. Shows what waits and why,
and serves metrics and a health check.")
