#include "bulk/bulk_job.h"

#include <memory>
#include <string>
#include <utility>

#include "bulk/before_text.h"
#include "bulk/journal_cursor.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

/// A later run may find it otherwise, since it does not know this outcome.
void reopen(BulkRow& row, const std::string& problem) {
  const std::string_view end = row.end == ReportEnd::applied ? "applied" : toString(row.end);
  std::string reason{end};
  reason += ", but the journal could not record it, so a later run decides it: " + problem;
  if (!row.reason.empty()) reason += "; " + row.reason;
  row.reason = std::move(reason);
  row.pending = true;
  row.end = row.end == ReportEnd::refused ? ReportEnd::unsent : ReportEnd::unknown;
}

LaneOptions laneOptions(const ReportAllOptions& options) {
  return {.window = options.window,
          .maxInFlight = options.maxInFlight,
          .retryTimeout = saturatingNanoseconds(options.retryTimeout),
          .gracePeriod = saturatingNanoseconds(options.gracePeriod),
          .firstCallAlone = true,
          .readBefore = options.readBefore,
          .extraParams = options.request.extraParams};
}

}  // namespace

BulkJob::BulkJob(const Clock& clock, const Backoff& backoff, std::uint64_t jitterSeed, BulkRows& rows,
                 ReportSender& sender, const ReportSource& source, const ReportAllOptions& options,
                 const ReportCallback& onResult)
    : clock_(clock),
      options_(options),
      onResult_(onResult),
      journal_(options.journal ? std::optional<GuardedJournal>{std::in_place, *options.journal, failure_}
                               : std::nullopt),
      meter_(options, clock.now()),
      rows_(rows),
      intake_(rows, options.window, source, journal_ ? &*journal_ : nullptr, failure_),
      lanes_(clock, backoff, jitterSeed, sender, *this, laneOptions(options)) {}

ReportSummary BulkJob::run() {
  try {
    work();
  } catch (...) {
    if (!failure_) throw;
  }
  if (failure_) std::rethrow_exception(failure_);
  return {.progress = progress(),
          .stopped = options_.stop.stop_requested(),
          .problem = lanes_.problem(),
          .isComplete = intake_.hasEnded() && lanes_.problem().empty() && openRows_ == 0};
}

void BulkJob::work() {
  do {
    round();
  } while (!hasEnded());
  (void)commit();  // of what was given up; no result depends on it
  tellProgress();
}

void BulkJob::round() {
  if (options_.stop.stop_requested()) lanes_.stop("");
  lanes_.checkTimes();
  fill();
  lanes_.begin();
  sendIntended(commit());
  deliver();
  if (meter_.isDue(now())) tellProgress();
  if ((!hasRoom() || intake_.hasEnded()) && lanes_.isBusy()) lanes_.wait(meter_.due(), options_.stop);
}

bool BulkJob::hasEnded() const {
  return rows_.empty() && (intake_.hasEnded() || lanes_.isStopping());
}

// ---- The window

void BulkJob::fill() {
  try {
    if (hasCompared()) {
      while (hasRoom()) {
        const auto arrival = intake_.resume();
        if (!arrival) break;
        take(*arrival);
      }
      fillFromInput();
    }
  } catch (const JournalError& error) {
    lanes_.stop(error.what());
  }
  if (failure_) lanes_.stop("an exception");
}

/// What an earlier run has ended counts from then on, and not as its results are delivered again.
bool BulkJob::hasCompared() {
  if (compared_) return true;
  compared_ = intake_.compare(options_.stop);
  if (compared_ && journal_)
    forEachOutcome(*journal_, [this](const JournalOutcome& outcome) {
      if (outcome.end != ReportEnd::unsent) meter_.count(outcome.end, true);
    });
  return compared_;
}

void BulkJob::fillFromInput() {
  while (hasRoom()) {
    const auto arrival = intake_.next();
    if (!arrival) return;
    take(*arrival);
    if (meter_.isDue(now())) tellProgress();
    if (options_.stop.stop_requested()) return;
  }
}

void BulkJob::take(const Arrival& arrival) {
  if (arrival.row == nullptr) return;  // its result has been delivered
  BulkRow& row = *arrival.row;
  if (!arrival.ended) return lanes_.enqueue(row);
  if (!arrival.fromEarlierRun) return lanes_.end(row, *arrival.ended);
  tell({.row = row.number,
        .report = row.report,
        .end = arrival.ended->end,
        .fromEarlierRun = true,
        .reason = arrival.ended->reason});
}

// ---- The journal

bool BulkJob::intend(BulkRow& row) {
  if (!journal_) return true;
  intents_.push_back({.row = row.number, .report = row.text, .before = textOfBefore(row.before)});
  intended_.push_back(&row);
  return false;
}

/// An open report without an intent is as if it had not been read; with one, its outcome stays unknown.
void BulkJob::ended(BulkRow& row) {
  const bool isKnown = !row.pending || (row.intended && row.end == ReportEnd::unsent);
  if (journal_ && isKnown)
    outcomes_.push_back({.row = row.number, .end = row.end, .reason = row.reason, .report = row.text});
  ended_.push_back(&row);
}

/// One transaction for the outcomes of this round and the intents of the next calls. Returns whether it is
/// durable. If not, no outcome of this round is final, but a later transaction may still record it: the disk
/// may have room again.
bool BulkJob::commit() {
  if (!journal_ || (intents_.empty() && outcomes_.empty())) return true;
  bool durable = false;
  try {
    journal_->write(intents_, outcomes_);
    durable = true;
    outcomes_.clear();
  } catch (const JournalError& error) {
    for (BulkRow* row : ended_)
      if (!row->pending) reopen(*row, error.what());
    lanes_.stop(error.what());
  }
  intents_.clear();
  return durable;
}

/// A report whose intent is not durable is not sent. The journal may have the intent nevertheless: a
/// transaction can become durable and fail.
void BulkJob::sendIntended(bool durable) {
  for (BulkRow* row : std::exchange(intended_, {})) {
    row->intended = true;
    if (durable) {
      lanes_.start(*row);
    } else {
      lanes_.giveUp(*row, "its intent could not be journaled");
    }
  }
}

// ---- The caller

void BulkJob::deliver() {
  while (!ended_.empty()) {
    BulkRow& row = *ended_.front();
    ended_.pop_front();
    meter_.count(row.end, false);
    openRows_ += row.pending ? 1U : 0U;
    const auto node = rows_.extract(row.number);
    tell({.row = row.number,
          .report = row.report,
          .end = row.end,
          .pending = row.pending,
          .reason = row.reason,
          .error = row.error ? &*row.error : nullptr,
          .object = row.object && !row.error ? row.object->ref().address() : nullptr,
          .type = row.prepared.operation == nullptr ? std::string_view{} : row.resource().name});
    row.dropResponse();
  }
}

void BulkJob::tell(const ReportResult& result) {
  if (failure_) return;
  try {
    if (onResult_) onResult_(result);
    if (options_.observer) options_.observer->onResult(result);
  } catch (...) {
    caught();
  }
}

ReportProgress BulkJob::progress() const {
  ReportProgress progress = meter_.progress(now(), rows_.size());
  if (lanes_.isStopping()) progress.timeLeft.reset();
  if (const CallTrouble* trouble = lanes_.trouble(); trouble != nullptr && !rows_.empty())
    progress.problem = trouble->reason;
  return progress;
}

void BulkJob::tellProgress() {
  if (failure_) return;
  const ReportProgress present = progress();
  try {
    if (options_.onProgress) options_.onProgress(present);
    if (options_.observer) options_.observer->onProgress(present);
  } catch (...) {
    caught();
  }
}

/// In a handler of an exception of the application's code.
void BulkJob::caught() {
  if (!failure_) failure_ = std::current_exception();
  lanes_.stop("an exception");
}

}  // namespace tally::detail
