#pragma once

#include <chrono>
#include <string>

#include "text/decimal.h"

namespace tally::detail {

/// Appends a non-negative duration as a decimal number of seconds, such as `0.05`.
inline void appendSeconds(std::string& out, std::chrono::nanoseconds duration) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(duration);
  appendDecimal(out, whole.count());
  const auto fraction = duration - whole;
  if (fraction == fraction.zero()) return;
  std::string digits = std::to_string((std::chrono::nanoseconds{std::chrono::seconds{1}} + fraction).count());
  digits.front() = '.';
  digits.erase(digits.find_last_not_of('0') + 1);
  out += digits;
}

}  // namespace tally::detail
