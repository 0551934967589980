#include "bulk/bulk_job.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "attempt/backoff_delay.h"
#include "json/json_reader.h"
#include "json/json_writer.h"
#include "text/random.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

constexpr const char* undecidedObject = "an earlier report on the same object is undecided";

/// Whether a report on an object of this resource leaves a trace that a read finds.
bool isVisible(const Resource& resource) {
  return resource.machine != nullptr && resource.machine->retrieve != nullptr;
}

bool mustRead(const BulkRow& row, ReadBefore when) {
  if (!isVisible(row.resource()) || row.before || when == ReadBefore::never) return false;
  return when == ReadBefore::always || row.report.attempt.empty();
}

std::string_view attemptIn(const BulkRow& row, const AnyObject& object) {
  return ownerOfStates(row.resource(), object.ref());
}

/// Whether the object is about another attempt than the report.
bool isOtherAttempt(const BulkRow& row, const AnyObject& object) {
  return isVisible(row.resource()) && !row.report.attempt.empty() &&
         attemptIn(row, object) != row.report.attempt;
}

std::string jsonOf(const std::shared_ptr<const AnyObject>& object) {
  std::string json;
  if (object) writeJson(json, object->ref());
  return json;
}

/// The next report on the object keeps it to compare with, and reads only its fields.
void dropResponse(AnyObject& object) {
  if (LastResponse* response = object.ref().lastResponse()) *response = {};
}

/// As the journal identifies a row.
std::string textOfRow(const Result<Report>& row) {
  return row ? row.value().toText() : row.error().toString();
}

/// The journal's row and that of the input are the same.
void requireSame(std::uint64_t number, const std::string& text, const std::string& journaled) {
  if (text == journaled) return;
  throw JournalError{"the journal is that of another input: row " + std::to_string(number) + " was " +
                     journaled};
}

JournalError ofLongerInput(std::uint64_t rows) {
  return JournalError{"the journal is that of another input, with more than " + std::to_string(rows) +
                      " rows"};
}

std::optional<RateLimitedReason> limitReasonOf(const Error& refusal) {
  return refusal.rateLimitedReason() ? refusal.rateLimitedReason()->known() : std::nullopt;
}

bool isOfConcurrency(const Error& refusal) {
  const auto reason = limitReasonOf(refusal);
  return reason == RateLimitedReason::globalConcurrency || reason == RateLimitedReason::endpointConcurrency;
}

/// More calls than requests in flight, to bridge the time of an fsync. Half of the window stays free, so that
/// outcomes and new intents share transactions.
std::size_t mostBegun(const ReportAllOptions& options) {
  constexpr std::size_t perRequest = 4;
  const std::size_t half = std::max<std::size_t>(options.window / 2, 1);
  return options.maxInFlight > half / perRequest ? half : perRequest * options.maxInFlight;
}

/// Reads the report and its call from an intent. Returns what is wrong with it.
std::optional<std::string> restore(BulkRow& row, const JournalIntent& intent) {
  auto report = Report::fromText(intent.report);
  if (!report) return report.error().toString();
  row.report = std::move(report).value();
  auto prepared = prepareReport(row.report);
  if (const auto* fault = std::get_if<ParameterFault>(&prepared)) return fault->param + ' ' + fault->what;
  row.prepared = std::move(std::get<PreparedReport>(prepared));
  return std::nullopt;
}

/// The object in an intent; null if there is none that can be read. The report is then resolved with what
/// else is known.
std::shared_ptr<const AnyObject> objectIn(const JournalIntent& intent, const Resource& resource) {
  if (intent.before.empty()) return nullptr;
  auto object = std::make_shared<AnyObject>(*resource.model);
  return readJson(intent.before, object->ref()) ? nullptr : object;
}

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

}  // namespace

BulkJob::BulkJob(const Clock& clock, const Backoff& backoff, std::uint64_t jitterSeed, BulkRows& rows,
                 ReportSender& sender, const ReportSource& source, const ReportAllOptions& options,
                 const ReportCallback& onResult)
    : clock_(clock),
      backoff_(backoff),
      random_(jitterSeed),
      sender_(sender),
      input_(source),
      options_(options),
      onResult_(onResult),
      journal_(options.journal ? std::optional<GuardedJournal>{std::in_place, *options.journal, failure_}
                               : std::nullopt),
      meter_(options, clock.now()),
      earlier_(journal_ ? &*journal_ : nullptr),
      rows_(rows),
      global_(backoff),
      compared_(!journal_),
      intentsTaken_(!journal_),
      maxBegun_(std::min(options.maxInFlight, mostBegun(options))),
      lastSuccess_(clock.now()) {}

ReportSummary BulkJob::run() {
  try {
    work();
  } catch (...) {
    if (!failure_) throw;
  }
  if (failure_) std::rethrow_exception(failure_);
  return {.progress = meter_.progress(now(), rows_.size()),
          .stopped = options_.stop.stop_requested(),
          .problem = problem_,
          .isComplete = inputEnded_ && problem_.empty() && openRows_ == 0};
}

void BulkJob::work() {
  do {
    round();
  } while (!hasEnded());
  (void)commit();  // of what was given up; no result depends on it
  tellProgress();
}

void BulkJob::round() {
  checkStop();
  fill();
  beginQueued();
  send(commit());
  deliver();
  if (meter_.isDue(now())) tellProgress();
  if (!canFill() && (calls_ != 0 || nextOpening(now()) != Instant::max())) awaitCalls();
}

bool BulkJob::hasEnded() const {
  return rows_.empty() && (inputEnded_ || stopping_);
}

// ---- The input

void BulkJob::fill() {
  try {
    if (!compared_) compareFirst();
    if (!compared_) return;
    fillFromJournal();
    intentsResolved_ = intentsResolved_ || (intentsTaken_ && rows_.empty());
    if (intentsResolved_) fillFromInput();
  } catch (const JournalError& error) {
    stop(error.what());
  }
}

/// A journal of another input is recognised before anything is sent. The rows before its first one ended
/// without a trace: they were not sent, and stayed open.
void BulkJob::compareFirst() {
  if (const auto first = firstIn(*journal_)) {
    while (input_.rowsAhead() <= first->number) {
      if (options_.stop.stop_requested() || !readAhead()) return;
    }
    requireSame(first->number, textOfRow(input_.lastAhead()), first->text);
  }
  compared_ = true;
}

/// False if the input throws.
bool BulkJob::readAhead() {
  try {
    if (input_.readAhead()) return true;
  } catch (...) {
    caught();
    return false;
  }
  throw ofLongerInput(input_.rowsAhead());
}

/// The reports that an earlier run may have sent come first: until they are resolved, nothing is known about
/// their objects.
void BulkJob::fillFromJournal() {
  while (!intentsTaken_ && hasRoom()) {
    const auto intents = journal_->intents(nextIntent_, options_.window - rows_.size());
    for (const JournalIntent& intent : intents)
      resume(intent);
    intentsTaken_ = intents.empty();
  }
}

bool BulkJob::canFill() const {
  return hasRoom() && !inputEnded_ && (!intentsTaken_ || intentsResolved_);
}

void BulkJob::resume(const JournalIntent& intent) {
  if (intent.row < nextIntent_)
    throw JournalError{"the journal returns row " + std::to_string(intent.row) + " out of order"};
  nextIntent_ = intent.row + 1;
  resumed_.emplace(intent.row, intent.report);
  BulkRow& row = rows_[intent.row];
  row.number = intent.row;
  row.text = intent.report;
  row.action = Action::resolve;
  row.intended = true;
  if (const auto fault = restore(row, intent))
    return end(row, {.end = ReportEnd::unknown,
                     .reason = "the journal is damaged at row " + std::to_string(intent.row) +
                               ", so it can't be found out whether the report was applied: " + *fault});
  row.before = objectIn(intent, row.resource());
  enqueue(row);
}

void BulkJob::fillFromInput() {
  while (!inputEnded_ && hasRoom()) {
    auto report = nextRow();
    if (!report) return checkEnd();
    take(*std::move(report));
    if (meter_.isDue(now())) tellProgress();
    if (options_.stop.stop_requested()) return;
  }
}

/// Nothing at the end, and if the input throws.
std::optional<Result<Report>> BulkJob::nextRow() {
  try {
    auto row = input_.next();
    inputEnded_ = !row;
    return row;
  } catch (...) {
    caught();
    return std::nullopt;
  }
}

void BulkJob::take(Result<Report>&& report) {
  const std::uint64_t number = next_++;
  BulkRow row;
  row.number = number;
  row.text = textOfRow(report);
  if (report) row.report = std::move(report.assume_value());
  if (wasResumed(row) || endedEarlier(row)) return;
  BulkRow& held = rows_[number] = std::move(row);
  if (!report) {
    held.error = report.assume_error();
  } else {
    auto prepared = prepareReport(held.report);
    if (const auto* fault = std::get_if<ParameterFault>(&prepared)) {
      held.error = invalidReport(*fault);
    } else {
      held.prepared = std::move(std::get<PreparedReport>(prepared));
      return enqueue(held);
    }
  }
  end(held, {.end = ReportEnd::refused, .reason = held.error->toString()});
}

/// Its result has been delivered.
bool BulkJob::wasResumed(const BulkRow& row) {
  const auto resumed = resumed_.extract(row.number);
  if (resumed.empty()) return false;
  requireSame(row.number, row.text, resumed.mapped());
  return true;
}

bool BulkJob::endedEarlier(const BulkRow& row) {
  const JournalOutcome* outcome = earlier_.find(row.number);
  if (outcome == nullptr) return false;
  requireSame(row.number, row.text, outcome->report);
  if (outcome->end == ReportEnd::unsent) return false;
  meter_.count(outcome->end, true);
  tell({.row = row.number,
        .report = row.report,
        .end = outcome->end,
        .fromEarlierRun = true,
        .reason = outcome->reason});
  return true;
}

void BulkJob::checkEnd() {
  if (!inputEnded_ || !journal_) return;
  if (!resumed_.empty() || !journal_->outcomes(next_, 1).empty()) throw ofLongerInput(next_);
}

// ---- Turns and places

void BulkJob::enqueue(BulkRow& row) {
  auto& turn = turns_[row.report.id];
  turn.push_back(&row);
  if (turn.size() == 1) turnComes(row, nullptr);
}

/// `object`: as the report before this one has left it.
void BulkJob::turnComes(BulkRow& row, std::shared_ptr<const AnyObject> object) {
  row.inTurn = true;
  if (undecided_.contains(row.report.id) && row.action != Action::resolve)
    return giveUp(row, undecidedObject);
  if (row.action != Action::resolve) {
    if (object && options_.readBefore != ReadBefore::never && !isOtherAttempt(row, *object))
      row.before = std::move(object);
    if (mustRead(row, options_.readBefore)) row.action = Action::read;
  }
  queue(row);
}

void BulkJob::turnEnds(BulkRow& row) {
  if (!row.inTurn) return;
  const auto turn = turns_.find(row.report.id);
  auto& others = turn->second;
  others.pop_front();
  if (row.pending) undecided_.insert(row.report.id);
  // A loop, since there may be many.
  for (; row.pending && !others.empty() && others.front()->action != Action::resolve; others.pop_front())
    finish(*others.front(), {.end = ReportEnd::unsent, .pending = true, .reason = undecidedObject});
  if (others.empty()) {
    turns_.erase(turn);
  } else {
    turnComes(*others.front(), row.end == ReportEnd::applied ? row.object : nullptr);
  }
}

void BulkJob::queue(BulkRow& row) {
  if (stopping_ && row.action != Action::resolve) return giveUp(row, "the job was stopped");
  row.queued = now();
  laneOf(row).waiting.push_back(&row);
}

/// To resolve a report takes a read, and perhaps the report.
Lane& BulkJob::laneOf(const BulkRow& row) {
  const AnyOperation& operation =
      row.action == Action::read ? *row.resource().machine->retrieve : *row.prepared.operation;
  Lane& lane = lanes_[{&operation, row.action}];
  if (lane.gates.empty()) {
    lane.gates = {&global_, &gateOf(row.resource()), &gateOf(operation)};
    if (row.action == Action::resolve && isVisible(row.resource()))
      lane.gates.push_back(&gateOf(*row.resource().machine->retrieve));
  }
  return lane;
}

LimitGate& BulkJob::gateOf(const Resource& resource) {
  return ofResources_.try_emplace(&resource, backoff_).first->second;
}

LimitGate& BulkJob::gateOf(const AnyOperation& operation) {
  return ofOperations_.try_emplace(&operation, backoff_).first->second;
}

bool BulkJob::hasPlace(const Lane& lane) const {
  return lane.begun < maxBegun_ && !lane.waiting.empty();
}

/// The lane whose next call has waited longest, among those that may begin one.
Lane* BulkJob::nextLane(Instant time) {
  const bool heedsGates = !stopResolving_.stop_requested();
  const auto isOpen = [&](const LimitGate* gate) { return !heedsGates || gate->isOpen(time); };
  const auto place = [](const Lane& lane) {
    return std::pair{lane.waiting.front()->queued, lane.waiting.front()->number};
  };
  Lane* first = nullptr;
  for (auto& [kind, lane] : lanes_)
    if (hasPlace(lane) && std::ranges::all_of(lane.gates, isOpen) &&
        (first == nullptr || place(lane) < place(*first)))
      first = &lane;
  return first;
}

/// When a limit lets the next call begin, if no call ends before.
Instant BulkJob::nextOpening(Instant time) const {
  Instant next = Instant::max();
  for (const auto& [kind, lane] : lanes_) {
    if (!hasPlace(lane)) continue;
    Instant opens = time;
    for (const LimitGate* gate : lane.gates)
      opens = std::max(opens, gate->opens(time));
    next = std::min(next, opens);
  }
  return next;
}

void BulkJob::beginQueued() {
  const Instant time = now();
  while (Lane* lane = nextLane(time)) {
    BulkRow& row = *lane->waiting.front();
    lane->waiting.pop_front();
    row.lane = lane;
    row.begun = time;
    // The time in which a limit delays a report does not count as trouble.
    if (row.failing) row.failing = saturatingAdd(*row.failing, saturatingSince(row.queued, time));
    ++lane->begun;
    for (LimitGate* gate : lane->gates)
      gate->begin(time);
    begin(row);
  }
}

void BulkJob::begin(BulkRow& row) {
  if (row.action == Action::send && !row.intended && journal_) {
    intents_.push_back({.row = row.number, .report = row.text, .before = jsonOf(row.before)});
    intended_.push_back(&row);
    return;
  }
  ++calls_;
  row.error.reset();
  if (row.action == Action::read) {
    sender_.read(row, stopCalls_.get_token());
  } else if (row.action == Action::send) {
    sender_.send(row, stopCalls_.get_token());
  } else {
    const bool attemptKnown = row.before || !row.report.attempt.empty();
    sender_.resolve(row, attemptKnown && !stopping_, stopResolving_.get_token());
  }
}

void BulkJob::leaveLane(BulkRow& row) {
  if (row.lane == nullptr) return;
  --row.lane->begun;
  for (LimitGate* gate : row.lane->gates)
    gate->end();
  row.lane = nullptr;
}

// ---- The journal and the caller

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
    stop(error.what());
  }
  intents_.clear();
  return durable;
}

/// A report whose intent is not durable is not sent. The journal may have the intent nevertheless: a
/// transaction can become durable and fail.
void BulkJob::send(bool durable) {
  for (BulkRow* row : std::exchange(intended_, {})) {
    row->intended = true;
    if (durable) {
      begin(*row);
    } else {
      giveUp(*row, "its intent could not be journaled");
    }
  }
}

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
    if (row.object) dropResponse(*row.object);
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

void BulkJob::tellProgress() {
  if (failure_) return;
  const ReportProgress progress = meter_.progress(now(), rows_.size());
  try {
    if (options_.onProgress) options_.onProgress(progress);
    if (options_.observer) options_.observer->onProgress(progress);
  } catch (...) {
    caught();
  }
}

// ---- What has ended

/// If all calls have ended by the time one is looked for, more of them at once are faster.
void BulkJob::awaitCalls() {
  const auto ended = sender_.wait({.until = std::min(meter_.due(), graceEnd_), .opening = nextOpening(now())},
                                  stopping_ ? StopToken{} : options_.stop);
  if (!ended.empty() && ended.size() == calls_) maxBegun_ = std::min(2 * maxBegun_, mostBegun(options_));
  calls_ -= ended.size();
  for (BulkRow* row : ended)
    callEnded(*row);
}

void BulkJob::callEnded(BulkRow& row) {
  if (row.lane == nullptr) return queue(row);  // a pause
  const Lane& lane = *row.lane;
  leaveLane(row);
  contact_.callEnded(row.error);
  notePasses(row, lane);
  if (row.action == Action::read) return read(row);
  if (row.action == Action::send) return sent(row);
  resolved(row);
}

void BulkJob::read(BulkRow& row) {
  if (row.error) return follow(row, afterFailedRead(*row.error));
  if (isOtherAttempt(row, *row.object))
    return end(row,
               {.end = ReportEnd::refused,
                .reason = "the object shows another attempt: " + std::string{attemptIn(row, *row.object)}});
  dropResponse(*row.object);
  row.before = std::move(row.object);
  row.action = Action::send;
  queue(row);
}

void BulkJob::sent(BulkRow& row) {
  if (row.error) return follow(row, afterFailedSend(*row.error, options_.request.extraParams));
  const bool onOther = isOtherAttempt(row, *row.object) ||
                       (row.before && attemptIn(row, *row.before) != attemptIn(row, *row.object));
  if (!onOther) return end(row, {});
  end(row, {.end = ReportEnd::unknown,
            .reason = "applied to another attempt: " + std::string{attemptIn(row, *row.object)}});
}

void BulkJob::resolved(BulkRow& row) {
  Verdict verdict =
      row.error ? afterFailedResolve(*row.error) : afterResolve(row.facts, options_.request.extraParams);
  if (!row.error && row.facts.error) row.error = row.facts.error;
  // The read alone decides nothing now, but a later run may send the report.
  if (stopping_ && verdict.end == ReportEnd::unknown && row.facts.noResendReason == NoResendReason::checkOnly)
    verdict.pending = true;
  follow(row, verdict);
}

void BulkJob::follow(BulkRow& row, Verdict verdict) {
  if (row.error) contact_.review(verdict, *row.error, row.failures);
  if (verdict.endsJob) stop(verdict.reason);
  if (verdict.next == Next::end) return end(row, verdict);
  if (verdict.next == Next::retry) return retry(row, verdict);
  if (!isVisible(row.resource())) return end(row, {.end = ReportEnd::unknown, .reason = verdict.reason});
  row.action = Action::resolve;
  queue(row);
}

/// What the service has processed, or refused for another reason than a limit, has passed its limits.
void BulkJob::notePasses(const BulkRow& row, const Lane& lane) {
  const bool resolves = row.action == Action::resolve;
  const Error* error = row.error ? &*row.error : nullptr;
  if (error == nullptr && resolves && row.facts.error) error = &*row.facts.error;
  if (error != nullptr && (error->status() < 400 || error->status() >= 500 || error->status() == 429)) return;
  const bool onlyRead = resolves && (row.error || row.facts.resends == 0);
  const LimitGate* const unused = onlyRead ? &gateOf(*row.prepared.operation) : nullptr;
  const Instant time = now();
  for (LimitGate* gate : lane.gates)
    if (gate != unused) gate->pass(time);
}

/// What is refused by a limit waits behind a gate, everything else on its own.
void BulkJob::retry(BulkRow& row, const Verdict& verdict) {
  if (row.error && row.error->kind() == ErrorKind::rateLimited) return holdBack(row, verdict);
  const Instant time = now();
  if (!row.failing) row.failing = time;
  if (saturatingSince(*row.failing, time) >= saturatingNanoseconds(options_.retryTimeout)) {
    if (lastSuccess_ <= *row.failing) stop("nothing succeeds any more: " + verdict.reason);
    return end(row, verdict);
  }
  if (stopping_ && row.action != Action::resolve) return end(row, verdict);
  pause(row);
}

void BulkJob::pause(BulkRow& row) {
  const Instant until =
      saturatingAdd(saturatingAdd(now(), backoffDelay(backoff_, ++row.failures, random_)), askedWait(row));
  ++calls_;
  sender_.pause(row, until,
                row.action == Action::resolve ? stopResolving_.get_token() : stopCalls_.get_token());
}

std::chrono::nanoseconds BulkJob::askedWait(const BulkRow& row) const {
  return row.error ? retryAfterDelay(backoff_, *row.error) : std::chrono::nanoseconds{0};
}

/// The retry timeout counts from the first refusal since a call last passed the limit, whichever reports
/// these were.
void BulkJob::holdBack(BulkRow& row, const Verdict& verdict) {
  LimitGate& gate = refusingGate(row);
  gate.refuse({.begun = row.begun,
               .concurrency = isOfConcurrency(*row.error),
               .retryAfter = askedWait(row),
               .jitter = nextFraction(random_)},
              now());
  const Instant since = *gate.blockedSince();
  if (saturatingSince(since, now()) >= saturatingNanoseconds(options_.retryTimeout)) {
    if (lastSuccess_ <= since) stop("nothing succeeds any more: " + verdict.reason);
    end(row, verdict);
    return giveUpBehind(gate, "no request passes the limit any more: " + verdict.reason);
  }
  if (stopping_ && row.action != Action::resolve) return end(row, verdict);
  queue(row);
}

/// The gate of the limit that the error is about.
LimitGate& BulkJob::refusingGate(const BulkRow& row) {
  const auto reason = limitReasonOf(*row.error);
  if (reason == RateLimitedReason::globalRate || reason == RateLimitedReason::globalConcurrency)
    return global_;
  if (reason == RateLimitedReason::resourceSpecific) return gateOf(row.resource());
  const bool ofRead =
      isVisible(row.resource()) && row.error->operation() == row.resource().machine->retrieve->name;
  return gateOf(ofRead ? *row.resource().machine->retrieve : *row.prepared.operation);
}

/// Otherwise each of them would wait for a refusal of its own.
void BulkJob::giveUpBehind(const LimitGate& gate, const std::string& why) {
  for (auto& [kind, lane] : lanes_) {
    if (std::ranges::find(lane.gates, &gate) == lane.gates.end()) continue;
    for (BulkRow* row : std::exchange(lane.waiting, {}))
      end(*row, {.end = row->action == Action::resolve ? ReportEnd::unknown : ReportEnd::unsent,
                 .pending = true,
                 .reason = why});
  }
}

void BulkJob::end(BulkRow& row, const Verdict& verdict) {
  leaveLane(row);
  finish(row, verdict);
  turnEnds(row);
}

void BulkJob::finish(BulkRow& row, const Verdict& verdict) {
  row.end = verdict.end;
  row.pending = verdict.pending;
  row.reason = verdict.reason;
  if (row.end == ReportEnd::applied) {
    lastSuccess_ = now();
    row.error.reset();
  }
  // An open report without an intent is as if it had not been read; with one, its outcome stays unknown.
  const bool isKnown = !row.pending || (row.intended && row.end == ReportEnd::unsent);
  if (journal_ && isKnown)
    outcomes_.push_back({.row = row.number, .end = row.end, .reason = row.reason, .report = row.text});
  ended_.push_back(&row);
}

void BulkJob::giveUp(BulkRow& row, std::string reason) {
  end(row, {.end = ReportEnd::unsent, .pending = true, .reason = std::move(reason)});
}

// ---- The end of the job

void BulkJob::checkStop() {
  if (options_.stop.stop_requested()) stop("");
  if (undecided_.size() > options_.window)
    stop("more than " + std::to_string(options_.window) + " objects have an undecided report");
  if (now() < graceEnd_) return;
  graceEnd_ = Instant::max();
  stopResolving_.request_stop();
}

/// In a handler of an exception of the application's code.
void BulkJob::caught() {
  if (!failure_) failure_ = std::current_exception();
  stop("an exception");
}

/// What has not been begun is given up; calls in flight end, or are resolved.
void BulkJob::stop(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  if (stopping_) return;
  stopping_ = true;
  graceEnd_ = saturatingAdd(now(), saturatingNanoseconds(options_.gracePeriod));
  stopCalls_.request_stop();
  for (auto& [kind, lane] : lanes_)
    for (BulkRow* row : std::exchange(lane.waiting, {}))
      queue(*row);
}

}  // namespace tally::detail
