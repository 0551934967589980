#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <tally/report_all.h>
#include <tally/stop_token.h>

#include "bulk/bulk_row.h"
#include "bulk/guarded_journal.h"
#include "bulk/journal_cursor.h"
#include "bulk/limit_gate.h"
#include "bulk/progress_meter.h"
#include "bulk/report_input.h"
#include "bulk/report_sender.h"
#include "bulk/verdict.h"

namespace tally::detail {

/// The calls of one kind: some have been begun, others wait for a place.
struct Lane {
  std::vector<LimitGate*> gates{};  // those that a call must pass
  std::deque<BulkRow*> waiting{};
  std::size_t begun = 0;
};

/// A run of reportAll(): decides what is done with each report. Runs in one thread, in rounds: reads the
/// input into a window, journals the outcomes and the next intents together, begins the calls whose intents
/// are durable, delivers the outcomes that are, and waits for calls to end.
class BulkJob {
 public:
  /// Everything must outlive this, and `rows`, which is empty, the sender too: if run() throws, calls may
  /// still be in flight.
  BulkJob(const Clock& clock, const Backoff& backoff, std::uint64_t jitterSeed, BulkRows& rows,
          ReportSender& sender, const ReportSource& source, const ReportAllOptions& options,
          const ReportCallback& onResult);

  /// An exception of the application's code is thrown once all calls have ended and what became of them is
  /// journaled; others, such as those of the clock or a lack of memory, at once.
  [[nodiscard]] ReportSummary run();

 private:
  using Next = Verdict::Next;

  void work();
  void round();
  [[nodiscard]] bool hasEnded() const;

  // The input.
  void fill();
  void compareFirst();
  [[nodiscard]] bool readAhead();
  [[nodiscard]] bool canFill() const;
  [[nodiscard]] bool hasRoom() const { return !stopping_ && rows_.size() < options_.window; }
  void fillFromJournal();
  void resume(const JournalIntent& intent);
  void fillFromInput();
  [[nodiscard]] std::optional<Result<Report>> nextRow();
  void take(Result<Report>&& report);
  [[nodiscard]] bool wasResumed(const BulkRow& row);
  [[nodiscard]] bool endedEarlier(const BulkRow& row);
  void checkEnd();

  // Turns and places.
  void enqueue(BulkRow& row);
  void turnComes(BulkRow& row, std::shared_ptr<const AnyObject> object);
  void turnEnds(BulkRow& row);
  void queue(BulkRow& row);
  [[nodiscard]] Lane& laneOf(const BulkRow& row);
  [[nodiscard]] LimitGate& gateOf(const Resource& resource);
  [[nodiscard]] LimitGate& gateOf(const AnyOperation& operation);
  [[nodiscard]] bool hasPlace(const Lane& lane) const;
  [[nodiscard]] Lane* nextLane(Instant time);
  [[nodiscard]] Instant nextOpening(Instant time) const;
  void beginQueued();
  void begin(BulkRow& row);
  void leaveLane(BulkRow& row);

  // The journal and the caller.
  [[nodiscard]] bool commit();
  void send(bool durable);
  void deliver();
  void tell(const ReportResult& result);
  void tellProgress();

  // What has ended.
  void awaitCalls();
  void callEnded(BulkRow& row);
  void read(BulkRow& row);
  void sent(BulkRow& row);
  void resolved(BulkRow& row);
  void follow(BulkRow& row, Verdict verdict);
  void retry(BulkRow& row, const Verdict& verdict);
  void pause(BulkRow& row);
  [[nodiscard]] std::chrono::nanoseconds askedWait(const BulkRow& row) const;
  void notePasses(const BulkRow& row, const Lane& lane);
  [[nodiscard]] LimitGate& refusingGate(const BulkRow& row);
  void holdBack(BulkRow& row, const Verdict& verdict);
  void giveUpBehind(const LimitGate& gate, const std::string& why);
  void end(BulkRow& row, const Verdict& verdict);
  void finish(BulkRow& row, const Verdict& verdict);
  void giveUp(BulkRow& row, std::string reason);

  // The end of the job.
  void checkStop();
  void stop(std::string problem);
  void caught();
  [[nodiscard]] Instant now() const { return clock_.now(); }

  const Clock& clock_;
  const Backoff& backoff_;
  std::uint64_t random_;
  ReportSender& sender_;
  ReportInput input_;
  const ReportAllOptions& options_;
  const ReportCallback& onResult_;
  std::exception_ptr failure_{};  // of the input, the journal, the callback or an observer
  std::optional<GuardedJournal> journal_{};
  ProgressMeter meter_;
  JournalCursor earlier_;

  BulkRows& rows_;  // the window
  // By object; the first has the turn. Most objects have one report, for which a deque would take 576 bytes.
  std::unordered_map<std::string, std::list<BulkRow*>> turns_{};
  std::map<std::pair<const AnyOperation*, Action>, Lane> lanes_{};
  LimitGate global_;
  std::map<const Resource*, LimitGate> ofResources_{};
  std::map<const AnyOperation*, LimitGate> ofOperations_{};
  std::unordered_set<std::string> undecided_{};     // objects with an open report
  std::uint64_t next_ = 0;                          // the number of the next row of the input
  std::uint64_t nextIntent_ = 0;                    // of an earlier run
  std::map<std::uint64_t, std::string> resumed_{};  // rows with such an intent, and their texts
  bool compared_;  // the journal is that of the input, as far as its first row shows
  bool intentsTaken_;
  bool intentsResolved_ = false;
  bool inputEnded_ = false;

  std::vector<JournalIntent> intents_{};
  std::vector<BulkRow*> intended_{};        // in the same order; sent once the intents are durable
  std::vector<JournalOutcome> outcomes_{};  // not yet durable
  std::deque<BulkRow*> ended_{};
  std::size_t calls_ = 0;  // begun and not ended
  std::size_t openRows_ = 0;
  std::size_t maxBegun_;  // per lane
  Instant lastSuccess_;
  Contact contact_{};

  bool stopping_ = false;
  std::string problem_{};
  Instant graceEnd_ = Instant::max();
  StopSource stopCalls_{};
  StopSource stopResolving_{};
};

}  // namespace tally::detail
