#include "bulk/lanes.h"

#include <algorithm>
#include <utility>

#include "attempt/backoff_delay.h"
#include "text/random.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

using Next = Verdict::Next;

constexpr const char* undecidedObject = "an earlier report on the same object is undecided";

/// More calls than requests in flight, to bridge the time in which intents are recorded. Half of the window
/// stays free, so that outcomes and new intents are recorded together.
GatedCalls::Slots slotsFor(const LaneOptions& options) {
  constexpr std::size_t perRequest = 4;
  const std::size_t half = std::max<std::size_t>(options.window / 2, 1);
  const std::size_t most = options.maxInFlight > half / perRequest ? half : perRequest * options.maxInFlight;
  return {.now = std::min(options.maxInFlight, most), .most = most};
}

/// No single pause exceeds the retry timeout, whatever the service asks for.
Backoff within(std::chrono::nanoseconds retryTimeout, Backoff backoff) {
  using std::chrono::milliseconds;
  const auto most = std::max(std::chrono::ceil<milliseconds>(retryTimeout), milliseconds{1});
  backoff.cap = std::min(backoff.cap, most);
  backoff.retryAfterCap = std::min(backoff.retryAfterCap, most);
  return backoff;
}

/// A limit or a lock may refuse all calls for some seconds in normal operation.
constexpr std::chrono::seconds refusedUntilTrouble{10};

/// Whether a limit has refused the last call. Reads wait for no lock, so a 429 for one without a reason is
/// about the read allocation, or comes from a gateway that limits requests.
bool isRefusedByLimit(const BulkRow& row) {
  if (!row.error) return false;
  return row.error->kind() == ErrorKind::rateLimited ||
         (row.failedToRead && row.error->kind() == ErrorKind::tooManyRequests);
}

}  // namespace

Lanes::Lanes(const Clock& clock, const Backoff& backoff, std::uint64_t jitterSeed, ReportSender& sender,
             ReportSink& sink, const LaneOptions& options)
    : clock_(clock),
      backoff_(within(options.retryTimeout, backoff)),
      random_(jitterSeed),
      sender_(sender),
      sink_(sink),
      options_(options),
      calls_(backoff_, slotsFor(options)),
      verdicts_(options.extraParams),
      isFirstCall_(options.firstCallAlone),
      lastSuccess_(clock.now()) {}

// ---- What waits

void Lanes::enqueue(BulkRow& row) {
  if (objects_.add(row)) turnComes(row, nullptr);
}

/// `object`: as the report before this one has left it.
void Lanes::turnComes(BulkRow& row, std::shared_ptr<const AnyObject> object) {
  row.inTurn = true;
  row.turn = now();
  if (row.action != Action::resolve) {
    if (objects_.isUndecided(row.report.id)) return giveUp(row, undecidedObject);
    if (object && options_.readBefore != ReadBefore::never && !row.isAboutOther(*object))
      row.before = std::move(object);
    if (mustRead(row)) row.action = Action::read;
  }
  queue(row);
}

bool Lanes::mustRead(const BulkRow& row) const {
  if (!row.isVisible() || row.before || options_.readBefore == ReadBefore::never) return false;
  return options_.readBefore == ReadBefore::always || row.report.attempt.empty();
}

void Lanes::queue(BulkRow& row) {
  if (stopping_ && row.action != Action::resolve) return giveUp(row, "the job was stopped");
  calls_.wait(row, now());
}

// ---- What is in flight

void Lanes::begin() {
  const Instant time = now();
  for (std::size_t more = room(); more != 0; --more) {
    BulkRow* const row = calls_.begin(time, !stopResolving_.stop_requested());
    if (row == nullptr) return;
    // The time in which a limit delays a report does not count as trouble.
    if (row->failing) row->failing = saturatingAdd(*row->failing, saturatingSince(row->queued, time));
    beginOrIntend(*row);
  }
}

/// How many calls may begin now.
std::size_t Lanes::room() const {
  const std::size_t room = sender_.room();
  return isFirstCall_ ? std::min<std::size_t>(room, inFlight_ == 0 ? 1 : 0) : room;
}

void Lanes::beginOrIntend(BulkRow& row) {
  if (row.action == Action::send && !row.intended && !sink_.intend(row)) return;
  start(row);
}

void Lanes::start(BulkRow& row) {
  ++inFlight_;
  row.error.reset();
  switch (row.action) {
    case Action::read:
      return sender_.read(row, stopCalls_.get_token());
    case Action::send:
      return sender_.send(row, stopCalls_.get_token());
    case Action::resolve:
      break;
  }
  const bool attemptKnown = row.before || !row.report.attempt.empty();
  sender_.resolve(row, attemptKnown && !stopping_, stopResolving_.get_token());
}

bool Lanes::isBusy() const {
  return inFlight_ != 0 || calls_.opening(now()) != Instant::max();
}

/// If all calls have ended by the time one is looked for, more of them at once are faster.
void Lanes::wait(Instant until, const StopToken& stop, Instant timer) {
  const Instant opening = room() == 0 ? Instant::max() : calls_.opening(now());
  const auto ended = sender_.wait({.until = std::min(until, graceEnd_), .opening = std::min(opening, timer)},
                                  stopping_ ? StopToken{} : stop);
  if (!ended.empty() && ended.size() == inFlight_ && !isFirstCall_) calls_.addSlots();
  inFlight_ -= ended.size();
  for (BulkRow* row : ended)
    callEnded(*row);
}

void Lanes::callEnded(BulkRow& row) {
  if (row.calling == nullptr) return queue(row);  // a pause
  calls_.end(row, now());
  isFirstCall_ = false;
  const Verdict verdict = verdicts_.afterCall(row, stopping_);
  if (!row.error && row.lastError() != nullptr) row.error = *row.lastError();
  noteTrouble(row, verdict);
  follow(row, verdict);
}

/// A call that began before the first refusal can't show that the limit admits requests again.
void Lanes::noteTrouble(const BulkRow& row, const Verdict& verdict) {
  const bool isRefusal = row.error && (row.error->kind() == ErrorKind::rateLimited ||
                                       row.error->kind() == ErrorKind::lockTimeout);
  if (!isRefusal && verdict.next != Next::retry && verdict.next != Next::resolve) {
    if (trouble_ && (!trouble_->isRefusal || row.begun > trouble_->since)) trouble_.reset();
    return;
  }
  if (!trouble_ || trouble_->isRefusal != isRefusal)
    trouble_.emplace(CallTrouble{.isRefusal = isRefusal, .since = now()});
  trouble_->reason = row.error ? row.error->toString() : verdict.reason;
}

const CallTrouble* Lanes::trouble() const {
  if (!trouble_) return nullptr;
  const bool isTold = !trouble_->isRefusal || now() >= saturatingAdd(trouble_->since, refusedUntilTrouble);
  return isTold ? &*trouble_ : nullptr;
}

void Lanes::follow(BulkRow& row, const Verdict& verdict) {
  if (verdict.endsJob) stop(verdict.reason);
  switch (verdict.next) {
    case Next::end:
      return end(row, verdict);
    case Next::retry:
      return retry(row, verdict);
    case Next::send:
      row.dropResponse();
      row.before = std::move(row.object);
      row.action = Action::send;
      break;
    case Next::resolve:
      row.action = Action::resolve;
      break;
  }
  queue(row);
}

// ---- Retries

/// What is refused by a limit waits behind a gate, everything else on its own.
void Lanes::retry(BulkRow& row, const Verdict& verdict) {
  if (isRefusedByLimit(row)) return holdBack(row, verdict);
  if (!row.failing) row.failing = now();
  if (now() >= retryEnd(*row.failing)) {
    stopIfNothingSucceeds(*row.failing, verdict);
    return end(row, verdict);
  }
  if (stopping_ && row.action != Action::resolve) return end(row, verdict);
  pause(row);
}

/// The retry timeout counts from the first refusal since a call last passed the limit, whichever reports
/// these were.
void Lanes::holdBack(BulkRow& row, const Verdict& verdict) {
  LimitGate& gate = calls_.refuse(row, askedWait(row), nextFraction(random_), now());
  const Instant since = *gate.blockedSince();
  if (now() >= retryEnd(since)) {
    stopIfNothingSucceeds(since, verdict);
    end(row, verdict);
    return giveUpBehind(gate, "no request passes the limit anymore: " + verdict.reason);
  }
  if (stopping_ && row.action != Action::resolve) return end(row, verdict);
  gate.openBy(retryEnd(since));
  queue(row);
}

/// Until the retry timeout at most, so that the last try is then.
void Lanes::pause(BulkRow& row) {
  const auto delay = saturatingAdd(backoffDelay(backoff_, ++row.failures, random_), askedWait(row));
  const Instant until = std::min(saturatingAdd(now(), delay), retryEnd(*row.failing));
  ++inFlight_;
  sender_.pause(row, until,
                row.action == Action::resolve ? stopResolving_.get_token() : stopCalls_.get_token());
}

Instant Lanes::retryEnd(Instant since) const {
  return saturatingAdd(since, options_.retryTimeout);
}

void Lanes::stopIfNothingSucceeds(Instant since, const Verdict& verdict) {
  if (lastSuccess_ <= since) stop("nothing succeeds anymore: " + verdict.reason);
}

std::chrono::nanoseconds Lanes::askedWait(const BulkRow& row) const {
  return row.error ? retryAfterDelay(backoff_, *row.error) : std::chrono::nanoseconds{0};
}

/// Otherwise each of them would wait for a refusal of its own.
void Lanes::giveUpBehind(const LimitGate& gate, const std::string& why) {
  for (BulkRow* row : calls_.takeWaiting(&gate))
    end(*row, {.end = row->action == Action::resolve ? ReportEnd::unknown : ReportEnd::unsent,
               .pending = true,
               .reason = why});
}

// ---- How reports end

void Lanes::giveUp(BulkRow& row, std::string reason) {
  end(row, {.end = ReportEnd::unsent, .pending = true, .reason = std::move(reason)});
}

void Lanes::withdraw(BulkRow& row, const Verdict& verdict) {
  calls_.withdraw(row);
  end(row, verdict);
}

void Lanes::end(BulkRow& row, const Verdict& verdict) {
  calls_.leave(row);
  finish(row, verdict);
  if (!row.inTurn) return;
  BulkRow* next = objects_.ended(row);
  // A loop, since there may be many.
  while (next != nullptr && row.pending && next->action != Action::resolve) {
    finish(*next, {.end = ReportEnd::unsent, .pending = true, .reason = undecidedObject});
    next = objects_.ended(*next);
  }
  if (next != nullptr) turnComes(*next, row.end == ReportEnd::applied ? row.object : nullptr);
}

void Lanes::finish(BulkRow& row, const Verdict& verdict) {
  row.end = verdict.end;
  row.pending = verdict.pending;
  row.reason = verdict.reason;
  if (row.end == ReportEnd::applied) {
    lastSuccess_ = now();
    row.error.reset();
  }
  sink_.ended(row);
}

void Lanes::checkTimes() {
  if (objects_.undecided() > options_.window)
    stop("more than " + std::to_string(options_.window) + " objects have an undecided report");
  if (now() < graceEnd_) return;
  graceEnd_ = Instant::max();
  stopResolving_.request_stop();
}

void Lanes::stop(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  if (stopping_) return;
  stopping_ = true;
  graceEnd_ = saturatingAdd(now(), options_.gracePeriod);
  stopCalls_.request_stop();
  for (BulkRow* row : calls_.takeWaiting())
    queue(*row);
}

}  // namespace tally::detail
