# Configures a project that builds tally as a part of itself, and builds it if asked to. PROJECT: `fetched`, from which no
# network is needed since FETCHCONTENT_SOURCE_DIR_TALLY names the sources, or `subdirectory`. SOURCE: tally.
# UNITY: whether sources are compiled in batches.
include(${CMAKE_CURRENT_LIST_DIR}/run_command.cmake)

file(REMOVE_RECURSE ${WORK})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/${PROJECT}/ DESTINATION ${WORK}/app)
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/consumer/client.cpp ${WORK}/app/main.cpp)
file(CREATE_LINK ${SOURCE} ${WORK}/app/tally SYMBOLIC)
run(
  ${CMAKE_COMMAND}
  -S ${WORK}/app
  -B ${WORK}/build
  -G ${GENERATOR}
  -D FETCHCONTENT_FULLY_DISCONNECTED=ON
  -D FETCHCONTENT_SOURCE_DIR_TALLY=${SOURCE}
  -D CMAKE_CXX_COMPILER=${COMPILER}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  -D CMAKE_UNITY_BUILD=${UNITY}
  -D CMAKE_UNITY_BUILD_BATCH_SIZE=10)

# What only developers need is off.
load_cache(
  ${WORK}/build
  READ_WITH_PREFIX
  CACHED_
  TALLY_BUILD_TESTS
  TALLY_BUILD_BENCHMARKS
  TALLY_BUILD_CODEGEN
  TALLY_BUILD_EXAMPLES
  TALLY_INSTALL
  TALLY_WERROR
  BUILD_TESTING
  CMAKE_EXPORT_COMPILE_COMMANDS)
foreach(option IN ITEMS TALLY_BUILD_TESTS TALLY_BUILD_BENCHMARKS TALLY_BUILD_CODEGEN TALLY_BUILD_EXAMPLES TALLY_INSTALL
                        TALLY_WERROR)
  if(NOT CACHED_${option} STREQUAL "OFF")
    message(FATAL_ERROR "${option} is ${CACHED_${option}} in a project that has tally as a part")
  endif()
endforeach()
if(DEFINED CACHED_BUILD_TESTING)
  message(FATAL_ERROR "tally adds BUILD_TESTING to the options of the project")
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${WORK}/build --target help
  OUTPUT_VARIABLE targets
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT targets MATCHES "tally_sdk" OR targets MATCHES "sdk_tests|example_|tally-codegen")
  message(FATAL_ERROR "Unexpected targets:\n${targets}")
endif()

if(BUILD)
  run(${CMAKE_COMMAND} --build ${WORK}/build --target app)
  run(${WORK}/build/app)
endif()
