#include "engine/request_processor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "accounts/read_allocation.h"
#include "engine/requested_fault.h"
#include "engine/respond.h"
#include "errors.h"
#include "json/json_reader.h"
#include "objects/account_objects.h"
#include "objects/objects.h"
#include "objects/reference_check.h"
#include "search/search_page.h"
#include "tables/schema_types.h"
#include "time/saturating.h"

namespace tally::fake::detail {

using tally::detail::saturatingAdd;
using tally::detail::saturatingSince;

namespace {

constexpr std::uint64_t searchStream = 5;

TransportFailure brokenConnection(std::string why) {
  return {.kind = TransportFailure::Kind::connection, .message = std::move(why)};
}

void recordDeparture(RequestContext& context, TransportFailure::Kind kind) {
  context.failure = {.kind = kind, .message = "the caller gave up while the request waited for the object"};
  context.departed = true;
}

/// Records that the caller gave up before the response. A request that never reached the service still counts
/// as not sent.
void recordLateness(RequestContext& context) {
  const bool mayHaveBeenSent = !context.failure || context.failure->mayHaveBeenSent;
  context.failure = {.kind = TransportFailure::Kind::timeout,
                     .mayHaveBeenSent = mayHaveBeenSent,
                     .message = "no response in time"};
}

/// Whether an operation changes the object in its path, and so needs its lock.
bool changesItsObject(const AnyOperation& operation) {
  return operation.kind == OperationKind::update || operation.kind == OperationKind::report;
}

/// An unknown cursor is refused before an unknown object in a filter.
Response listObjects(const ObjectRequest& request) {
  Response page = listPage(request.operation, request.type, request.collection, request.params);
  if (std::holds_alternative<Refusal>(page) || !request.params) return page;
  Fault unknown = checkReferences(request.params, request.visible);
  return unknown ? Response{*std::move(unknown)} : std::move(page);
}

std::string allowance(const Limit& limit, std::int64_t number) {
  std::string text = "the limit " + std::string{limit.name} + " allows " + std::to_string(number);
  if (limit.metric == LimitMetric::inProgress) return text + " in flight";
  return text + " in " + std::to_string(limit.window.count()) + " s";
}

void refuse(RequestContext& context, const Limit& limit, std::int64_t number) {
  context.limit = limit.name;
  context.response = Refusal{.response = &errors::rateLimit,
                             .detail = allowance(limit, number),
                             .rateLimitedReason = OpenEnum<RateLimitedReason>{limit.reason}.str()};
}

/// Other threads may advance the clock by hours before this request arrives. Shifts the deadline by that
/// delay, so the attempt has its full time from its arrival on.
Instant ownUntil(const SendLimits& limits, Instant now) {
  if (!limits.startedAt || *limits.startedAt >= now) return limits.deadline;
  return saturatingAdd(limits.deadline, saturatingSince(*limits.startedAt, now));
}

/// The limits that a request must pass in one account, and its application to them.
struct Share {
  ModeState& mode;
  Applicant applicant;
};

/// The accounts whose limits apply: the owner of the key, and, for some limits, the account it acts for.
std::array<Share, 2> sharesOf(const RequestContext& context) {
  const Applicant maker{.operation = context.operation(),
                        .id = context.object,
                        .params = context.arrival.params.object.ref(),
                        .now = context.arrived};
  Applicant actedFor = maker;
  actedFor.countsForConnectedAccount = true;
  return {{{context.caller.payerMode(), maker}, {context.caller.mode(), actedFor}}};
}

/// Identifies the caller. Returns false, with the response in `context`, if that fails.
bool authenticate(RequestContext& context) {
  auto authenticated = context.state->accounts.authenticate(context.arrival.head);
  if (auto* refusal = std::get_if<Refusal>(&authenticated)) {
    context.response = std::move(*refusal);
    return false;
  }
  context.caller = std::get<Caller>(authenticated);
  return true;
}

/// Returns false, with the response in `context`, if the path leads to no operation.
bool checkPath(RequestContext& context) {
  if (context.arrival.fault) context.response = *context.arrival.fault;
  return !context.arrival.fault;
}

/// Of the fault that the request asks for, and of those injected.
std::optional<FaultEffect> takeWithRequested(RequestContext& context, Moment moment) {
  RequestedFaults& counts = context.state->requestedFaults;
  const RequestedFault& requested = *context.requested;
  ArmedRule own = counts.arm(requested.request, requested.rule, context.arrived);
  context.target->own = &own;
  auto fault = context.state->rules.take(*context.target, moment);
  context.target->own = nullptr;
  counts.keep(requested.request, own, context.arrived);
  return fault;
}

/// Consumes an injected fault that fires at `moment`, unless one fired before.
void takeFault(RequestContext& context, Moment moment) {
  FaultRules& rules = context.state->rules;
  if (context.injected || (rules.empty() && !context.requested)) return;
  if (!context.target)
    context.target.emplace(FaultTarget{.operation = context.operation().name,
                                       .object = context.arrival.id,
                                       .parts = RequestParts{context.arrival.request},
                                       .arrived = context.arrived});
  auto fault = context.requested ? takeWithRequested(context, moment) : rules.take(*context.target, moment);
  if (!fault) return;
  context.rule = *std::move(fault);
  context.injected = true;
  context.injectedByHeader = context.rule.rule == 0;
}

/// Consumes a fault injected on arrival, if any. Returns true if it replaces the processing.
bool applyFault(RequestContext& context) {
  takeFault(context, Moment::arrival);
  if (context.rule.kind == fake::Fault::connectionRefused)
    context.failure = {.kind = TransportFailure::Kind::couldNotConnect,
                       .mayHaveBeenSent = false,
                       .message = "connection refused"};
  if (context.rule.kind == fake::Fault::reset) context.failure = brokenConnection("connection reset");
  if (auto* refusal = std::get_if<Refusal>(&context.rule.response)) context.response = std::move(*refusal);
  return context.failure || !std::holds_alternative<std::monostate>(context.rule.response);
}

/// Consumes a fault injected after processing, if any, and applies it to the response.
void applyFaultToResponse(RequestContext& context) {
  takeFault(context, Moment::responded);
  if (context.processed) takeFault(context, Moment::processed);
  if (context.rule.kind == fake::Fault::emptyPage) context.response = emptyPage(context.operation());
  if (context.rule.kind == fake::Fault::responseLost)
    context.failure = brokenConnection("connection lost before the response");
  if (auto* refusal = std::get_if<Refusal>(&context.rule.response)) context.response = std::move(*refusal);
}

}  // namespace

RequestProcessor::RequestProcessor(const ServiceOptions& options, const Catalog& catalog,
                                   const VirtualClock& clock, KeepIndexes keepIndexes)
    : options_(options),
      catalog_(catalog),
      clock_(clock),
      keepIndexes_(std::move(keepIndexes)),
      searchSecret_(IdGenerator{options_.seed, searchStream}.nextNumber()) {}

void RequestProcessor::enter(const Change& change, RequestContext& context, const SendLimits& limits) const {
  context.state = change.shared();
  context.arrived = clock_.now();
  context.state->settle(catalog_, context.arrived);
  context.until = ownUntil(limits, context.arrived);
  context.stop = limits.stop;
}

std::optional<Instant> RequestProcessor::serve(const Change& /*change*/, RequestContext& context) const {
  if (!context.waits && (!authenticate(context) || !checkPath(context) || !readRequestedFault(context) ||
                         applyFault(context) || !admit(context)))
    return std::nullopt;
  if (context.arrival.params.fault) {
    context.response = *context.arrival.params.fault;
    return std::nullopt;
  }
  const auto until = lockedUntil(context);
  if ((until || wasFreeTooLate(context)) && endWaitIfOver(context)) return std::nullopt;
  if (until) {
    if (!context.waits) beginWait(context);
    return std::min({*until, lockTimeout(context), context.until});
  }
  process(context);
  applyFaultToResponse(context);
  return std::nullopt;
}

void RequestProcessor::leave(const Change& /*change*/, RequestContext& context) const {
  ServiceState& current = *context.state;
  holdUntilEnd(context);
  if (context.end > context.until) recordLateness(context);
  if (context.bearsRequestId()) context.requestId = current.requestIds.next("req_");
  LoggedRequest* entry = current.log.next();
  try {
    logAndAnswer(context, entry);
  } catch (...) {
    current.log.takeBack();
    throw;
  }
}

/// `entry` is null if the log keeps none.
void RequestProcessor::logAndAnswer(RequestContext& context, LoggedRequest* entry) {
  if (entry != nullptr) {
    note(context, context.requestId, context.end, *entry);
    context.number = entry->number;
  }
  if (!context.isDeferred()) answer(context);
  if (entry == nullptr) return;
  entry->response = context.sent;
  entry->responseMissing = context.isDeferred();
}

void RequestProcessor::answer(RequestContext& context) {
  if (!context.failure) context.sent = respond(context);
}

void RequestProcessor::complete(const Change& /*change*/, const RequestContext& context) {
  if (context.sent) context.state->log.complete(context.number, *context.sent);
}

void RequestProcessor::abandon(const Change& change, RequestContext& context) const {
  context.departed = true;
  holdUntilEnd(context);  // needs no memory
  recordDeparture(context, TransportFailure::Kind::canceled);
  leave(change, context);
}

/// Reads the fault that the request asks for, if it may. Returns false, with the response in `context`, if
/// that is malformed.
bool RequestProcessor::readRequestedFault(RequestContext& context) const {
  auto refusal = options_.faultHeader ? ask(context) : std::nullopt;
  if (!refusal) return true;
  context.response = *std::move(refusal);
  return false;
}

/// Counts the request against its limits. Returns false, with the response in `context`, if one refuses it;
/// it then counts against none.
bool RequestProcessor::admit(RequestContext& context) const {
  if (!options_.limits) return true;
  context.object = presentObject(context);
  const LimitPlan& plan = catalog_.plan();
  const auto shares = sharesOf(context);
  for (const auto& [mode, applicant] : shares)
    if (const auto slot = mode.counters.refusal(plan, *mode.numbers, applicant)) {
      mode.counters.noteRefusal(plan, *slot, applicant);
      refuse(context, *plan.slots()[*slot].limit, *(*mode.numbers)[*slot]);
      return false;
    }
  Accounts& accounts = context.state->accounts;
  const ReadQuota quota{catalog_.readAllocation(), context.caller};
  const bool reads = context.operation().countsAsRead();
  if (reads && quota.isUsedUp(accounts, context.arrived)) {
    ReadQuota::noteRefusal(context.caller, context.arrived);
    context.limit = quota.name();
    context.response =
        Refusal{.response = &errors::readAllocationExceeded,
                .detail = std::to_string(quota.allowed(accounts, context.arrived)) + " reads allowed"};
    return false;
  }
  if (reads) ReadQuota::count(context.caller, context.arrived);
  for (const auto& [mode, applicant] : shares)
    mode.counters.admit(plan, applicant);
  context.admitted = true;
  return true;
}

/// The identifier in the path, if there is such an object. Others may be any bytes, and any number of them.
std::string_view RequestProcessor::presentObject(const RequestContext& context) const {
  const std::string& id = context.arrival.id;
  if (id.empty()) return {};
  const std::size_t resource = catalog_.indexOf(*context.operation().resource);
  return context.caller.collection(resource).find(id) == nullptr ? std::string_view{} : id;
}

/// The end of a lock held by others; holdUntilEnd() takes the lock of the request itself.
std::optional<Instant> RequestProcessor::lockedUntil(const RequestContext& context) const {
  if (!changesItsObject(context.operation())) return std::nullopt;
  return context.caller.mode().locks.lockedUntil(context.arrival.id, clock_.now());
}

Instant RequestProcessor::lockTimeout(const RequestContext& context) const {
  return saturatingAdd(context.arrived, options_.lockWait);
}

/// Whether the object was locked for the whole time for which the request waits. The clock may have moved far
/// beyond that time in one step.
bool RequestProcessor::wasFreeTooLate(const RequestContext& context) const {
  return context.waits && context.caller.mode().locks.lastEnd(context.arrival.id) >
                              std::min(lockTimeout(context), context.until);
}

/// Ends the wait for an object if the sender canceled, or if the deadline or the lock timeout has passed.
/// Returns true if so, with the outcome in `context`.
bool RequestProcessor::endWaitIfOver(RequestContext& context) const {
  const Instant now = clock_.now();
  if (context.stop.stop_requested()) {
    recordDeparture(context, TransportFailure::Kind::canceled);
  } else if (now >= context.until) {
    recordDeparture(context, TransportFailure::Kind::timeout);
  } else if (now >= lockTimeout(context)) {
    context.response = Refusal{.response = &errors::lockTimeout};
  } else {
    return false;
  }
  return true;
}

void RequestProcessor::beginWait(RequestContext& context) const {
  context.waits = true;
  context.caller.mode().locks.beginWait(context.arrival.id);
  if (!context.admitted) return;
  for (const auto& [mode, applicant] : sharesOf(context))
    mode.counters.beginWait(catalog_.plan(), applicant);
}

void RequestProcessor::endWait(const RequestContext& context) const {
  context.caller.mode().locks.endWait(context.arrival.id);
  if (!context.admitted) return;
  for (const auto& [mode, applicant] : sharesOf(context))
    mode.counters.endWait(catalog_.plan(), applicant);
}

void RequestProcessor::process(RequestContext& context) const {
  context.response = carryOut(context);
  context.processed = !std::holds_alternative<Refusal>(context.response);
  const auto* body = std::get_if<std::string>(&context.response);
  if (body != nullptr && context.operation().kind == OperationKind::create) noteCreation(context, *body);
}

Response RequestProcessor::carryOut(const RequestContext& context) const {
  const AnyOperation& operation = context.operation();
  const std::size_t resource = catalog_.indexOf(*operation.resource);
  const Caller& caller = context.caller;
  const ObjectRequest request{.operation = operation,
                              .type = catalog_.types()[resource],
                              .collection = caller.collection(resource),
                              .visible = {catalog_.types(), caller.mode().collections},
                              .id = context.arrival.id,
                              .params = context.arrival.params.object.ref(),
                              .livemode = caller.livemode,
                              .now = clock_.now()};
  switch (operation.kind) {
    case OperationKind::create:
      return createObject(request, context.state->objectIds);
    case OperationKind::retrieve:
      return retrieveObject(request);
    case OperationKind::update:
    case OperationKind::report:
      return changeObject(request);
    case OperationKind::list:
      return listObjects(request);
    case OperationKind::search:
      break;
  }
  return searchPage(operation, request.type, request.collection, request.params,
                    {.secret = searchSecret_,
                     .account = caller.account->account.id,
                     .livemode = caller.livemode,
                     .indexed = saturatingAdd(request.now, -options_.searchLag),
                     .url = context.arrival.request.url,
                     .searched = [this, kept = caller.account, &original = std::as_const(request.collection)](
                                     Collection copy) { keepIndexes_(original, std::move(copy)); }});
}

/// Handles objects that are also a transaction or an account.
void RequestProcessor::noteCreation(const RequestContext& context, const std::string& body) const {
  const ResourceType& type = catalog_.types()[catalog_.indexOf(*context.operation().resource)];
  if (type.rules().isTransaction) context.caller.mode().reads.transactions.add(clock_.now());
  if (!type.rules().isAccount) return;
  AnyObject object{type.model()};
  (void)tally::detail::readJson(body, object.ref());
  makeAccount(catalog_, context.state->accounts, context.state->settings, context.caller, type, object.ref(),
              clock_.now());
}

/// Refusals have a duration, too. But nothing is left of a request whose sender has gone, and a request of a
/// blocking sender takes no time while the clock is frozen, or a single thread could deadlock.
Instant RequestProcessor::endOf(const RequestContext& context) const {
  const Instant present = clock_.now();
  if (context.departed || (context.blocks && clock_.frozen())) return present;
  const auto& durations = context.state->durations;
  const auto found = durations.find(context.arrival.route.operation);
  const auto duration = found == durations.end() ? options_.duration : found->second;
  const auto pauses = context.rule.pause * (context.rule.chunks - 1);
  return saturatingAdd(saturatingAdd(saturatingAdd(present, duration), context.rule.latency), pauses);
}

/// Determines when the request ends. Keeps it in progress, and its object locked if it changed, until then;
/// but only once, as an exception may end the request afterwards.
void RequestProcessor::holdUntilEnd(RequestContext& context) const {
  context.end = endOf(context);
  const bool changed = context.processed;
  if (std::exchange(context.waits, false)) endWait(context);
  if (std::exchange(context.admitted, false))
    for (const auto& [mode, applicant] : sharesOf(context))
      mode.counters.finish(catalog_.plan(), applicant, changed, context.end);
  if (!changed || !changesItsObject(context.operation())) return;
  const Instant now = clock_.now();
  if (context.end > now) context.caller.mode().locks.lock(context.arrival.id, now, context.end);
}

}  // namespace tally::fake::detail
