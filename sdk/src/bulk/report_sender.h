#pragma once

#include <cstddef>
#include <vector>

#include <tally/clock.h>
#include <tally/stop_token.h>

#include "bulk/bulk_row.h"

namespace tally::detail {

/// Makes the calls of a job without blocking it. Each function begins something for a row, and wait() returns
/// the row once it has ended; until then, it must stay.
class ReportSender {
 public:
  ReportSender() = default;
  ReportSender(const ReportSender&) = delete;
  ReportSender& operator=(const ReportSender&) = delete;
  virtual ~ReportSender() = default;

  /// How many calls to begin now. Fewer than the caller would like while others wait for a rate limiter: a
  /// report whose intent is recorded long before it is sent has to be looked up after a crash. wait() ends
  /// when this rises from 0.
  [[nodiscard]] virtual std::size_t room() const = 0;

  /// Reads the object of the report.
  virtual void read(BulkRow& row, StopToken stop) = 0;
  /// Sends the report.
  virtual void send(BulkRow& row, StopToken stop) = 0;
  /// Finds out what became of the report, and sends it again if that is safe and `resend`.
  virtual void resolve(BulkRow& row, bool resend, StopToken stop) = 0;
  /// Ends at `until` or when stopped.
  virtual void pause(BulkRow& row, Instant until, StopToken stop) = 0;

  /// How long wait() waits at most. A virtual clock moves to `opening`, but not to `until`, which only
  /// interrupts the wait.
  struct Times {
    Instant until = Instant::max();
    Instant opening = Instant::max();
  };
  /// Waits until something has ended, until there is room, until one of the times, or until `stop`. Returns
  /// what has ended.
  [[nodiscard]] virtual std::vector<BulkRow*> wait(const Times& times, StopToken stop) = 0;
};

}  // namespace tally::detail
