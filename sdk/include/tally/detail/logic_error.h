#pragma once

#include <tally/detail/cpp20.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// Throws std::logic_error{what}. The library contains this function because applications that are compiled
/// with -fno-exceptions can't throw.
[[noreturn, gnu::visibility("default")]] void throwLogicError(const char* what);

}  // namespace detail

}  // namespace tally
