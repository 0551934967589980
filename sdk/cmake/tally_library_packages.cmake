# The packages of the libraries: libtally<soversion>, libtally-bulk<soversion> and
# libtally-outbox<soversion>, which programs need, and libtally-dev
# with the headers, the fake, and the files for CMake and pkg-config.
set(CPACK_PACKAGE_NAME libtally)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "typed client for a payments API")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tally bulk outbox dev)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS true)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/sdk ${PROJECT_BINARY_DIR}/sdk/bulk)
# The dynamic linker's cache is updated by a trigger, not by the scripts that CPack writes.
set(CPACK_DEBIAN_TALLY_PACKAGE_CONTROL_EXTRA ${TALLY_SDK_DIR}/package/triggers)
set(CPACK_DEBIAN_BULK_PACKAGE_CONTROL_EXTRA ${TALLY_SDK_DIR}/package/triggers)
set(CPACK_DEBIAN_OUTBOX_PACKAGE_CONTROL_EXTRA ${TALLY_SDK_DIR}/package/triggers)
set(CPACK_POST_BUILD_SCRIPTS ${TALLY_SDK_DIR}/cmake/package_without_scripts.cmake)

set(exactly "(= ${PROJECT_VERSION})")
set(runtime libtally${TALLY_SOVERSION})
set(bulk libtally-bulk${TALLY_SOVERSION})
set(outbox libtally-outbox${TALLY_SOVERSION})
# The version in the names of Debian's packages of Boost.
set(boost ${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR})

# tally_library_package(<component> <name> <section> <contents> <dependency>...)
macro(tally_library_package component name section contents)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION
      "Reports the outcomes of payments, iterates over lists and searches,
retries what is safe to retry, and says of every error whether the call
may have taken effect.
.
This package has ${contents}.")
  string(JOIN ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS ${ARGN})
  tally_package_documents(${component} ${name})
endmacro()

# The symbols of libcurl do not show which options the client needs.
tally_library_package(tally ${runtime} libs "the shared libraries of the client" "libcurl4 (>= ${TALLY_MIN_CURL})")
tally_library_package(bulk ${bulk} libs "the journal of bulk reporting, in SQLite" "${runtime} ${exactly}")
# Also calls functions of both that no header declares: docs/decisions/0033-the-outbox-in-a-shared-build.md.
tally_library_package(outbox ${outbox} libs "the transactional outbox, in PostgreSQL or SQLite" "${runtime} ${exactly}"
                      "${bulk} ${exactly}")
tally_library_package(
  dev
  libtally-dev
  libdevel
  "the headers, the fake of the service for tests, and
the files for CMake and pkg-config"
  "${runtime} ${exactly}"
  "${bulk} ${exactly}"
  "${outbox} ${exactly}"
  libboost${boost}-dev
  libboost-json${boost}-dev
  libssl-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS libgmock-dev)
