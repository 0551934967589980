# Finds what the client needs: threads, libcurl, and Boost, of which headers are enough.
set(TALLY_MIN_BOOST 1.81)
set(TALLY_MIN_CURL 7.87)

find_package(Threads REQUIRED)
find_package(CURL REQUIRED)
# CURLOPT_QUICK_EXIT: without it, a client whose host name cannot be resolved waits for the resolver when it is destroyed.
if(CURL_VERSION_STRING VERSION_LESS TALLY_MIN_CURL)
  message(FATAL_ERROR "tally needs libcurl ${TALLY_MIN_CURL} or later, but this one is ${CURL_VERSION_STRING}: "
                      "${CURL_INCLUDE_DIRS}. CMAKE_PREFIX_PATH selects another one.")
endif()
# The module FindBoost, since it finds the headers of a Boost without files for CMake, too.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 OLD)
endif()
find_package(Boost ${TALLY_MIN_BOOST} REQUIRED OPTIONAL_COMPONENTS json)

if(TARGET Boost::json AND NOT TALLY_BOOST_JSON_FROM_HEADERS)
  add_library(tally_json INTERFACE)
  target_link_libraries(tally_json INTERFACE Boost::json)
else()
  message(STATUS "Compiling Boost.JSON from its headers")
  set(TALLY_COMPILES_BOOST_JSON ON)
  add_library(tally_json STATIC ${CMAKE_CURRENT_LIST_DIR}/boost_json.cpp)
  target_compile_features(tally_json PUBLIC cxx_std_20)
  target_link_libraries(tally_json PUBLIC Boost::headers)
  # Shared libraries contain it.
  set_target_properties(tally_json PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
endif()
