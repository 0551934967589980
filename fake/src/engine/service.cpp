#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <tally/fake/service.h>

#include "accounts/account_limits.h"
#include "codec/json_reader.h"
#include "engine/account_objects.h"
#include "engine/call.h"
#include "engine/objects.h"
#include "engine/seeding.h"
#include "engine/server.h"
#include "faults/longest_duration.h"
#include "request/param_check.h"
#include "tables/copy.h"
#include "time/saturating.h"

namespace tally::fake {

using detail::AccountState;
using detail::Caller;
using detail::Collection;
using detail::ModeState;
using detail::Operation;
using detail::Record;
using detail::ResourceType;
using detail::Server;
using detail::State;
using tally::detail::AnyObject;
using tally::detail::ObjectRef;

namespace {

using Lock = std::lock_guard<std::mutex>;
using std::chrono::nanoseconds;

const ResourceType& typeNamed(const Server& server, std::string_view name) {
  if (const ResourceType* type = server.catalog.findType(name)) return *type;
  throw std::invalid_argument{"there is no resource '" + std::string{name} + "' to seed"};
}

const Operation& operationNamed(const Server& server, std::string_view name) {
  if (const Operation* operation = server.catalog.findOperation(name)) return *operation;
  throw std::invalid_argument{"there is no operation '" + std::string{name} + "'"};
}

void checkSeed(const ResourceType& type, const Collection& collection, ObjectRef object,
               std::string_view json) {
  const std::string& id = type.id(object);
  const std::string_view prefix = type.resource().idPrefix;
  if (!id.starts_with(prefix) || id.size() == prefix.size())
    throw std::invalid_argument{"'" + id + "' is not an identifier of a " + type.words()};
  if (collection.find(id) != nullptr)
    throw std::invalid_argument{"the " + type.words() + " '" + id + "' already exists"};
  AnyObject read{type.model()};
  if (const auto problem = tally::detail::readJson(json, read.ref()))
    throw std::invalid_argument{"the " + type.words() + " can't be sent as JSON: " + *problem};
  if (const detail::Fault fault = detail::checkValues(object))
    throw std::invalid_argument{"'" + fault->param + "' of the " + type.words() +
                                " is invalid: " + fault->detail};
}

void checkCount(std::int64_t count, const char* what) {
  constexpr std::int64_t most = 1'000'000'000'000;  // so that sums of many counts can't overflow
  if (count < 1) throw std::invalid_argument{std::string{"less than one "} + what};
  if (count > most) throw std::invalid_argument{std::string{"more than a million million times one "} + what};
}

template <class Duration>
void checkDuration(Duration duration) {
  if (duration < Duration::zero()) throw std::invalid_argument{"a duration can't be negative"};
  if (duration > std::chrono::floor<Duration>(detail::longestDuration))
    throw std::invalid_argument{"a duration can't be more than 100 years"};
}

std::shared_ptr<State> withoutHolds(const State& state) {
  auto copy = std::make_shared<State>(state);
  copy->dropHolds();
  return copy;
}

}  // namespace

void Held::release() noexcept {
  if (const auto server = server_.lock()) server->release(number_);
  server_.reset();
}

Service::Service(ServiceOptions options) {
  checkDuration(options.duration);
  checkDuration(options.lockWait);
  checkDuration(options.searchLag);
  server_ = std::make_shared<Server>(options);
}

Service::Service(std::shared_ptr<Server> server) : server_(std::move(server)) {}

Service::~Service() = default;

Account Service::addAccount(AccountOptions options) {
  return server_->addAccount(std::move(options));
}

Account Service::account(std::string_view id) const {
  const Lock lock{server_->mutex};
  return server_->state->accounts.stateOf(id).account;
}

void Service::connect(const Account& platform, const Account& connected) {
  const Lock lock{server_->mutex};
  connectAccounts(server_->catalog, *server_->state, platform, connected, server_->clock->now());
}

std::string Service::addAccessToken(const Account& account, bool livemode) {
  const Lock lock{server_->mutex};
  return server_->state->accounts.addToken(account, nullptr, livemode);
}

std::string Service::addAccessToken(const Account& platform, const Account& connected, bool livemode) {
  const Lock lock{server_->mutex};
  return server_->state->accounts.addToken(platform, &connected, livemode);
}

void Service::seedObject(std::string_view key, std::string_view resource, void* object,
                         const std::function<void()>& edit, std::string_view state) {
  seedObject(key, resource, ObjectRef{typeNamed(*server_, resource).model(), object}, edit, state, "{}");
}

/// Calls `edit` without holding the lock, so that it may use the service.
void Service::seedObject(std::string_view key, std::string_view resource, ObjectRef object,
                         const std::function<void()>& edit, std::string_view state, std::string_view given) {
  const ResourceType& type = typeNamed(*server_, resource);
  const Instant now = server_->clock->now();
  const bool livemode = [&] {
    const Lock lock{server_->mutex};
    const Caller owner = server_->state->accounts.ownerOf(key);
    beginObject(type, owner.collection(server_->catalog.indexOf(type.resource())), server_->state->objectIds,
                now, owner.livemode, object);
    return owner.livemode;
  }();
  type.onCreate().clear(object);
  AnyObject before{type.model()};
  detail::copyObject(object, before.ref());
  edit();
  type.livemode(object) = livemode;
  detail::Paths said = detail::differences(before.ref(), object);
  std::ranges::move(detail::pathsIn(given), std::back_inserter(said));
  const std::uint8_t reached = detail::complete(type, said, state, object);
  const std::string json = detail::encode(object);
  const Lock lock{server_->mutex};
  const Caller owner = server_->state->accounts.ownerOf(key);
  Collection& collection = owner.collection(server_->catalog.indexOf(type.resource()));
  checkSeed(type, collection, object, json);
  storeObject(type, collection, now, object, json, reached);
  if (type.rules().isAccount) makeAccount(server_->catalog, *server_->state, owner, type, object, now);
}

std::string Service::seed(std::string_view key, std::string_view resource, std::string_view fields,
                          std::string_view state) {
  const ResourceType& type = typeNamed(*server_, resource);
  AnyObject object{type.model()};
  const ObjectRef made = object.ref();
  const auto edit = [&] {
    if (const auto problem = tally::detail::mergeJson(fields, made))
      throw std::invalid_argument{"invalid fields of a " + type.words() + ": " + *problem};
    const UnknownFields* unknown = made.unknownFields();
    if (unknown != nullptr && !unknown->empty())
      throw std::invalid_argument{"a " + type.words() + " has no field '" + unknown->front().path + "'"};
  };
  seedObject(key, resource, made, edit, state, fields);
  return detail::encode(made);
}

ClientOptions Service::clientOptions(std::string_view key) {
  const Lock lock{server_->mutex};
  return {.key = std::string{key},
          .transport = transport(),
          .clock = clock(),
          .jitterSeed = server_->state->jitterSeeds.nextNumber()};
}

std::shared_ptr<Transport> Service::transport() const {
  return std::make_shared<Transport>(server_);
}

std::shared_ptr<VirtualClock> Service::clock() const {
  return server_->clock;
}

void Service::script(Script script) {
  const Lock lock{server_->mutex};
  server_->state->scripts.add(std::move(script));
}

std::vector<Script> Service::unfiredScripts() const {
  const Lock lock{server_->mutex};
  return server_->state->scripts.unfired();
}

std::vector<std::string> Service::verifyFaultsFired() const {
  std::vector<std::string> lines;
  for (const Script& script : unfiredScripts())
    lines.push_back(detail::describe(script));
  return lines;
}

std::vector<LoggedRequest> Service::requests(std::uint64_t after, std::size_t most) const {
  const Lock lock{server_->mutex};
  return server_->state->log.entries(after, most);
}

std::uint64_t Service::droppedRequests() const {
  const Lock lock{server_->mutex};
  return server_->state->log.dropped();
}

HttpResponse Service::handle(const HttpRequest& request) {
  return server_->handle(request);
}

Outcome Service::exchange(const HttpRequest& request, std::stop_token stop, std::string_view otherMethod) {
  detail::Exchange exchange =
      server_->exchange(request, {.until = Instant::max(), .stop = std::move(stop)}, otherMethod);
  return {.result = std::move(exchange.result), .due = exchange.end};
}

std::variant<Outcome, PendingRequest> Service::begin(HttpRequest request, std::string_view otherMethod) {
  auto call = std::make_unique<detail::Call>(*server_, std::move(request), otherMethod);
  auto step = server_->proceed(*call);
  if (const auto* until = std::get_if<Instant>(&step))
    return PendingRequest{server_, std::move(call), *until};
  auto& exchange = std::get<detail::Exchange>(step);
  return Outcome{.result = std::move(exchange.result), .due = exchange.end};
}

void Service::setDuration(std::string_view operation, nanoseconds duration) {
  checkDuration(duration);
  const Operation& meant = operationNamed(*server_, operation);
  const Lock lock{server_->mutex};
  server_->state->durations[&meant] = duration;
}

void Service::setLimit(const LimitSetting& setting) {
  server_->catalog.plan().check(setting);
  const Lock lock{server_->mutex};
  detail::addSetting(setting, server_->state->settings);
  for (AccountState& account : server_->state->accounts.all())
    applySettings(server_->catalog, server_->state->settings, account);
}

void Service::setLimit(const Account& account, const LimitSetting& setting) {
  server_->catalog.plan().check(setting);
  const Lock lock{server_->mutex};
  AccountState& meant = server_->state->accounts.stateOf(account.id);
  detail::addSetting(setting, meant.settings);
  applySettings(server_->catalog, server_->state->settings, meant);
}

void Service::recordTransactions(std::string_view key, std::int64_t count) {
  checkCount(count, "transaction");
  const Lock lock{server_->mutex};
  ModeState& mode = server_->state->accounts.ownerOf(key).mode();
  mode.reads.transactions.add(server_->clock->now(), count);
}

std::vector<LimitUsage> Service::usage(const Account& account) const {
  const Lock lock{server_->mutex};
  const Instant now = server_->clock->now();
  detail::Accounts& accounts = server_->state->accounts;
  AccountState& state = accounts.stateOf(account.id);
  std::vector<LimitUsage> lines = usageOf(server_->catalog, accounts, state, true, now);
  for (LimitUsage& line : usageOf(server_->catalog, accounts, state, false, now))
    lines.push_back(std::move(line));
  return lines;
}

LimitUsage Service::usage(std::string_view key, std::string_view limit, std::string_view of) const {
  const Lock lock{server_->mutex};
  const Instant now = server_->clock->now();
  detail::Accounts& accounts = server_->state->accounts;
  const Caller owner = accounts.ownerOf(key);
  AccountState& holder = holderOf(server_->catalog, limit, owner);
  for (LimitUsage& line : usageOf(server_->catalog, accounts, holder, owner.livemode, now))
    if (line.limit == limit && line.operation + line.object == of) return std::move(line);
  return unusedLimit(server_->catalog, holder, owner.livemode, limit, of, now);
}

Held Service::lockObject(std::string_view key, std::string_view id, std::optional<nanoseconds> duration) {
  if (duration) checkDuration(*duration);
  const Lock lock{server_->mutex};
  const Caller owner = server_->state->accounts.ownerOf(key);
  const std::uint64_t number = server_->hold(
      {.account = owner.account->account.id, .livemode = owner.livemode, .object = std::string{id}});
  const Instant now = server_->clock->now();
  const Instant end = duration ? tally::detail::saturatingAdd(now, *duration) : Instant::max();
  owner.mode().locks.lock(id, now, end, number);
  return {server_, number};
}

Held Service::occupy(std::string_view key, std::string_view operation, std::int64_t places) {
  checkCount(places, "place");
  const Operation* meant = operation.empty() ? nullptr : &operationNamed(*server_, operation);
  const Lock lock{server_->mutex};
  const Caller owner = server_->state->accounts.ownerOf(key);
  const std::uint64_t number = server_->hold(
      {.account = owner.payer->account.id, .livemode = owner.livemode, .operation = meant, .places = places});
  owner.payerMode().counters.hold(server_->catalog.plan(), meant, places);
  return {server_, number};
}

Snapshot Service::snapshot() const {
  const Lock lock{server_->mutex};
  return {withoutHolds(*server_->state), server_->clock->reading()};
}

/// Destroys the old state without holding the lock, since that may take long.
void Service::restore(const Snapshot& snapshot) {
  auto state = std::make_shared<State>(*snapshot.state());
  const Lock lock{server_->mutex};
  server_->state.swap(state);
  server_->clock->set(snapshot.clock());
}

std::shared_ptr<Server> Service::copy() const {
  const Snapshot now = snapshot();
  auto server = std::make_shared<Server>(server_->options);
  server->state = std::make_shared<State>(*now.state());
  server->branches = server_->branches;
  server->clock->set(now.clock());
  return server;
}

Service Service::fork() const {
  return Service{copy()};
}

Service Service::fork(std::uint64_t keySeed) const {
  auto server = copy();
  server->state->branch({.service = server->options.seed, .keys = keySeed, .number = ++*server->branches});
  return Service{std::move(server)};
}

std::optional<std::string> Service::stateOf(std::string_view key, std::string_view id) const {
  const Lock lock{server_->mutex};
  const Caller owner = server_->state->accounts.ownerOf(key);
  for (const ResourceType& type : server_->catalog.types()) {
    const Record* record = owner.collection(server_->catalog.indexOf(type.resource())).find(id);
    const auto states = type.rules().states;
    if (record != nullptr && !states.empty()) return std::string{states[record->state()]};
  }
  return std::nullopt;
}

}  // namespace tally::fake
