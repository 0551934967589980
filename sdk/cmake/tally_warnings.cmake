# The warnings that tally's own code is compiled with. Never part of what is installed.
add_library(tally_warnings INTERFACE)
# In a batch, g++ takes a name of one file for shadowed by a parameter in the next; clang sees what is shadowed there.
set(batched_by_gcc $<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>)
target_compile_options(
  tally_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<NOT:${batched_by_gcc}>:-Wshadow> -Wconversion
                           $<$<BOOL:${TALLY_WERROR}>:-Werror>)
# When g++ 12 optimises, it sees copies of negative length in any `"text" + std::string` (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tally_warnings INTERFACE -Wno-restrict)
endif()
