// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace [[gnu::visibility("default")]] tally {

/// An amount of money.
/// Spec: "Amount object".
struct Amount {
  std::string currency{};  ///< Lowercase currency code.
  std::int64_t value{};    ///< In the currency's smallest unit.

  bool operator==(const Amount&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Amount& value);
};

}  // namespace tally
