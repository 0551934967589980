#include "worker/domain_run.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include <tally/detail/report_kinds.h>

#include "bulk/before_text.h"
#include "reports/report_comparison.h"
#include "time/saturating.h"
#include "worker/marker.h"

namespace tally::detail {

namespace {

constexpr std::uint32_t deathsUntilParked = 3;
constexpr std::chrono::nanoseconds longestDeferral = std::chrono::years{100};
// One failed call is no outage.
constexpr std::chrono::seconds troubleUntilTold{1};
constexpr std::chrono::seconds troubleInterval{60};
constexpr std::chrono::seconds maintenanceBegins{10};
constexpr std::chrono::milliseconds commitInterval{5};
constexpr std::size_t mostWaitingPerCall = 4;  // reports that wait for a commit, for each call in flight

LaneOptions laneOptions(const OutboxOptions& options) {
  return {.window = options.window,
          .maxInFlight = options.maxInFlight,
          .retryTimeout = saturatingNanoseconds(options.retryTimeout),
          .gracePeriod = saturatingNanoseconds(options.gracePeriod),
          .readBefore = options.readBefore};
}

ReportAllOptions sendingOptions(const OutboxOptions& options) {
  ReportAllOptions sending;
  sending.maxInFlight = options.maxInFlight;
  return sending;
}

std::string findingOf(const std::string& outcome, const std::string& reason) {
  return outcome + (reason.empty() ? "" : ": ") + reason;
}

/// A proxy that asks for credentials knows nothing of the key.
bool refusesKey(const Error& error) {
  return error.kind() == ErrorKind::authentication && error.isFromService();
}

}  // namespace

DomainRun::DomainRun(const Client& client, DomainStore& store, const Lease& lease, Waker& waker,
                     const OutboxDomain& domain, const OutboxOptions& options, PollIntervals intervals)
    : store_(store),
      lease_(lease),
      waker_(waker),
      domain_(domain),
      options_(options),
      intervals_(intervals),
      sending_(sendingOptions(options)),
      sender_(client, sending_),
      lanes_(*sender_.core().options().clock, sender_.core().options().backoff,
             sender_.core().options().jitterSeed.value_or(0), sender_, *this, laneOptions(options)),
      maintenance_(store, options, domain.name, now() + maintenanceBegins) {}

Instant DomainRun::now() const {
  return sender_.core().options().clock->now();
}

void DomainRun::emit(OutboxEvent::Kind kind, const Head& head, std::string reason) const {
  if (!options_.onEvent) return;
  options_.onEvent({.kind = kind,
                    .domain = domain_.name,
                    .report = head.id,
                    .object = head.object,
                    .reason = std::move(reason)});
}

std::optional<DomainRun::End> DomainRun::round(const StopToken& stopToken) {
  checkStop(stopToken);
  lanes_.checkTimes();
  tellTrouble();
  try {
    if (!end_ && isReadDue()) read();
    if (!end_) maintenance_.perform(now());
  } catch (const SessionOver&) {
    lose();
  } catch (const OutboxError& error) {
    stop(End::inTrouble, error.what());
  }
  admit();
  lanes_.begin();
  if (isCommitDue()) commit();
  if (lanes_.isStopping() && !end_) stopLike();
  if (!end_ || inLanes_ != 0) return std::nullopt;
  commit();  // of what was given up
  return end_;
}

void DomainRun::wait(Instant timer) {
  const Instant commitBy = waitingForCommit() != 0 ? nextCommit_ : Instant::max();
  const Instant until = std::min(end_ ? timer : std::min({nextRead_, maintenance_.due(), timer}), commitBy);
  if (lanes_.isBusy()) {
    lanes_.wait(until, waker_.token(), until);
  } else if (!end_) {
    (void)sender_.core().options().clock->sleepUntil(until, waker_.token());
  }
  if (waker_.reset()) nextRead_ = Instant::min();
}

std::optional<Instant> DomainRun::due() const {
  if (lanes_.isBusy()) return std::nullopt;
  return end_ ? Instant::min() : std::min(nextRead_, maintenance_.due());
}

// ---- The end

void DomainRun::checkStop(const StopToken& stopToken) {
  if (stopToken.stop_requested()) stop(End::stopped, "");
  if (!lease_.covers(std::chrono::nanoseconds{0})) lose();
}

/// As the lanes have stopped.
void DomainRun::stopLike() {
  if (isUnauthorized_) return stop(End::paused, lanes_.problem());
  const bool mayBegin = lease_.covers(sender_.core().options().timeout);
  stop(End::inTrouble, mayBegin ? lanes_.problem() : "no heartbeat has been answered in time");
}

/// The first end is the one that counts, but that of losing the domain.
void DomainRun::stop(End end, std::string problem) {
  if (end_) return;
  end_ = end;
  problem_ = std::move(problem);
  lanes_.stop(problem_);
  for (const auto* queue : {&normal_, &low_})
    for (const std::uint64_t id : *queue)
      drop(id);
  normal_.clear();
  low_.clear();
}

/// What has been learned so far may not be written any more, but as a hint.
void DomainRun::lose() {
  if (end_ == End::lost) return;
  stop(End::lost, "another worker may own the domain");
  end_ = End::lost;
  for (const Outcome& one : std::exchange(batch_.outcomes, {}))
    late_.push_back({.report = one.report, .finding = findingOf(one.outcome, one.reason)});
}

/// That no report gets through is otherwise silent until they are put off.
void DomainRun::tellTrouble() {
  const auto& trouble = lanes_.trouble();
  if (!trouble || end_ || now() < saturatingAdd(trouble->since, troubleUntilTold) || now() < nextTrouble_)
    return;
  nextTrouble_ = now() + troubleInterval;
  emit(OutboxEvent::Kind::trouble, {}, trouble->reason);
}

// ---- What is to be sent

bool DomainRun::isReadDue() const {
  return now() >= nextRead_ || (isHungry_ && items_.size() <= options_.window / 2);
}

/// Half of the window is for reports of low priority, so that normal ones find room.
void DomainRun::read() {
  const std::size_t room = options_.window > items_.size() ? options_.window - items_.size() : 0;
  const std::size_t half = std::max<std::size_t>(options_.window / 2, 1);
  const std::size_t lowRoom = low_.size() < half ? half - low_.size() : 0;
  DomainNews news = store_.read(room, std::min(room, lowRoom));
  isHungry_ = !news.isComplete || room == 0;
  const bool isBusy = !news.heads.empty() || !items_.empty();
  nextRead_ = now() + (isBusy ? intervals_.busy : intervals_.idle);
  if (news.paused) return stop(End::paused, *std::move(news.paused));
  for (const std::uint64_t id : news.urgent)
    if (const auto item = items_.find(id); item != items_.end()) hasten(item->second.head);
  moveHastened();
  take(std::move(news.heads));
  carryOut(news.requests);
}

void DomainRun::take(std::vector<Head> heads) {
  for (Head& head : heads)
    take(std::move(head));
  moveHastened();
}

void DomainRun::take(Head head) {
  const std::uint64_t id = head.id;
  OnObject& others = onObjects_[head.object];
  // What is being sent on the object comes first, and is looked at later.
  if (head.isRecheck && others.items != 0) return;
  const auto [found, isNew] = items_.try_emplace(id);
  if (isNew) ++others.items;
  Item& item = found->second;
  item.head = std::move(head);
  item.row.number = id;
  const auto fault = prepare(item);
  if (fault) item.row.reason = "this version can't send it: " + *fault;
  if (item.head.isRecheck) {
    others.recheck = id;
    item.row.pending = fault.has_value();
    if (fault || item.row.action != Action::resolve) return rechecked(item);
    return enqueue(item);
  }
  if (item.head.isCanceled && !item.head.mayHaveBeenSent) return conclude(item, "canceled", "");
  if (item.head.deaths >= deathsUntilParked) return park(item);
  if (fault) return putOff(item, options_.lease);
  Item* const recheck = recheckOn(item.head.object);
  if (recheck == nullptr) return enqueue(item);
  recheck->heldBack = id;
  item.isHeldBack = true;
  if (item.head.priority == ReportPriority::normal) hasten(item.head);
}

void DomainRun::enqueue(const Item& item) {
  (item.head.priority == ReportPriority::normal ? normal_ : low_).push_back(item.head.id);
}

/// What waits on the object makes way for a normal report: a recheck, and then the head that it holds back.
void DomainRun::hasten(Head& head) {
  head.priority = ReportPriority::normal;
  if (Item* const recheck = recheckOn(head.object)) recheck->head.priority = ReportPriority::normal;
  areHastened_ = true;
}

/// All at once, since many reports of low priority may wait.
void DomainRun::moveHastened() {
  if (!std::exchange(areHastened_, false)) return;
  std::erase_if(low_, [&](std::uint64_t id) {
    if (items_.at(id).head.priority != ReportPriority::normal) return false;
    normal_.push_back(id);
    return true;
  });
}

/// Null if there is none that has not ended.
DomainRun::Item* DomainRun::recheckOn(const std::string& object) {
  const auto found = onObjects_.find(object);
  return found == onObjects_.end() || found->second.recheck == 0 ? nullptr
                                                                 : &items_.at(found->second.recheck);
}

void DomainRun::drop(std::uint64_t id) {
  const auto item = items_.find(id);
  if (item == items_.end()) return;
  const auto others = onObjects_.find(item->second.head.object);
  if (others->second.recheck == id) others->second.recheck = 0;
  if (--others->second.items == 0) onObjects_.erase(others);
  items_.erase(item);
}

/// Sets the call that sends the report. Returns why this client can't send it. Whoever enqueued the report
/// has checked it, so a newer version can send it, and may have done so.
std::optional<std::string> DomainRun::prepare(Item& item) const {
  BulkRow& row = item.row;
  auto report = Report::fromText(item.head.contents);
  if (!report) return report.error().toString();
  row.report = std::move(report).value();
  mark(row.report, domain_, item.head);
  auto prepared = prepareReport(row.report);
  if (const auto* fault = std::get_if<ParameterFault>(&prepared)) return fault->param + ' ' + fault->what;
  row.prepared = std::move(std::get<PreparedReport>(prepared));
  if (!item.head.account.empty()) row.connectedAccount = &item.head.account;
  row.before = objectBefore(item.head.before, row.resource());
  if (const auto last = objects_.find(item.head.object);
      !item.head.isRecheck && !row.before && last != objects_.end() &&
      options_.readBefore != ReadBefore::never && !row.isAboutOther(*last->second))
    row.before = last->second;
  if (item.head.mayHaveBeenSent && row.isVisible()) {
    row.action = Action::resolve;
    const bool isAttemptKnown = row.before || !row.report.attempt.empty();
    item.isDoubtful = item.head.isRecheck ? isAttemptKnown : !row.before;
  }
  return std::nullopt;
}

/// Reports of low priority wait until few others are in the lanes. What may have been sent is resolved once
/// this worker has appended an intent too; what was applied has one.
void DomainRun::admit() {
  while (!normal_.empty())
    admit(normal_);
  while (!low_.empty() && inLanes_ < options_.maxInFlight)
    admit(low_);
}

void DomainRun::admit(std::deque<std::uint64_t>& queue) {
  Item& item = items_.at(queue.front());
  queue.pop_front();
  ++inLanes_;
  if (item.row.action != Action::resolve || item.head.isRecheck) return lanes_.enqueue(item.row);
  batch_.intents.push_back({.report = item.head.id, .before = item.head.before});
  again_.push_back(item.head.id);
}

// ---- What people ask for

/// A request about a report that has just ended is skipped: a later poll finds it again.
void DomainRun::carryOut(const std::vector<OpenRequest>& requests) {
  std::vector<std::uint64_t> others;
  for (const OpenRequest& request : requests) {
    if (std::ranges::find(ended_, request.report) != ended_.end()) continue;
    const auto item = items_.find(request.report);
    if (item == items_.end()) {
      others.push_back(request.id);
    } else if (request.isCancel) {
      cancel(item->second, request);
    } else {
      store_.answer(request.id, "it is being sent");
    }
  }
  if (!others.empty()) take(store_.carryOut(others));
}

/// So is one about a report that is between two calls.
void DomainRun::cancel(Item& item, const OpenRequest& request) {
  BulkRow& row = item.row;
  if (row.intended || item.head.mayHaveBeenSent)
    return store_.answer(request.id, "too late: it may have been sent");
  if (std::erase(normal_, row.number) + std::erase(low_, row.number) != 0)
    return conclude(item, "canceled", "");
  if (item.isHeldBack || row.calling != nullptr || row.failures != 0) return;
  item.isCanceled = true;
  lanes_.withdraw(row, {.end = ReportEnd::refused});
}

// ---- The outcome

/// The object before the report is only recorded if its attempt is needed: it would be most of what is
/// written. Otherwise, the next worker recognizes by its marker that the object still shows an earlier
/// report.
bool DomainRun::intend(BulkRow& row) {
  batch_.intents.push_back(
      {.report = row.number, .before = row.report.attempt.empty() ? textOfBefore(row.before) : ""});
  intended_.push_back(&row);
  return false;
}

void DomainRun::ended(BulkRow& row) {
  Item& item = items_.at(row.number);
  --inLanes_;
  isUnauthorized_ = isUnauthorized_ || (row.error && refusesKey(*row.error));
  if (item.isCanceled) return conclude(item, "canceled", "");
  if (row.end == ReportEnd::unknown && !row.pending && maySendDoubtful(item)) return beginAgain(row);
  if (item.head.isRecheck) return rechecked(item);
  if (mayBeApplied(item)) return lookAgain(item);
  if (row.pending) return putOff(item);
  if (isOnlyRefused(item)) return conclude(item, std::string{toString(ReportEnd::refused)}, item.refusal);
  if (row.end == ReportEnd::applied) objects_[item.head.object] = row.object;
  if (row.end == ReportEnd::applied && item.head.mayHaveBeenSent && end_ != End::lost)
    batch_.suspicions.push_back({.object = item.head.object, .delay = options_.lease});
  conclude(item, std::string{toString(row.end)}, row.reason);
}

/// The read that has resolved nothing shows that the report was not applied, or is no longer, and serves as
/// the object before it.
bool DomainRun::maySendDoubtful(Item& item) {
  BulkRow& row = item.row;
  if (!std::exchange(item.isDoubtful, false) || lanes_.isStopping() || !row.object) return false;
  const bool isUntouched = !item.head.isRecheck && row.facts.status == ReportStatus::notApplied &&
                           row.facts.noResendReason == NoResendReason::checkOnly;
  if (!isUntouched && !showsEarlier(item)) return false;
  item.isSentAgain = true;
  BulkRow again;
  again.number = row.number;
  again.inTurn = row.inTurn;  // so that the lanes end it
  again.report = std::move(row.report);
  again.prepared = std::move(row.prepared);
  again.connectedAccount = row.connectedAccount;
  again.before = std::move(row.object);
  row = std::move(again);
  return true;
}

/// The predecessor's request may have arrived just before this one, which the service then refuses because of
/// what that has changed.
bool DomainRun::mayBeApplied(const Item& item) {
  return item.isSentAgain && item.row.end == ReportEnd::refused && item.row.action == Action::send;
}

/// If the run is ending, the next one looks.
void DomainRun::lookAgain(Item& item) {
  if (lanes_.isStopping()) return putOff(item);
  item.refusal = item.row.reason;
  item.row.action = Action::resolve;
  beginAgain(item.row);
}

void DomainRun::beginAgain(const BulkRow& row) {
  again_.push_back(row.number);
  ++inLanes_;
}

/// Once it has looked again: whether the object shows by its marker that only the service has refused it.
bool DomainRun::isOnlyRefused(const Item& item) const {
  const BulkRow& row = item.row;
  if (item.refusal.empty() || row.end != ReportEnd::unknown || !row.object) return false;
  const std::string own = markerIn(row.report, domain_.markerKey);
  return !own.empty() && markerOn(*row.object, domain_.markerKey) != own;
}

/// Whether the object shows a report before this one, by the marker of each.
bool DomainRun::showsEarlier(const Item& item) const {
  const auto markerOfReport = [&](const std::string& key, std::uint32_t retry) {
    return markerOf(domain_.name, key, retry);
  };
  const std::string own = markerOfReport(item.head.key, item.head.retry);
  if (item.row.facts.noResendReason != NoResendReason::otherReport ||
      markerIn(item.row.report, domain_.markerKey) != own)
    return false;
  const std::string shown = markerOn(*item.row.object, domain_.markerKey);
  return shown != own && std::ranges::any_of(item.head.earlier, [&](const MarkedReport& one) {
           return markerOfReport(one.key, one.retry) == shown;
         });
}

/// What it held back proceeds.
void DomainRun::rechecked(Item& item) {
  onObjects_.at(item.head.object).recheck = 0;
  item.head.isRecheck = false;
  ended_.push_back(item.head.id);
  if (item.row.pending) {
    recheckLater(item);
  } else if (end_ != End::lost) {
    judge(item);
  }
  if (const auto next = items_.find(item.heldBack); next != items_.end()) proceed(next->second, item.row);
}

/// Otherwise, the object would be read again immediately. Once the run is ending, the next one does.
void DomainRun::recheckLater(const Item& item) {
  if (lanes_.isStopping()) return;
  batch_.suspicions.push_back(
      {.object = item.head.object,
       .delay = std::clamp<std::chrono::nanoseconds>(saturatingNanoseconds(options_.retryTimeout),
                                                     options_.lease, longestDeferral)});
}

/// If the object does not show the last report that was applied, and that could not be sent again, a person
/// has to know.
void DomainRun::judge(const Item& item) {
  const BulkRow& row = item.row;
  const bool isRepaired = row.end == ReportEnd::applied && (item.isSentAgain || row.facts.resends > 0);
  if (isRepaired) batch_.suspicions.push_back({.object = item.head.object, .delay = options_.lease});
  if (!isRepaired) batch_.rechecked.push_back(item.head.object);
  if (!isRepaired && !isOverwritten(item)) return;
  const std::string finding =
      isRepaired ? "a late request undid it, so the report was sent again"
                 : "a late request undid it, or was applied to another attempt: " + row.reason;
  batch_.findings.push_back({.report = item.head.id, .finding = finding});
  emit(isRepaired ? OutboxEvent::Kind::reportRepaired : OutboxEvent::Kind::reportOverwritten, item.head,
       finding);
}

void DomainRun::proceed(Item& next, const BulkRow& recheck) {
  BulkRow& row = next.row;
  next.isHeldBack = false;
  if (recheck.pending) {
    row.reason = "an earlier report on the object is being rechecked: " + recheck.reason;
    return putOff(next);
  }
  const bool isKnown = recheck.end == ReportEnd::applied && options_.readBefore != ReadBefore::never &&
                       !row.isAboutOther(*recheck.object);
  row.before = isKnown ? recheck.object : nullptr;
  enqueue(next);
}

/// What another client of the account has reported carries the marker of the last report, like the object
/// before. An attempt that nobody has reported on shows no report.
bool DomainRun::isOverwritten(const Item& item) const {
  const BulkRow& row = item.row;
  if (row.end == ReportEnd::applied) return false;
  if (item.isSentAgain) return true;
  if (!row.object) return false;
  if (compareReport(*row.prepared.operation, std::as_const(row.prepared.params).ref(), row.object->ref(), {})
          .maySend())
    return false;
  return row.facts.noResendReason == NoResendReason::otherAttempt ||
         row.facts.noResendReason == NoResendReason::sentToOtherAttempt ||
         markerOn(*row.object, domain_.markerKey) != markerIn(row.report, domain_.markerKey);
}

/// The outcome is final once it is durable.
void DomainRun::conclude(Item& item, std::string outcome, std::string reason) {
  if (end_ == End::lost) {
    late_.push_back({.report = item.head.id, .finding = findingOf(outcome, reason)});
  } else {
    batch_.outcomes.push_back({.report = item.head.id,
                               .object = item.head.object,
                               .outcome = std::move(outcome),
                               .reason = std::move(reason)});
  }
  ended_.push_back(item.head.id);
}

/// Once the run is ending, the next one finds it without this.
void DomainRun::putOff(Item& item, std::chrono::nanoseconds least) {
  if (!lanes_.isStopping()) {
    const auto delay = std::max(saturatingNanoseconds(options_.retryTimeout), least);
    batch_.deferrals.push_back({.report = item.head.id, .delay = std::min(delay, longestDeferral)});
    emit(OutboxEvent::Kind::reportDeferred, item.head, item.row.reason);
  }
  ended_.push_back(item.head.id);
}

void DomainRun::park(Item& item) {
  batch_.parkings.push_back(
      {.report = item.head.id,
       .reason = std::to_string(item.head.deaths) + " workers died while they were sending it"});
  emit(OutboxEvent::Kind::reportParked, item.head, batch_.parkings.back().reason);
  ended_.push_back(item.head.id);
}

/// A transaction costs as much as many reports, so soon after one, the next waits for more of them. It does
/// not wait if so few calls are in flight that the service would soon be idle.
bool DomainRun::isCommitDue() const {
  return lanes_.isStopping() || now() >= nextCommit_ ||
         waitingForCommit() >= mostWaitingPerCall * lanes_.inFlight();
}

std::size_t DomainRun::waitingForCommit() const noexcept {
  return intended_.size() + ended_.size() + again_.size();
}

void DomainRun::commit() {
  if (lanes_.isStopping()) batch_.intents.clear();  // they are not sent
  std::vector<Head> next;
  if (!batch_.empty() && end_ != End::lost) {
    try {
      next = store_.write(batch_);
      nextCommit_ = saturatingAdd(now(), commitInterval);
      tellOutcomes();
      isDurable_ = true;
    } catch (const SessionOver&) {
      lose();
    } catch (const OutboxError& error) {
      isDurable_ = false;
      stop(End::inTrouble, error.what());
    }
  }
  const bool mayStart = isDurable_ && !lanes_.isStopping();
  isDurable_ = true;
  batch_ = {};
  if (!late_.empty()) store_.writeLate(std::exchange(late_, {}));
  releaseEnded();
  startIntended(mayStart);
  if (!end_) take(std::move(next));
  objects_.clear();
}

/// A report whose intent is not durable is not sent.
void DomainRun::startIntended(bool mayStart) {
  for (BulkRow* row : std::exchange(intended_, {})) {
    row->intended = true;
    if (mayStart && lease_.covers(std::chrono::nanoseconds{0})) {
      lanes_.start(*row);
    } else {
      lanes_.giveUp(*row, "its intent is not durable");
    }
  }
  for (const std::uint64_t id : std::exchange(again_, {})) {
    BulkRow& row = items_.at(id).row;
    if (mayStart) {
      lanes_.enqueue(row);
    } else {
      --inLanes_;
      drop(id);
    }
  }
}

void DomainRun::releaseEnded() {
  for (const std::uint64_t id : std::exchange(ended_, {})) {
    const auto item = items_.find(id);
    if (item == items_.end()) continue;
    lanes_.forget(item->second.head.object);
    drop(id);
  }
}

void DomainRun::tellOutcomes() const {
  if (!options_.onEvent) return;
  constexpr std::array kinds{std::pair{"applied", OutboxEvent::Kind::reportApplied},
                             std::pair{"refused", OutboxEvent::Kind::reportRefused},
                             std::pair{"unknown", OutboxEvent::Kind::reportUnknown},
                             std::pair{"canceled", OutboxEvent::Kind::reportCanceled}};
  for (const Outcome& one : batch_.outcomes)
    for (const auto& [name, kind] : kinds)
      if (one.outcome == name) emit(kind, {.id = one.report, .object = one.object}, one.reason);
}

}  // namespace tally::detail
