#include "bulk/progress_meter.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

#include "time/saturating.h"

namespace tally::detail {

ProgressMeter::ProgressMeter(const ReportAllOptions& options, Instant start)
    : interval_(saturatingNanoseconds(options.progressInterval)),
      start_(start),
      due_(saturatingAdd(start, interval_)) {
  counts_.total = options.total;
}

std::uint64_t& ProgressMeter::counterOf(ReportEnd end) {
  switch (end) {
    case ReportEnd::applied:
      return counts_.applied;
    case ReportEnd::refused:
      return counts_.refused;
    case ReportEnd::unknown:
      return counts_.unknown;
    case ReportEnd::unsent:
      break;
  }
  return counts_.unsent;
}

void ProgressMeter::count(ReportEnd end, bool fromEarlierRun) {
  ++counterOf(end);
  if (fromEarlierRun) ++counts_.fromEarlierRun;
  if (!fromEarlierRun && end != ReportEnd::unsent) ++decided_;
}

ReportProgress ProgressMeter::progress(Instant now, std::uint64_t held) const {
  ReportProgress result = counts_;
  const std::uint64_t ended = result.ended();
  result.waiting = result.total && *result.total >= ended ? *result.total - ended : held;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (seconds > 0) result.rate = static_cast<double>(decided_) / seconds;
  constexpr double longest = 1e12;  // seconds
  if (const double left = static_cast<double>(result.waiting) / result.rate; result.total && left < longest)
    result.timeLeft.emplace(static_cast<std::int64_t>(std::ceil(left)));
  return result;
}

bool ProgressMeter::isDue(Instant now) {
  if (now < due_) return false;
  due_ = saturatingAdd(now, interval_);
  return true;
}

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

namespace {

void appendPart(std::string& line, std::uint64_t count, std::string_view what) {
  if (!line.empty()) line += ", ";
  (line += std::to_string(count)) += what;
}

void appendTimeLeft(std::string& line, std::chrono::seconds left) {
  const std::chrono::hh_mm_ss time{left};
  std::array<char, 64> text{};
  (void)std::snprintf(text.data(), text.size(), ", %02ld:%02ld:%02ld left",
                      static_cast<long>(time.hours().count()), static_cast<long>(time.minutes().count()),
                      static_cast<long>(time.seconds().count()));
  line += text.data();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ReportProgress& progress) {
  std::string line;
  appendPart(line, progress.applied, " applied");
  appendPart(line, progress.refused, " refused");
  appendPart(line, progress.unknown, " unknown");
  if (progress.unsent != 0) appendPart(line, progress.unsent, " unsent");
  appendPart(line, progress.waiting, " waiting");
  std::array<char, 32> rate{};
  (void)std::snprintf(rate.data(), rate.size(), ", %.1f per second", progress.rate);
  line += rate.data();
  if (progress.timeLeft) appendTimeLeft(line, *progress.timeLeft);
  if (!progress.problem.empty()) line += ": " + progress.problem;
  return out << line;
}

std::string_view toString(ReportEnd end) noexcept {
  switch (end) {
    case ReportEnd::applied:
      return "applied";
    case ReportEnd::refused:
      return "refused";
    case ReportEnd::unknown:
      return "unknown";
    case ReportEnd::unsent:
      break;
  }
  return "unsent";
}

std::ostream& operator<<(std::ostream& out, ReportEnd end) {
  return out << toString(end);
}

}  // namespace tally
