#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <tally/clock.h>
#include <tally/options.h>
#include <tally/read_before.h>
#include <tally/stop_token.h>

#include "bulk/bulk_row.h"
#include "bulk/gated_calls.h"
#include "bulk/object_queues.h"
#include "bulk/report_sender.h"
#include "bulk/report_sink.h"
#include "bulk/verdict.h"

namespace tally::detail {

struct LaneOptions {
  std::size_t window = 1;       // the most reports at a time, and the most objects with an undecided one
  std::size_t maxInFlight = 1;  // calls of one kind, to begin with
  std::chrono::nanoseconds retryTimeout{0};
  std::chrono::nanoseconds gracePeriod{0};  // in which reports are resolved after stop()
  bool firstCallAlone = false;              // a wrong key then leaves no other report that may have been sent
  ReadBefore readBefore = ReadBefore::unlessAttemptKnown;
  ExtraParams extraParams{};  // of all reports
};

/// Calls fail, and are repeated.
struct CallTrouble {
  bool isRefusal = false;  // by a limit or a lock
  Instant since{};         // when the first of them failed
  std::string reason{};    // of the last one
};

/// Brings reports to their ends: those on one object in order, the others in parallel. Knows what waits and
/// what is in flight, begins calls as far as limits allow, and retries them with backoff. Verdicts decide
/// what a result means.
///
/// Where the reports come from, and where their intents and outcomes are recorded, is up to the owner, which
/// passes a ReportSink. A ReportSender makes the calls. The owner works in rounds, in one thread: enqueue()
/// for new reports, begin(), then start() or giveUp() for those whose intents it has recorded, and wait().
class Lanes {
 public:
  /// The references, and `options.extraParams`, must outlive this.
  Lanes(const Clock& clock, const Backoff& backoff, std::uint64_t jitterSeed, ReportSender& sender,
        ReportSink& sink, const LaneOptions& options);

  /// Enqueues a report, which must exist until both the report and its call have ended. With Action::resolve,
  /// it may have been sent earlier.
  void enqueue(BulkRow& row);

  /// Begins the calls that may begin.
  void begin();
  /// Begins the call of a report whose intent has been recorded since begin().
  void start(BulkRow& row);
  /// Ends the report as ReportEnd::unsent and pending.
  void giveUp(BulkRow& row, std::string reason);
  /// Ends a report that has not been enqueued.
  void end(BulkRow& row, const Verdict& verdict);
  /// Ends a report that waits for its call. The call is not made.
  void withdraw(BulkRow& row, const Verdict& verdict);
  /// From now on, a report on the object that ended as pending no longer holds back other reports.
  void forget(const std::string& object) { objects_.forget(object); }

  /// The calls and pauses that have not ended.
  [[nodiscard]] std::size_t inFlight() const noexcept { return inFlight_; }
  /// Whether wait() has something to wait for.
  [[nodiscard]] bool isBusy() const;
  /// Waits until calls end, a limit lets one begin, `until`, or `stop`, and follows the verdicts on the calls
  /// that have ended. A virtual clock moves to `timer`, but not to `until`.
  void wait(Instant until, const StopToken& stop, Instant timer = Instant::max());

  /// Ends what is too late. To be called in each round.
  void checkTimes();
  /// Gives up what has not begun; calls in flight end, or are resolved. Keeps the first problem that is not
  /// empty.
  void stop(std::string problem);
  [[nodiscard]] bool isStopping() const noexcept { return stopping_; }
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  /// Null unless the last call that ended is to be repeated. The refusals of limits and locks become trouble
  /// once no call that began after the first of them has passed for ten seconds.
  [[nodiscard]] const CallTrouble* trouble() const;

 private:
  void turnComes(BulkRow& row, std::shared_ptr<const AnyObject> object);
  void queue(BulkRow& row);
  void beginOrIntend(BulkRow& row);
  void callEnded(BulkRow& row);
  void noteTrouble(const BulkRow& row, const Verdict& verdict);
  void follow(BulkRow& row, const Verdict& verdict);
  void retry(BulkRow& row, const Verdict& verdict);
  void holdBack(BulkRow& row, const Verdict& verdict);
  void pause(BulkRow& row);
  void giveUpBehind(const LimitGate& gate, const std::string& why);
  void finish(BulkRow& row, const Verdict& verdict);
  [[nodiscard]] bool mustRead(const BulkRow& row) const;
  [[nodiscard]] std::size_t room() const;
  [[nodiscard]] Instant retryEnd(Instant since) const;
  void stopIfNothingSucceeds(Instant since, const Verdict& verdict);
  [[nodiscard]] std::chrono::nanoseconds askedWait(const BulkRow& row) const;
  [[nodiscard]] Instant now() const { return clock_.now(); }

  const Clock& clock_;
  const Backoff backoff_;
  std::uint64_t random_;
  ReportSender& sender_;
  ReportSink& sink_;
  LaneOptions options_;

  ObjectQueues objects_{};
  GatedCalls calls_;
  Verdicts verdicts_;
  std::size_t inFlight_ = 0;  // calls and pauses
  bool isFirstCall_;          // and no other may begin
  Instant lastSuccess_;
  std::optional<CallTrouble> trouble_{};

  bool stopping_ = false;
  std::string problem_{};
  Instant graceEnd_ = Instant::max();
  StopSource stopCalls_{};
  StopSource stopResolving_{};
};

}  // namespace tally::detail
