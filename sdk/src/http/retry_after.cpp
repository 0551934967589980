#include "http/retry_after.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>

namespace tally::detail {

namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

/// Longer than any cap, and small enough that sums of times do not overflow.
constexpr std::int64_t mostSeconds = std::numeric_limits<std::int32_t>::max();

bool isNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

seconds secondsIn(std::string_view digits) {
  std::int64_t count = mostSeconds;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return seconds{std::min(count, mostSeconds)};
}

/// A form of dates in HTTP.
struct DateForm {
  const char* format;
  std::string_view zone;
  bool shortYear = false;
};

/// The one that is sent today, and two that recipients must accept.
constexpr DateForm dateForms[] = {
    {"%a, %d %b %Y %H:%M:%S", " GMT"}, {"%a, %d-%b-%y %H:%M:%S", " GMT", true}, {"%a %b %d %H:%M:%S %Y", ""}};

std::optional<sys_seconds> timeOf(const std::tm& date, bool shortYear) {
  using namespace std::chrono;
  // Standard libraries differ in the century of a short year.
  const int since1900 = shortYear && date.tm_year < 70 ? date.tm_year + 100 : date.tm_year;
  const year_month_day day{year{1900 + since1900}, month{static_cast<unsigned>(date.tm_mon + 1)},
                           std::chrono::day{static_cast<unsigned>(date.tm_mday)}};
  if (!day.ok()) return std::nullopt;
  return sys_days{day} + hours{date.tm_hour} + minutes{date.tm_min} + seconds{date.tm_sec};
}

std::optional<sys_seconds> dateIn(const std::string& text) {
  for (const DateForm& form : dateForms) {
    std::istringstream in{text};
    in.imbue(std::locale::classic());
    std::tm date{};
    std::string zone;
    if (!(in >> std::get_time(&date, form.format))) continue;
    std::getline(in, zone);
    if (zone == form.zone) return timeOf(date, form.shortYear);
  }
  return std::nullopt;
}

sys_seconds sentAt(const HttpResponse& response, Instant now) {
  const std::string* date = response.header("Date");
  const auto told = date == nullptr ? std::nullopt : dateIn(*date);
  return told.value_or(std::chrono::floor<seconds>(now));
}

}  // namespace

std::optional<seconds> retryAfter(const HttpResponse& response, Instant now) {
  const std::string* text = response.header("Retry-After");
  if (text == nullptr) return std::nullopt;
  if (isNumber(*text)) return secondsIn(*text);
  const auto date = dateIn(*text);
  if (!date) return std::nullopt;
  return std::clamp(*date - sentAt(response, now), seconds{0}, seconds{mostSeconds});
}

}  // namespace tally::detail
