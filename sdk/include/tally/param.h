#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <string>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
struct BorrowedPair;
}

/// A parameter as written on the wire, such as `amount_requested[value]`, not yet percent-encoded.
struct Param {
  std::string name{};
  std::string value{};

  operator detail::BorrowedPair() const&;
  operator detail::BorrowedPair() const&& = delete;  // a temporary: give it a name
  bool operator==(const Param&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Param& value);
};

}  // namespace tally
