# The package tally-report. Only cpack installs these files, under / instead of a prefix.
function(tally_report_package)
  install(${ARGN} COMPONENT tally_report EXCLUDE_FROM_ALL)
endfunction()

tally_report_package(TARGETS tally-report RUNTIME DESTINATION usr/bin)
tally_report_package(FILES docs/recipes/csv.md DESTINATION usr/share/doc/tally-report RENAME tally-report.md)
tally_package_documents(tally_report tally-report PROGRAM=$<TARGET_FILE:tally-report>
                        "PURPOSE=reports the outcomes of payments in a file")

list(APPEND CPACK_COMPONENTS_ALL tally_report)
set(CPACK_DEBIAN_TALLY_REPORT_PACKAGE_NAME tally-report)
set(CPACK_DEBIAN_TALLY_REPORT_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_TALLY_REPORT_DESCRIPTION
    "reports the outcomes of payments in a CSV or NDJSON file
Sends each row to a payments API once, as fast as its limits allow,
even if it is killed and started again. Names the line and the reason
of each row that is not applied.")
