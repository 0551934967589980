# Starts from an empty folder, so that files from earlier runs can't hide missing ones.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(COPY ${CONSUMER} DESTINATION ${WORK})

run(${CMAKE_COMMAND} --install ${TALLY_BUILD} --prefix ${WORK}/prefix --config "${BUILD_TYPE}")
run(
  ${CMAKE_COMMAND}
  -S ${WORK}/consumer
  -B ${WORK}/build
  -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${WORK}/prefix
  -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
  -D CMAKE_CXX_COMPILER=${COMPILER}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  -D CMAKE_CXX_FLAGS=${FLAGS}
  -D TALLY_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
run(${WORK}/build/consumer_tests)
run(${WORK}/prefix/bin/tally-fake --version)
