# The warnings that tally's own code is compiled with. Never part of what is installed.
add_library(tally_warnings INTERFACE)
target_compile_options(
  tally_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                           $<$<BOOL:${TALLY_WERROR}>:-Werror>)
# When g++ 12 optimises, it sees copies of negative length in any `"text" + std::string` (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tally_warnings INTERFACE -Wno-restrict)
endif()
