#pragma once

#include "bulk/bulk_row.h"

namespace tally::detail {

/// Receives what becomes of the reports in Lanes. Lanes call it in their own functions; it may not call them
/// back.
class ReportSink {
 public:
  ReportSink() = default;
  ReportSink(const ReportSink&) = delete;
  ReportSink& operator=(const ReportSink&) = delete;
  virtual ~ReportSink() = default;

  /// Before a report is sent for the first time. True: it may be sent immediately. False: its intent has to
  /// be recorded first; Lanes::start() or Lanes::giveUp() follows.
  [[nodiscard]] virtual bool intend(BulkRow& row) = 0;

  /// The report has ended; `end`, `pending` and `reason` say how. Lanes no longer use it once the function of
  /// theirs that is running has returned.
  virtual void ended(BulkRow& row) = 0;
};

}  // namespace tally::detail
