// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <string>

#include <tally/borrowed.h>

namespace [[gnu::visibility("default")]] tally {

/// An amount of money.
/// Spec: "Amount object".
template <class O>
struct BasicAmount {
  Held<O, std::string> currency{};  ///< Lowercase currency code.
  std::int64_t value{};             ///< In the currency's smallest unit.

  operator BasicAmount<detail::OppositeOf<O>>() const&;
  operator BasicAmount<Borrowing>() const&& = delete;  // a temporary: give it a name
  bool operator==(const BasicAmount&) const = default;
};

using Amount = BasicAmount<Owning>;
std::ostream& operator<<(std::ostream& out, const Amount& value);

}  // namespace tally
