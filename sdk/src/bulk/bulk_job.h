#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <vector>

#include <tally/report_all.h>

#include "bulk/bulk_row.h"
#include "bulk/guarded_journal.h"
#include "bulk/intake.h"
#include "bulk/lanes.h"
#include "bulk/progress_meter.h"
#include "bulk/report_sender.h"
#include "bulk/report_sink.h"

namespace tally::detail {

/// A run of reportAll(). Runs in one thread, in rounds: Intake fills the window, Lanes begin calls, the
/// outcomes and the next intents are journaled together, the calls whose intents are durable are begun, the
/// outcomes that are durable are delivered, and Lanes wait for calls to end.
class BulkJob final : private ReportSink {
 public:
  /// Everything must outlive this, and `rows`, which is empty, the sender too: if run() throws, calls may
  /// still be in flight.
  BulkJob(const Clock& clock, const Backoff& backoff, std::uint64_t jitterSeed, BulkRows& rows,
          ReportSender& sender, const ReportSource& source, const ReportAllOptions& options,
          const ReportCallback& onResult);

  /// An exception of the application's code is thrown once all calls have ended and what became of them is
  /// journaled; others, such as those of the clock or a lack of memory, immediately.
  [[nodiscard]] ReportSummary run();

 private:
  void work();
  void round();
  [[nodiscard]] bool hasEnded() const;

  // The window.
  void fill();
  [[nodiscard]] bool hasCompared();
  void fillFromInput();
  void take(const Arrival& arrival);
  [[nodiscard]] bool hasRoom() const { return !lanes_.isStopping() && intake_.hasRoom(); }

  // The journal.
  [[nodiscard]] bool intend(BulkRow& row) override;
  void ended(BulkRow& row) override;
  [[nodiscard]] bool commit();
  void sendIntended(bool durable);

  // The caller.
  void deliver();
  void tell(const ReportResult& result);
  [[nodiscard]] ReportProgress progress() const;
  void tellProgress();
  void caught();
  [[nodiscard]] Instant now() const { return clock_.now(); }

  const Clock& clock_;
  const ReportAllOptions& options_;
  const ReportCallback& onResult_;
  std::exception_ptr failure_{};  // of the input, the journal, the callback or an observer
  std::optional<GuardedJournal> journal_{};
  ProgressMeter meter_;
  BulkRows& rows_;  // the window
  Intake intake_;
  Lanes lanes_;
  bool compared_ = false;

  std::vector<JournalIntent> intents_{};
  std::vector<BulkRow*> intended_{};        // in the same order; sent once the intents are durable
  std::vector<JournalOutcome> outcomes_{};  // not yet durable
  std::deque<BulkRow*> ended_{};
  std::size_t openRows_ = 0;
};

}  // namespace tally::detail
