# Installs a file for pkg-config for each library. It finds its prefix from its own place, so that the installed folder may
# be moved.
set(pkg_config_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
                                              OUTPUT_VARIABLE prefix_from_here)

# tally_pkg_config(<name> <description> [LIBS <flag>...] [REQUIRES <package>...] [BEHIND_LIBS <flag>...]
#                  [BEHIND_REQUIRES <package>...])
#
# What lies behind the library is needed only if it is static: a shared library finds it itself. It would not help to name it
# as private, since pkg-config then still demands its files.
function(tally_pkg_config name description)
  cmake_parse_arguments(PARSE_ARGV 2 PC "" "" "LIBS;REQUIRES;BEHIND_LIBS;BEHIND_REQUIRES")
  if(NOT BUILD_SHARED_LIBS)
    list(APPEND PC_LIBS ${PC_BEHIND_LIBS} ${drop_unused_sections})
    list(APPEND PC_REQUIRES ${PC_BEHIND_REQUIRES})
  endif()
  list(JOIN PC_LIBS " " PC_LIBS)
  list(JOIN PC_REQUIRES ", " PC_REQUIRES)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/tally.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(
    FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
    DESTINATION ${pkg_config_dir}
    COMPONENT dev)
endfunction()

set(drop_unused_sections)
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  set(drop_unused_sections -Wl,--gc-sections)
endif()

set(boost_cflags)
foreach(dir IN LISTS Boost_INCLUDE_DIRS)
  if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND boost_cflags -I${dir})
  endif()
endforeach()
if(TALLY_COMPILES_BOOST_JSON)
  set(json_libs -ltally_json)
else()
  foreach(dir IN LISTS Boost_LIBRARY_DIRS)
    cmake_path(NORMAL_PATH dir)
    string(REGEX REPLACE "/$" "" dir ${dir})
    if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND json_libs -L${dir})
    endif()
  endforeach()
  list(APPEND json_libs -lboost_json)
endif()

tally_pkg_config(
  tally "Typed client for a payments API"
  LIBS -ltally -ltally_base -pthread
  BEHIND_LIBS ${json_libs}
  BEHIND_REQUIRES "libcurl >= ${TALLY_MIN_CURL}")
if(TARGET tally_bulk)
  tally_pkg_config(
    tally-bulk "Journal of bulk reporting in SQLite"
    LIBS -ltally_bulk
    REQUIRES "tally = ${PROJECT_VERSION}"
    BEHIND_REQUIRES sqlite3)
endif()
if(TARGET tally_outbox)
  tally_pkg_config(
    tally-outbox "Transactional outbox in PostgreSQL or SQLite"
    LIBS -ltally_outbox
    REQUIRES "tally = ${PROJECT_VERSION}"
    BEHIND_REQUIRES "tally-bulk = ${PROJECT_VERSION}" libpq)
endif()
if(TALLY_BUILD_FAKE)
  # Static even beside a shared client.
  tally_pkg_config(
    tally-fake "Fake of a payments API in the process of a test"
    LIBS -ltally_fake_service ${json_libs}
    REQUIRES "tally = ${PROJECT_VERSION}")
  set(tls_requires)
  if(OPENSSL_FOUND)
    set(tls_requires openssl)
  endif()
  tally_pkg_config(
    tally-fake-server "HTTP server for the fake of a payments API"
    LIBS -ltally_fake_http
    REQUIRES "tally-fake = ${PROJECT_VERSION}" ${tls_requires})
  tally_pkg_config(tally-testing "GoogleTest matchers and fixtures for the fake of a payments API"
                   REQUIRES "tally-fake = ${PROJECT_VERSION}" gmock)
endif()
