# The packages of the libraries: libtally<soversion> and libtally-bulk<soversion>, which programs need, and libtally-dev
# with the headers, the fake, and the files for CMake and pkg-config.
set(CPACK_PACKAGE_NAME libtally)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "typed client for a payments API")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tally bulk dev)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS true)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/sdk)

set(exactly "(= ${PROJECT_VERSION})")
set(runtime libtally${TALLY_SOVERSION})
set(bulk libtally-bulk${TALLY_SOVERSION})

# tally_library_package(<component> <name> <section> <summary> <description> [<dependency>...])
macro(tally_library_package component name section summary description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}")
  string(JOIN ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS ${ARGN})
  tally_package_documents(${component} ${name})
endmacro()

set(about "Reports the outcomes of payments, iterates over lists and searches,
retries what is safe to retry, and says of every error whether the call
may have taken effect.")
tally_library_package(tally ${runtime} libs "typed client for a payments API" "${about}")
tally_library_package(bulk ${bulk} libs "typed client for a payments API - bulk reporting"
                      "${about}\n.\nThis package has the journal of bulk reporting, in SQLite." "${runtime} ${exactly}")
tally_library_package(
  dev libtally-dev libdevel "typed client for a payments API - development files"
  "${about}\n.\nThis package has the headers, the fake of the service for tests, and the files\nfor CMake and pkg-config."
  "${runtime} ${exactly}"
  "${bulk} ${exactly}"
  libboost1.81-dev
  libboost-json1.81-dev
  libssl-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libgmock-dev")
