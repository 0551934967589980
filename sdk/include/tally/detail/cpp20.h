#pragma once

// Every public header includes this one first. Otherwise, an older standard would cause hundreds of errors,
// none of which names the reason.
#if __cplusplus < 202002L
#error tally needs C++20: compile with -std=c++20, or in CMake, use target_compile_features(... cxx_std_20)
// Only a missing file ends the compilation.
#include "tally needs C++20"
#endif
