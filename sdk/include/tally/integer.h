#pragma once

#include <tally/detail/cpp20.h>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace [[gnu::visibility("default")]] tally {

/// A whole number, for arguments of calls. Every integer converts to it; a floating-point number does not,
/// since dropping its fraction would change an amount. Converts to `std::int64_t`.
class Integer {
 public:
  Integer() = default;
  constexpr Integer(std::int64_t value) noexcept : value_(value) {}
  template <std::integral T>
  constexpr Integer(T value) noexcept : value_(static_cast<std::int64_t>(value)) {}
  /// Does not compile.
  template <std::floating_point T>
  constexpr Integer(T) {
    static_assert(!std::floating_point<T>,
                  "tally: this parameter is an integer, and amounts are in the currency's smallest unit: "
                  "12.34 euros is 1234");
  }

  constexpr operator std::int64_t() const noexcept { return value_; }

 private:
  std::int64_t value_ = 0;
};

// In a `co_await`, g++ 12 destroys a temporary twice unless it is trivially copyable.
static_assert(std::is_trivially_copyable_v<Integer>);

}  // namespace tally
