# The warnings for the code of tally itself. Not installed.
add_library(tally_warnings INTERFACE)
# In a unity build, g++ reports parameters that shadow a name from another file of the batch. There, only clang checks
# for shadowing.
set(batched_by_gcc $<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>)
target_compile_options(
  tally_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<NOT:${batched_by_gcc}>:-Wshadow> -Wconversion
                           $<$<BOOL:${TALLY_WERROR}>:-Werror>)
# When optimizing, g++ 12 reports a bogus overlap in `"text" + std::string` (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(tally_warnings INTERFACE -Wno-restrict)
endif()
# When optimizing, g++ takes members of a std::optional that is assigned, and new std::stop_sources, for uninitialized. Clang
# checks variables, too.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(tally_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
