#include <array>
#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

#include <tally/clock.h>
#include <tally/timestamp.h>

namespace [[gnu::visibility("default")]] tally {

namespace {

using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year;

void appendPadded(std::string& out, long long number, std::size_t width) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

/// `2026-01-01T00:00:00`, for years with four digits.
std::string dateAndTime(sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  std::string out;
  appendPadded(out, int{date.year()}, 4);
  for (const unsigned part : {unsigned{date.month()}, unsigned{date.day()}})
    appendPadded(out += '-', part, 2);
  char separator = 'T';
  for (const long long part :
       {static_cast<long long>(clock.hours().count()), static_cast<long long>(clock.minutes().count()),
        static_cast<long long>(clock.seconds().count())}) {
    appendPadded(out += separator, part, 2);
    separator = ':';
  }
  return out;
}

}  // namespace

std::string toString(sys_seconds time) {
  if (time < sys_days{year{0} / 1 / 1} || time >= sys_days{year{10'000} / 1 / 1})
    return std::to_string(time.time_since_epoch().count()) + " s since 1970";
  return dateAndTime(time) + 'Z';
}

std::string toString(Instant time) {
  constexpr std::chrono::seconds second{1};
  std::string out = dateAndTime(std::chrono::floor<std::chrono::seconds>(time));
  // Not `time - floor(time)`: that overflows for Instant::min().
  const auto fraction = (time.time_since_epoch() % second + second) % second;
  if (fraction != fraction.zero()) {
    appendPadded(out += '.', fraction.count(), 9);
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out + 'Z';
}

std::ostream& operator<<(std::ostream& out, const Timestamp& time) {
  return out << toString(std::chrono::sys_seconds{time});
}

}  // namespace tally
