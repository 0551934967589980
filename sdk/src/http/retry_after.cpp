#include "http/retry_after.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <curl/curl.h>

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

std::optional<sys_seconds> dateIn(const std::string& text) {
  const std::time_t time = curl_getdate(text.c_str(), nullptr);
  if (time == -1) return std::nullopt;
  return sys_seconds{seconds{time}};
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
