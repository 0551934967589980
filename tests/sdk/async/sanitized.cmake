# Builds SOURCES with COMPILER under the address sanitizer, links them with LIBRARIES, which need
# not be sanitized, and runs the tests.
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(
  COMMAND
    ${COMPILER} -std=c++20 -g1 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsanitize=address
    ${INCLUDES} ${SOURCES} -o ${PROGRAM} -Wl,--start-group ${LIBRARIES} -Wl,--end-group -pthread
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} --gtest_brief COMMAND_ERROR_IS_FATAL ANY)
