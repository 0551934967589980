#pragma once

#include <chrono>
#include <string>

#include "text/decimal.h"

namespace tally::detail {

/// Appends a duration as a decimal number of seconds, such as `0.05`.
template <class Rep, class Period>
void appendSeconds(std::string& out, std::chrono::duration<Rep, Period> duration) {
  using std::chrono::duration_cast;
  const auto whole = duration_cast<std::chrono::seconds>(duration);
  const auto fraction = abs(duration_cast<std::chrono::nanoseconds>(duration - whole));
  if (duration < duration.zero() && whole == whole.zero()) out += '-';
  appendDecimal(out, whole.count());
  if (fraction == fraction.zero()) return;
  std::string digits = std::to_string((std::chrono::nanoseconds{std::chrono::seconds{1}} + fraction).count());
  digits.front() = '.';
  digits.erase(digits.find_last_not_of('0') + 1);
  out += digits;
}

}  // namespace tally::detail
