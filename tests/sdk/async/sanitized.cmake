# Builds SOURCES with COMPILER under the address and undefined-behaviour sanitizers, links them with LIBRARIES, which need
# not be sanitized, and runs the tests.
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(
  COMMAND
    ${COMPILER} -std=c++20 -g1 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsanitize=address,undefined
    -fno-sanitize-recover=all ${INCLUDES} ${SOURCES} -o ${PROGRAM} -Wl,--start-group ${LIBRARIES} -Wl,--end-group -pthread
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} --gtest_brief COMMAND_ERROR_IS_FATAL ANY)
