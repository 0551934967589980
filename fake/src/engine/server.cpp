#include "engine/server.h"

#include <algorithm>
#include <utility>

#include "accounts/account_limits.h"
#include "accounts/read_allocation.h"
#include "codec/json_reader.h"
#include "engine/account_objects.h"
#include "engine/call.h"
#include "engine/objects.h"
#include "engine/respond.h"
#include "errors.h"
#include "search/search_page.h"
#include "text/url.h"
#include "time/saturating.h"

namespace tally::fake::detail {

using tally::detail::OperationKind;
using tally::detail::saturatingAdd;
using tally::detail::saturatingSince;

namespace {

constexpr std::uint64_t searchStream = 5;

constexpr std::string_view headMethod = "HEAD";

Refusal noOperation(std::string_view method, std::string_view path, bool pathKnown) {
  return {.answer = pathKnown ? &errors::methodNotAllowed : &errors::pathUnknown,
          .value = std::string{method} + ' ' + std::string{path}};
}

TransportFailure brokenConnection(std::string why) {
  return {.kind = TransportFailure::Kind::connection, .message = std::move(why)};
}

void wentAway(Visit& visit, TransportFailure::Kind kind) {
  visit.failure = {.kind = kind, .message = "the caller went away while the request waited for the object"};
}

/// Whether an operation changes the object in its path, and so needs its lock.
bool changesItsObject(const Operation& operation) {
  return operation.kind == OperationKind::update || operation.kind == OperationKind::report;
}

std::string allowance(const Limit& limit, std::int64_t number) {
  std::string text = "the limit " + std::string{limit.name} + " is " + std::to_string(number);
  if (limit.counts == LimitCounts::inProgress) return text + " in progress at the same time";
  return text + " in " + std::to_string(limit.window.count()) + " s";
}

void refuse(Visit& visit, const Limit& limit, std::int64_t number) {
  visit.limit = limit.name;
  visit.answer = Refusal{.answer = &errors::rateLimit,
                         .detail = allowance(limit, number),
                         .rateLimitedReason = OpenEnum<RateLimitedReason>{limit.reason}.str()};
}

/// Other threads may advance the clock by hours before this request arrives. Shifts the deadline by that
/// delay, so the attempt has its full time from its arrival on.
Instant ownUntil(const SendLimits& limits, Instant now) {
  if (!limits.from || *limits.from >= now) return limits.until;
  return saturatingAdd(limits.until, saturatingSince(*limits.from, now));
}

/// Call without holding the lock, since responses may be long.
Exchange exchangeOf(Visit visit) {
  Exchange exchange{.end = visit.end, .until = visit.until};
  if (visit.failure) {
    exchange.result = *std::move(visit.failure);
  } else {
    std::string requestId = std::move(visit.requestId);
    exchange.result = respond(std::move(visit), std::move(requestId));
  }
  return exchange;
}

}  // namespace

Server::Server(const ServiceOptions& given, const Description& description)
    : options(given),
      clock(std::make_shared<VirtualClock>(given.start)),
      catalog(description),
      state(std::make_shared<State>(given, description)),
      searchSecret_(Ids{given.seed, searchStream}.nextNumber()) {}

Arrival Server::arrive(const HttpRequest& request, std::string_view otherMethod) const {
  const Target target = targetOf(request.url);
  const bool isHead = otherMethod == headMethod;  // like a GET, but without the response body
  Arrival arrival{.request = request,
                  .method = otherMethod.empty() ? toString(request.method) : otherMethod,
                  .head = headOf(request),
                  .route = catalog.router().find(isHead ? Method::get : request.method, target.path)};
  if (!otherMethod.empty() && !isHead)
    arrival.route = {.pathKnown = arrival.route.pathKnown, .takes = arrival.route.takes};
  const Operation* operation = arrival.route.operation;
  if (operation == nullptr) {
    arrival.fault = noOperation(arrival.method, target.path, arrival.route.pathKnown);
    return arrival;
  }
  if (auto id = tally::detail::percentDecode(arrival.route.id)) {
    arrival.id = *std::move(id);
  } else {
    arrival.fault = unreadable("its path has a '%' that is not followed by two hexadecimal digits");
  }
  arrival.params = readParams(*operation, target.query, arrival.head.contentType, request.body);
  return arrival;
}

Exchange Server::exchange(const HttpRequest& request, const SendLimits& limits,
                          std::string_view otherMethod) {
  const Arrival arrival = arrive(request, otherMethod);
  Visit visit{.arrival = arrival, .blocks = true};
  {
    Lock lock{mutex};
    enter(visit, limits);
    while (const auto until = serve(visit))
      waitUntil(*until, lock, visit.stop);
    leave(visit);
  }
  return exchangeOf(std::move(visit));
}

std::variant<Exchange, Instant> Server::proceed(Call& call) {
  {
    const Lock lock{mutex};
    if (!call.visit.state) enter(call.visit, {.until = Instant::max()});
    if (const auto until = serve(call.visit)) return *until;
    leave(call.visit);
  }
  return exchangeOf(std::move(call.visit));
}

void Server::abandon(Call& call) {
  const Lock lock{mutex};
  wentAway(call.visit, TransportFailure::Kind::canceled);
  leave(call.visit);
}

void Server::enter(Visit& visit, const SendLimits& limits) const {
  visit.state = state;
  visit.arrived = clock->now();
  visit.until = ownUntil(limits, visit.arrived);
  visit.stop = limits.stop;
}

/// Checks in this order: key, path, faults injected on arrival, rate limits, read allocation, parameters,
/// object lock, object. Returns nothing once the outcome is known, or the time until which the request waits
/// for its object; call again then or earlier.
std::optional<Instant> Server::serve(Visit& visit) const {
  State& current = *visit.state;
  if (!visit.waits && (!isKnown(visit, current) || isScripted(visit, current) || !isAdmitted(visit, current)))
    return std::nullopt;
  if (visit.arrival.params.fault) {
    visit.answer = *visit.arrival.params.fault;
  } else if (const auto until = lockedUntil(visit); !until) {
    process(visit, current);
    scriptAnswer(visit, current);
  } else if (!givesUp(visit)) {
    visit.waits = true;
    return std::min({*until, lockTimeout(visit), visit.until});
  }
  return std::nullopt;
}

/// Completes a request, except for the duration of its response.
void Server::leave(Visit& visit) const {
  State& current = *visit.state;
  visit.end = endOf(visit);
  settle(visit);
  if (visit.bearsRequestId()) visit.requestId = current.requestIds.next("req_");
  if (LoggedRequest* entry = current.log.next()) note(visit, visit.requestId, visit.end, *entry);
}

bool Server::isKnown(Visit& visit, State& current) const {
  auto admitted = current.accounts.admit(visit.arrival.head);
  if (auto* refusal = std::get_if<Refusal>(&admitted)) {
    visit.answer = std::move(*refusal);
    return false;
  }
  visit.caller = std::get<Caller>(admitted);
  if (visit.arrival.fault) visit.answer = *visit.arrival.fault;
  return !visit.arrival.fault;
}

/// Applies an injected fault that fires at `moment`, unless one fired before.
void Server::meetScript(Visit& visit, State& current, Moment moment) const {
  if (visit.scripted) return;
  auto fault = current.scripts.take(visit.operation().name, visit.arrival.id, moment);
  if (!fault) return;
  visit.script = *std::move(fault);
  visit.scripted = true;
}

/// Returns true if an injected fault replaces the processing.
bool Server::isScripted(Visit& visit, State& current) const {
  meetScript(visit, current, Moment::arrival);
  if (visit.script.kind == fake::Fault::connectionRefused)
    visit.failure = {.kind = TransportFailure::Kind::couldNotConnect,
                     .mayHaveBeenSent = false,
                     .message = "the connection was refused"};
  if (visit.script.kind == fake::Fault::reset) visit.failure = brokenConnection("the connection was reset");
  if (auto* refusal = std::get_if<Refusal>(&visit.script.answer)) visit.answer = std::move(*refusal);
  return visit.failure || !std::holds_alternative<std::monostate>(visit.script.answer);
}

/// Applies an injected fault to the response of a request that reached its object.
void Server::scriptAnswer(Visit& visit, State& current) const {
  meetScript(visit, current, Moment::answered);
  if (visit.processed) meetScript(visit, current, Moment::processed);
  if (visit.script.kind == fake::Fault::emptyPage) visit.answer = emptyPage(visit.operation());
  if (visit.script.kind == fake::Fault::answerLost)
    visit.failure = brokenConnection("the connection broke before the answer");
  if (auto* refusal = std::get_if<Refusal>(&visit.script.answer)) visit.answer = std::move(*refusal);
}

/// The accounts whose limits apply: the owner of the key, and, for some limits, the account it acts for.
std::array<Share, 2> Server::sharesOf(const Visit& visit) const {
  const Applicant maker{.operation = visit.operation(),
                        .id = visit.arrival.id,
                        .params = visit.arrival.params.object.ref(),
                        .now = visit.arrived};
  Applicant actedFor = maker;
  actedFor.ofConnectedAccount = true;
  return {{{visit.caller.payerMode(), maker}, {visit.caller.mode(), actedFor}}};
}

bool Server::isAdmitted(Visit& visit, State& current) const {
  if (!options.limits) return true;
  const LimitPlan& plan = catalog.plan();
  const auto shares = sharesOf(visit);
  for (const auto& [mode, applicant] : shares)
    if (const auto slot = mode.counters.refusal(plan, mode.numbers, applicant)) {
      refuse(visit, *plan.slots()[*slot].limit, *mode.numbers[*slot]);
      return false;
    }
  const ReadQuota quota{catalog.readAllocation(), visit.caller};
  const bool reads = visit.operation().countsAsRead();
  if (reads && quota.isUsedUp(current.accounts, visit.arrived)) {
    visit.limit = quota.name();
    visit.answer = Refusal{
        .answer = &errors::readAllocationExceeded,
        .detail = std::to_string(quota.allowed(current.accounts, visit.arrived)) + " reads are allowed"};
    return false;
  }
  if (reads) quota.reads().add(visit.arrived);
  for (const auto& [mode, applicant] : shares)
    mode.counters.admit(plan, applicant);
  visit.admitted = true;
  return true;
}

/// The end of a lock held by others; settle() takes the lock of the request itself.
std::optional<Instant> Server::lockedUntil(const Visit& visit) const {
  if (!changesItsObject(visit.operation())) return std::nullopt;
  return visit.caller.mode().locks.lockedUntil(visit.arrival.id, clock->now());
}

Instant Server::lockTimeout(const Visit& visit) const {
  return saturatingAdd(visit.arrived, options.lockWait);
}

/// Ends the wait for an object if the sender canceled, or if the deadline or the lock timeout has passed.
/// Returns true if so, with the outcome in `visit`.
bool Server::givesUp(Visit& visit) const {
  const Instant now = clock->now();
  if (visit.stop.stop_requested()) {
    wentAway(visit, TransportFailure::Kind::canceled);
  } else if (now >= visit.until) {
    wentAway(visit, TransportFailure::Kind::timeout);
  } else if (now >= lockTimeout(visit)) {
    visit.answer = Refusal{.answer = &errors::lockTimeout};
  } else {
    return false;
  }
  return true;
}

/// Waits until `time`, until a lock is released, or until the caller cancels.
void Server::waitUntil(Instant time, Lock& lock, const std::stop_token& stop) {
  std::stop_source wake;
  const std::stop_callback canceled{stop, [&wake] { wake.request_stop(); }};
  waiting_.insert(&wake);
  lock.unlock();
  clock->passUntil(time, wake.get_token());
  lock.lock();
  waiting_.erase(&wake);
}

void Server::process(Visit& visit, State& current) const {
  visit.answer = carryOut(visit, current);
  visit.processed = !std::holds_alternative<Refusal>(visit.answer);
  const auto* body = std::get_if<std::string>(&visit.answer);
  if (body != nullptr && visit.operation().kind == OperationKind::create) noteCreation(visit, current, *body);
}

Answer Server::carryOut(const Visit& visit, State& current) const {
  const Operation& operation = visit.operation();
  const std::size_t resource = catalog.indexOf(*operation.resource);
  const Caller& caller = visit.caller;
  const Task task{.operation = operation,
                  .type = catalog.types()[resource],
                  .collection = caller.collection(resource),
                  .visible = {catalog.types(), caller.mode().collections},
                  .id = visit.arrival.id,
                  .params = visit.arrival.params.object.ref(),
                  .livemode = caller.livemode,
                  .now = clock->now()};
  switch (operation.kind) {
    case OperationKind::create:
      return createObject(task, current.objectIds);
    case OperationKind::retrieve:
      return retrieveObject(task);
    case OperationKind::update:
    case OperationKind::report:
      return changeObject(task);
    case OperationKind::list:
      return listPage(operation, task.type, task.collection, task.params);
    case OperationKind::search:
      break;
  }
  return searchPage(operation, task.type, task.collection, task.params,
                    {.secret = searchSecret_,
                     .account = caller.account->account.id,
                     .livemode = caller.livemode,
                     .indexed = saturatingAdd(task.now, -options.searchLag),
                     .url = visit.arrival.request.url,
                     .searched = [this, kept = visit.state, &original = task.collection](Collection copy) {
                       keepIndexes(original, std::move(copy));
                     }});
}

/// Updates the indexes with changes made during the search. Only the last few changes are applied under the
/// lock. If changes arrive faster than that, the next search creates the indexes again.
void Server::keepIndexes(Collection& original, Collection searched) const {
  constexpr std::size_t little = 64;
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    Collection present;
    {
      const Lock lock{mutex};
      if (original.keepIndexes(searched, little)) return;
      present = original;
    }
    (void)present.keepIndexes(searched, present.size());
    searched = std::move(present);
  }
}

/// Handles objects that are also a transaction or an account.
void Server::noteCreation(const Visit& visit, State& current, const std::string& body) const {
  const ResourceType& type = catalog.types()[catalog.indexOf(*visit.operation().resource)];
  if (type.rules().isTransaction) visit.caller.mode().reads.transactions.add(clock->now());
  if (!type.rules().isAccount) return;
  AnyObject object{type.model()};
  (void)tally::detail::readJson(body, object.ref());
  makeAccount(catalog, current, visit.caller, type, object.ref(), clock->now());
}

/// Refusals have a duration, too. But a request of a blocking sender takes no time while the clock is frozen,
/// or a single thread could deadlock.
Instant Server::endOf(const Visit& visit) const {
  const Instant present = clock->now();
  if (visit.blocks && clock->frozen()) return present;
  const auto& durations = visit.state->durations;
  const auto found = durations.find(visit.arrival.route.operation);
  const auto duration = found == durations.end() ? options.duration : found->second;
  return saturatingAdd(saturatingAdd(present, duration), visit.script.latency);
}

void Server::settle(const Visit& visit) const {
  const bool changed = visit.processed;
  if (visit.admitted)
    for (const auto& [mode, applicant] : sharesOf(visit))
      mode.counters.settle(catalog.plan(), applicant, changed, visit.end);
  const Instant now = clock->now();
  if (changed && changesItsObject(visit.operation()) && visit.end > now)
    visit.caller.mode().locks.lock(visit.arrival.id, now, visit.end);
}

HttpResponse Server::handle(const HttpRequest& request) {
  Exchange answered = exchange(request, {.until = Instant::max()});
  auto* response = std::get_if<HttpResponse>(&answered.result);
  return response == nullptr ? HttpResponse{} : std::move(*response);
}

Account Server::addAccount(AccountOptions accountOptions) {
  const Lock lock{mutex};
  Account added = state->accounts.add(catalog, std::move(accountOptions));
  applySettings(catalog, state->settings, state->accounts.stateOf(added.id));
  return added;
}

std::uint64_t Server::hold(Hold hold) {
  const std::uint64_t number = ++lastHold_;
  state->holds.emplace(number, std::move(hold));
  return number;
}

void Server::release(std::uint64_t number) {
  const Lock lock{mutex};
  state->release(number, catalog.plan());
  for (std::stop_source* waiting : waiting_)
    waiting->request_stop();
}

}  // namespace tally::fake::detail
