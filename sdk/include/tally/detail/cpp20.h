#pragma once

// Every public header includes this one first. Otherwise an older standard causes hundreds of errors, of
// which none names the reason.
#if __cplusplus < 202002L
#error \
    "tally needs C++20: compile with -std=c++20, or in CMake: target_compile_features(<target> PRIVATE cxx_std_20)"
// Only a missing file ends the compilation here.
#include "tally needs C++20"
#endif
