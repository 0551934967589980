# Installs tally into an empty folder, so that files from earlier runs can't hide missing ones, and uses it like a user: with
# CMake, and with pkg-config and the compiler alone. FRAGMENTS: a file with the fragments of CMake in the pages, or nothing.
include(${CMAKE_CURRENT_LIST_DIR}/run_command.cmake)

file(REMOVE_RECURSE ${WORK})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/consumer ${CMAKE_CURRENT_LIST_DIR}/../../examples/project DESTINATION ${WORK})

run(${CMAKE_COMMAND} --install ${TALLY_BUILD} --prefix ${WORK}/installed --config "${BUILD_TYPE}")
# It may be moved.
file(RENAME ${WORK}/installed ${WORK}/prefix)
set(ENV{LD_LIBRARY_PATH} ${WORK}/prefix/${LIBRARIES})

# configure(<project> <option>...)
function(configure project)
  run(
    ${CMAKE_COMMAND}
    -S ${WORK}/${project}
    -B ${WORK}/${project}/build
    -G ${GENERATOR}
    -D CMAKE_PREFIX_PATH=${WORK}/prefix
    -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
    -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
    -D CMAKE_CXX_FLAGS=${FLAGS}
    ${ARGN})
endfunction()

configure(consumer -D TALLY_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/consumer/build)
run(${WORK}/consumer/build/client)
run(${WORK}/consumer/build/dialect)
run(${WORK}/consumer/build/consumer)
run(${WORK}/consumer/build/outbox)
configure(project)
run(${CMAKE_COMMAND} --build ${WORK}/project/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/project/build --no-tests=error --output-on-failure)
if(FRAGMENTS)
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/fragments ${CMAKE_CURRENT_LIST_DIR}/consumer/client.cpp DESTINATION ${WORK})
  configure(fragments -D FRAGMENTS=${FRAGMENTS})
endif()
run(${WORK}/prefix/bin/tally-fake --version)
run(${WORK}/prefix/bin/tally-outbox --version)
run(${WORK}/prefix/bin/tally-report --version)

find_program(PKG_CONFIG pkg-config)
if(NOT PKG_CONFIG)
  message(STATUS "skipped: there is no pkg-config")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIBRARIES}/pkgconfig)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")

# compile(<source> <package>...)
function(compile source)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${ARGN} OUTPUT_VARIABLE options COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "${options}")
  run(${COMPILER} -std=c++20 ${flags} ${WORK}/consumer/${source}.cpp -o ${WORK}/${source} ${options})
  run(${WORK}/${source})
endfunction()

compile(client tally)
compile(main tally-bulk tally-fake-server)
compile(outbox tally-outbox)
