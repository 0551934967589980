#include "server.h"

#include <algorithm>
#include <utility>

#include "account_limits.h"
#include "errors.h"
#include "json_reader.h"
#include "objects.h"
#include "read_allocation.h"
#include "respond.h"
#include "search_page.h"
#include "url.h"

namespace tally::fake::detail {

using tally::detail::OperationKind;

namespace {

constexpr std::uint64_t searchStream = 5;

Refusal noOperation(std::string_view method, std::string_view path, bool pathKnown) {
  return {.answer = pathKnown ? &errors::methodNotAllowed : &errors::pathUnknown,
          .value = std::string{method} + ' ' + std::string{path}};
}

TransportFailure brokenConnection(std::string why) {
  return {.kind = TransportFailure::Kind::connection, .message = std::move(why)};
}

/// Whether an operation changes the object that its path names, and so needs its lock.
bool changesItsObject(const Operation& operation) {
  return operation.kind == OperationKind::update || operation.kind == OperationKind::report;
}

std::string allowance(const Limit& limit, std::int64_t number) {
  std::string text = "the limit " + std::string{limit.name} + " is " + std::to_string(number);
  if (limit.counts == LimitCounts::inProgress) return text + " in progress at one moment";
  return text + " in " + std::to_string(limit.window.count()) + " s";
}

void refuse(Visit& visit, const Limit& limit, std::int64_t number) {
  visit.limit = limit.name;
  visit.answer = Refusal{.answer = &errors::rateLimit,
                         .detail = allowance(limit, number),
                         .rateLimitedReason = OpenEnum<RateLimitedReason>{limit.reason}.str()};
}

/// While one thread was on its way here, others may have moved the clock by hours. That is not for it to pay:
/// an attempt has the time that it was given from when it arrives.
Instant ownUntil(const SendLimits& limits, Instant now) {
  if (!limits.from || *limits.from >= now) return limits.until;
  const auto late = now - *limits.from;
  return limits.until > Instant::max() - late ? Instant::max() : limits.until + late;
}

/// What a created account says of itself, where it has fields for it.
AccountOptions optionsOf(const ResourceType& type, const void* account) {
  AccountOptions options;
  const auto take = [&](std::string_view name, std::string& into) {
    const Field* field = type.model().find(name);
    const void* value = field == nullptr ? nullptr : field->in(account);
    if (value != nullptr && field->type.kind == tally::detail::Kind::string)
      into = *static_cast<const std::string*>(value);
  };
  take("country", options.country);
  take("industry", options.industry);
  return options;
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
  Arrival arrival{.request = request,
                  .method = otherMethod.empty() ? toString(request.method) : otherMethod,
                  .head = headOf(request),
                  .route = catalog.router().find(request.method, target.path)};
  if (!otherMethod.empty()) arrival.route = {.pathKnown = arrival.route.pathKnown};
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
  Visit visit{.arrival = arrival, .stop = limits.stop};
  std::string requestId;
  Exchange exchange;
  {
    Lock lock{mutex};
    // Held on to, in case another state is put in its place while this request waits.
    const std::shared_ptr<State> current = state;
    visit.arrived = clock->now();
    visit.until = exchange.until = ownUntil(limits, visit.arrived);
    serve(visit, *current, lock);
    exchange.end = endOf(visit, *current);
    settle(visit, exchange.end);
    if (visit.bearsRequestId()) requestId = current->requestIds.next("req_");
    if (LoggedRequest* entry = current->log.next()) note(visit, requestId, exchange.end, *entry);
  }
  if (visit.failure) {
    exchange.result = *std::move(visit.failure);
  } else {
    exchange.result = respond(std::move(visit), std::move(requestId));
  }
  return exchange;
}

/// The order in which a request can fail: connection, key, path, what a test arranged, limits, read
/// allocation, parameters, lock, object.
void Server::serve(Visit& visit, State& current, Lock& lock) {
  if (!isKnown(visit, current) || isScripted(visit, current) || !isAdmitted(visit, current)) return;
  if (visit.arrival.params.fault) {
    visit.answer = *visit.arrival.params.fault;
  } else if (visit.script.kind == fake::Fault::emptyPage) {
    visit.answer = emptyPage(visit.operation());
  } else if (awaitObject(visit, lock)) {
    process(visit, current);
  }
  if (visit.script.kind == fake::Fault::answerLost)
    visit.failure = brokenConnection("the connection broke before the answer");
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

/// True where what a test arranged takes the place of processing the request.
bool Server::isScripted(Visit& visit, State& current) const {
  if (auto fault = current.scripts.take(visit.operation().name, visit.arrival.id))
    visit.script = *std::move(fault);
  if (visit.script.kind == fake::Fault::connectionRefused)
    visit.failure = {.kind = TransportFailure::Kind::couldNotConnect,
                     .mayHaveBeenSent = false,
                     .message = "the connection was refused"};
  if (visit.script.kind == fake::Fault::reset) visit.failure = brokenConnection("the connection was reset");
  if (auto* refusal = std::get_if<Refusal>(&visit.script.answer)) visit.answer = std::move(*refusal);
  return visit.failure || !std::holds_alternative<std::monostate>(visit.script.answer);
}

Applicant Server::applicantOf(const Visit& visit) const {
  return {.operation = visit.operation(),
          .id = visit.arrival.id,
          .params = visit.arrival.params.object.data(),
          .now = visit.arrived};
}

bool Server::isAdmitted(Visit& visit, State& current) const {
  if (!options.limits) return true;
  const LimitPlan& plan = catalog.plan();
  ModeState& payer = visit.caller.payerMode();
  const Applicant applicant = applicantOf(visit);
  if (const auto slot = payer.counters.refusal(plan, payer.numbers, applicant)) {
    refuse(visit, *plan.slots()[*slot].limit, *payer.numbers[*slot]);
    return false;
  }
  const ReadQuota quota{catalog.readAllocation(), visit.caller};
  const bool reads = visit.operation().countsAsRead();
  if (reads && quota.isUsedUp(current.accounts, visit.arrived)) {
    visit.limit = quota.name();
    visit.answer =
        Refusal{.answer = &errors::readAllocationExceeded,
                .detail = "it is " + std::to_string(quota.allowed(current.accounts, visit.arrived))};
    return false;
  }
  if (reads) quota.reads().add(visit.arrived);
  payer.counters.admit(plan, payer.numbers, applicant);
  visit.admitted = true;
  return true;
}

/// True once nobody else has the object's lock; the request's own begins with settle().
bool Server::awaitObject(Visit& visit, Lock& lock) {
  if (!changesItsObject(visit.operation())) return true;
  const Instant giveUp = visit.arrived + options.lockWait;
  ObjectLocks& locks = visit.caller.mode().locks;
  while (const auto until = locks.lockedUntil(visit.arrival.id, clock->now())) {
    if (visit.stop.stop_requested() || clock->now() >= visit.until) {
      visit.failure = {.kind = visit.stop.stop_requested() ? TransportFailure::Kind::canceled
                                                           : TransportFailure::Kind::timeout,
                       .message = "the caller went away while the request waited for the object"};
      return false;
    }
    if (clock->now() >= giveUp) {
      visit.answer = Refusal{.answer = &errors::lockTimeout};
      return false;
    }
    waitUntil(std::min({*until, giveUp, visit.until}), lock, visit.stop);
  }
  return true;
}

/// Waits for a moment, for a lock to be released, or for the caller to go away.
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
  visit.processed = true;
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
                  .params = visit.arrival.params.object.data(),
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
                     .indexed = task.now - options.searchLag});
}

/// Some of what is created is more than an object: a transaction, or an account.
void Server::noteCreation(const Visit& visit, State& current, const std::string& body) const {
  const ResourceType& type = catalog.types()[catalog.indexOf(*visit.operation().resource)];
  if (type.rules().isTransaction) visit.caller.mode().reads.transactions.add(clock->now());
  if (!type.rules().isAccount) return;
  AnyObject object{type.model()};
  (void)tally::detail::readJson(body, type.model(), object.data());
  AccountState& account =
      current.accounts.adopt(catalog, type.id(object.data()), optionsOf(type, object.data()), visit.caller);
  applySettings(catalog, current.settings, account);
}

/// Everything takes its time, refusals too; but none while the clock is frozen, or nobody could wait for it.
Instant Server::endOf(const Visit& visit, const State& current) const {
  const Instant present = clock->now();
  if (clock->frozen()) return present;
  const auto found = current.durations.find(visit.arrival.route.operation);
  return present + (found == current.durations.end() ? options.duration : found->second) +
         visit.script.latency;
}

void Server::settle(const Visit& visit, Instant end) const {
  const bool changed = visit.tookEffect();
  if (visit.admitted) {
    ModeState& payer = visit.caller.payerMode();
    payer.counters.settle(catalog.plan(), payer.numbers, applicantOf(visit), changed, end);
  }
  if (changed && changesItsObject(visit.operation()) && end > clock->now())
    visit.caller.mode().locks.lock(visit.arrival.id, end);
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
