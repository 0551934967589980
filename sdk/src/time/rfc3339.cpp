#include "time/rfc3339.h"

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tally::detail {

namespace {

constexpr std::size_t fractionDigits = 9;

/// Takes parts off the front of a text.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : left_(text) {}

  /// A number with exactly this many digits; failed() if there is none.
  int number(std::size_t digits) {
    int value = 0;
    const std::string_view taken = left_.substr(0, digits);
    const char* const begin = taken.data();
    const char* const end = begin + taken.size();
    const auto [read, error] = std::from_chars(begin, end, value);
    failed_ = failed_ || taken.size() < digits || error != std::errc{} || read != end || taken[0] == '-';
    left_.remove_prefix(taken.size());
    return value;
  }

  /// Whether one of `characters` comes next, which is then taken.
  char oneOf(std::string_view characters) {
    if (left_.empty() || characters.find(left_[0]) == std::string_view::npos) return '\0';
    const char taken = left_[0];
    left_.remove_prefix(1);
    return taken;
  }

  void expect(std::string_view characters) { failed_ = oneOf(characters) == '\0' || failed_; }

  /// The nanoseconds of a fraction of any length.
  std::chrono::nanoseconds fraction() {
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (char digit = oneOf("0123456789"); digit != '\0'; digit = oneOf("0123456789"))
      if (digits++ < fractionDigits) value = value * 10 + (digit - '0');
    failed_ = failed_ || digits == 0;
    for (; digits < fractionDigits; ++digits)
      value *= 10;
    return std::chrono::nanoseconds{value};
  }

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool atEnd() const noexcept { return left_.empty(); }

 private:
  std::string_view left_;
  bool failed_ = false;
};

void appendDigits(std::string& out, std::size_t digits, std::int64_t number) {
  const std::string written = std::to_string(number);
  out.append(digits - written.size(), '0') += written;
}

/// Nothing for a time beyond the last instant, or before the first whole second.
std::optional<Instant> instantOf(std::chrono::seconds whole, std::chrono::nanoseconds fraction) {
  using std::chrono::floor;
  constexpr Instant::duration last = Instant::max().time_since_epoch();
  constexpr auto least =
      floor<std::chrono::seconds>(Instant::min().time_since_epoch()) + std::chrono::seconds{1};
  constexpr auto most = floor<std::chrono::seconds>(last);
  if (whole < least || whole > most || (whole == most && fraction > last - most)) return std::nullopt;
  return Instant{whole + fraction};
}

}  // namespace

std::string toText(Instant time) {
  using namespace std::chrono;
  const auto whole = floor<seconds>(time);
  const auto day = floor<days>(whole);
  const year_month_day date{day};
  const hh_mm_ss clock{whole - day};
  std::string text;
  appendDigits(text, 4, int{date.year()});
  appendDigits(text += '-', 2, unsigned{date.month()});
  appendDigits(text += '-', 2, unsigned{date.day()});
  appendDigits(text += 'T', 2, clock.hours().count());
  appendDigits(text += ':', 2, clock.minutes().count());
  appendDigits(text += ':', 2, clock.seconds().count());
  appendDigits(text += '.', fractionDigits, (time - whole).count());
  return text += 'Z';
}

std::optional<Instant> instantOf(std::int64_t seconds) {
  return instantOf(std::chrono::seconds{seconds}, std::chrono::nanoseconds{0});
}

std::optional<Instant> instantOf(std::string_view text) {
  using namespace std::chrono;
  TextReader reader{text};
  const year y{reader.number(4)};
  reader.expect("-");
  const month m{static_cast<unsigned>(reader.number(2))};
  reader.expect("-");
  const day d{static_cast<unsigned>(reader.number(2))};
  reader.expect("Tt ");
  const int hour = reader.number(2);
  reader.expect(":");
  const int minute = reader.number(2);
  reader.expect(":");
  const int second = reader.number(2);
  const nanoseconds fraction = reader.oneOf(".") == '.' ? reader.fraction() : nanoseconds{0};
  const char sign = reader.oneOf("Zz+-");
  minutes offset{0};
  if (sign == '+' || sign == '-') {
    const int hours = reader.number(2);
    reader.expect(":");
    const int rest = reader.number(2);
    if (hours > 23 || rest > 59) return std::nullopt;
    offset = (sign == '+' ? 1 : -1) * minutes{hours * 60 + rest};
  }
  const year_month_day date{y, m, d};
  if (reader.failed() || !reader.atEnd() || sign == '\0' || !date.ok() || hour > 23 || minute > 59 ||
      second > 59)
    return std::nullopt;
  const auto whole =
      sys_days{date}.time_since_epoch() + hours{hour} + minutes{minute} + seconds{second} - offset;
  return instantOf(duration_cast<seconds>(whole), fraction);
}

}  // namespace tally::detail
