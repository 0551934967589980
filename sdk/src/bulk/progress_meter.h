#pragma once

#include <cstdint>
#include <optional>

#include <tally/clock.h>
#include <tally/report_all.h>

namespace tally::detail {

/// Counts the reports of a job, and decides when to report progress.
class ProgressMeter {
 public:
  ProgressMeter(const ReportAllOptions& options, Instant start);

  void count(ReportEnd end, bool fromEarlierRun);

  /// `held`: reports read that have not ended.
  [[nodiscard]] ReportProgress progress(Instant now, std::uint64_t held) const;

  /// When the next progress is due.
  [[nodiscard]] Instant due() const noexcept { return due_; }
  /// Whether it is; then it is due again one interval later.
  [[nodiscard]] bool isDue(Instant now);

 private:
  [[nodiscard]] std::uint64_t& counterOf(ReportEnd end);

  ReportProgress counts_{};
  std::uint64_t decided_ = 0;  // in this run
  std::chrono::nanoseconds interval_;
  Instant start_;
  Instant due_;
};

}  // namespace tally::detail
