# Configures the client alone where there is nothing but a compiler, the headers of Boost, and libcurl. Then with a libcurl
# that is too old, which must be an error that says so.
include(${CMAKE_CURRENT_LIST_DIR}/run_command.cmake)

file(REMOVE_RECURSE ${WORK})
set(hidden)
foreach(package IN ITEMS SQLite3 PostgreSQL OpenSSL GTest rapidcheck benchmark kainjow-mustache)
  list(APPEND hidden -D CMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
set(configure ${CMAKE_COMMAND} -S ${SOURCE} --preset lean -D CMAKE_CXX_COMPILER=${COMPILER} ${hidden})

execute_process(
  COMMAND ${configure} -B ${WORK}/lean -D TALLY_BOOST_JSON_FROM_HEADERS=ON
  OUTPUT_VARIABLE output
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "Compiling Boost.JSON from its headers")
  message(FATAL_ERROR "Boost.JSON is not compiled from its headers:\n${output}")
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${WORK}/lean --target help
  OUTPUT_VARIABLE targets
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT targets MATCHES "tally_sdk" OR targets MATCHES "tally_fake|tally_bulk|tally_outbox")
  message(FATAL_ERROR "Unexpected targets:\n${targets}")
endif()

file(WRITE ${WORK}/old/curl/curl.h "#include <curl/curlver.h>\n")
file(WRITE ${WORK}/old/curl/curlver.h "#define LIBCURL_VERSION \"7.86.0\"\n")
execute_process(
  COMMAND ${configure} -B ${WORK}/old_curl -D CURL_NO_CURL_CMAKE=ON -D CURL_INCLUDE_DIR=${WORK}/old
  RESULT_VARIABLE status
  ERROR_VARIABLE message
  OUTPUT_QUIET)
string(REGEX REPLACE "[ \n]+" " " message "${message}")
if(status EQUAL 0 OR NOT message MATCHES "tally needs libcurl 7.87 or later, but this one is 7.86.0: [^ ]*/old")
  message(FATAL_ERROR "An old libcurl is not refused as expected: ${status}\n${message}")
endif()
