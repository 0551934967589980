#include "engine/engine.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "accounts/account_limits.h"
#include "accounts/read_allocation.h"
#include "engine/account_objects.h"
#include "engine/inserted_object.h"
#include "engine/object_list.h"
#include "engine/objects.h"
#include "time/saturating.h"

namespace tally::fake::detail {

using tally::detail::saturatingAdd;

namespace {

std::shared_ptr<ServiceState> withoutHolds(const ServiceState& state) {
  auto copy = std::make_shared<ServiceState>(state);
  copy->dropHolds();
  return copy;
}

/// Resolving the description takes long compared with the rest of an engine, and memory.
const std::shared_ptr<const Catalog>& catalogOfTheApi() {
  static const auto catalog = std::make_shared<const Catalog>(Description{});
  return catalog;
}

}  // namespace

class Engine::Change {
 public:
  explicit Change(Engine& engine) : engine_(engine), lock_(engine.mutex_) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() {
    if (lock_.owns_lock()) lock_.unlock();  // not if a wait in the middle threw
    engine_.changes_->note();
  }

  /// For a wait in the middle of the change.
  [[nodiscard]] Lock& lock() noexcept { return lock_; }

 private:
  Engine& engine_;
  Lock lock_;
};

Engine::Engine(const ServiceOptions& options) : Engine(options, catalogOfTheApi()) {}

Engine::Engine(const ServiceOptions& options, const Description& description)
    : Engine(options, std::make_shared<const Catalog>(description)) {}

Engine::Engine(const ServiceOptions& options, std::shared_ptr<const Catalog> catalog)
    : options_(options),
      clock_(std::make_shared<VirtualClock>(options.start, changes_)),
      sharedCatalog_(std::move(catalog)),
      catalog_(*sharedCatalog_),
      processor_(
          options_, catalog_, *clock_,
          [this](Collection& original, Collection searched) { keepIndexes(original, std::move(searched)); }),
      state_(std::make_shared<ServiceState>(options, catalog_.description())) {}

TimedResult Engine::exchange(const HttpRequest& request, const SendLimits& limits,
                             std::string_view otherMethod) {
  const Arrival arrival = arrive(catalog_, request, otherMethod);
  RequestContext context{.arrival = arrival, .blocks = true};
  {
    Change change{*this};
    processor_.enter(context, state_, limits);
    while (const auto until = processor_.serve(context))
      waitUntil(*until, change.lock(), context.stop);
    processor_.leave(context);
  }
  return resultOf(std::move(context));
}

std::variant<TimedResult, Instant> Engine::proceed(ResumableRequest& request) {
  RequestContext& context = request.context;
  {
    const Change change{*this};
    if (!context.state) processor_.enter(context, state_, request.limits);
    waiting_.erase(&request);
    if (const auto until = processor_.serve(context)) {
      if (request.wake) waiting_.emplace(&request, *request.wake);
      return *until;
    }
    processor_.leave(context);
  }
  return resultOf(std::move(context));
}

void Engine::abandon(ResumableRequest& request) {
  const Change change{*this};
  waiting_.erase(&request);
  processor_.abandon(request.context);
}

/// Waits until `time`, until a lock is released, or until the caller cancels.
void Engine::waitUntil(Instant time, Lock& lock, const std::stop_token& stop) {
  std::stop_source wake;
  const std::stop_callback canceled{stop, [&wake] { wake.request_stop(); }};
  waiting_.emplace(&wake, wake);
  lock.unlock();
  clock_->passUntil(time, wake.get_token());
  lock.lock();
  waiting_.erase(&wake);
}

/// Writes a deferred response, unless the sender has given up, and adds it to the log.
void Engine::answerLate(RequestContext& context) {
  if (context.end > context.until) return;
  RequestProcessor::answer(context);
  const Change change{*this};
  if (context.sent) context.state->log.complete(context.number, *context.sent);
}

/// Call without holding the lock, since deferred responses take long.
TimedResult Engine::resultOf(RequestContext&& context) {
  if (context.isDeferred()) answerLate(context);
  const AnyOperation* operation = context.arrival.route.operation;
  TimedResult timed{.due = std::min(context.end, context.until),
                    .clock = clock_,
                    .operation = operation == nullptr ? std::string_view{} : operation->name,
                    .limit = context.limit,
                    .fault = context.faultName()};
  if (context.end > context.until) {
    timed.result =
        TransportFailure{.kind = TransportFailure::Kind::timeout, .message = "no response in time"};
  } else if (context.failure) {
    timed.result = *std::move(context.failure);
  } else {
    timed.result = *std::move(context.sent);
    timed.chunks = context.rule.chunks;
    timed.pause = context.rule.pause;
  }
  return timed;
}

/// Updates the indexes with changes made during the search. Only the last few changes are applied under the
/// lock. If changes arrive faster than that, the next search creates the indexes again.
void Engine::keepIndexes(Collection& original, Collection searched) const {
  constexpr std::size_t little = 64;
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    Collection present;
    {
      const Lock lock{mutex_};
      if (original.keepIndexes(searched, little)) return;
      present = original;
    }
    (void)present.keepIndexes(searched, present.size());
    searched = std::move(present);
  }
}

HttpResponse Engine::handle(const HttpRequest& request) {
  TimedResult timed = exchange(request, {.deadline = Instant::max()});
  auto* response = std::get_if<HttpResponse>(&timed.result);
  return response == nullptr ? HttpResponse{} : std::move(*response);
}

std::vector<LoggedRequest> Engine::requests(std::uint64_t after, std::size_t most) const {
  const Lock lock{mutex_};
  return state_->log.entries(after, most);
}

std::uint64_t Engine::droppedRequests() const {
  const Lock lock{mutex_};
  return state_->log.dropped();
}

std::uint64_t Engine::lastRequest() const {
  const Lock lock{mutex_};
  return state_->log.last();
}

std::size_t Engine::logSize() const {
  const Lock lock{mutex_};
  return state_->log.size();
}

void Engine::clearRequests() {
  const Change change{*this};
  state_->log.clear();
}

Account Engine::addAccount(AccountOptions accountOptions) {
  const Change change{*this};
  Account added = state_->accounts.add(catalog_, std::move(accountOptions));
  detail::applyOverrides(catalog_, state_->settings, state_->accounts.stateOf(added.id));
  return added;
}

std::vector<Account> Engine::accounts() const {
  const Lock lock{mutex_};
  std::vector<Account> present;
  for (const auto& [number, account] : state_->accounts.all())
    present.push_back(account->account);
  return present;
}

/// Destroys the account without holding the lock, since that may take long.
void Engine::removeAccount(const Account& account) {
  std::shared_ptr<AccountState> removed;
  const Lock lock{mutex_};
  removed = state_->remove(account.id);
  wakeAll();
}

Account Engine::account(std::string_view id) const {
  const Lock lock{mutex_};
  return state_->accounts.stateOf(id).account;
}

void Engine::connect(const Account& platform, const Account& connected) {
  const Change change{*this};
  connectAccounts(catalog_, *state_, platform, connected, clock_->now());
}

std::string Engine::addToken(const Account& account, const Account* connected, bool livemode) {
  const Change change{*this};
  return state_->accounts.addToken(account, connected, livemode);
}

std::uint64_t Engine::nextJitterSeed() {
  const Lock lock{mutex_};
  return state_->jitterSeeds.nextNumber();
}

Collection& Engine::collectionOf(const Caller& owner, const ResourceType& type) const {
  return owner.collection(catalog_.indexOf(type.resource()));
}

void Engine::beginInsert(std::string_view key, const ResourceType& type, Instant now, ObjectRef object) {
  const Lock lock{mutex_};
  const Caller owner = state_->accounts.ownerOf(key);
  beginObject(type, collectionOf(owner, type), state_->objectIds, now, owner.livemode, object);
}

void Engine::insert(std::string_view key, const ResourceType& type, Instant now, ObjectRef object,
                    std::uint8_t state) {
  const std::string json = encode(object);
  checkSendable(type, json);
  const Change change{*this};
  const Caller owner = state_->accounts.ownerOf(key);
  checkStorable(type, collectionOf(owner, type), object);
  store(owner, type, now, object, json, state);
}

void Engine::insertNext(std::string_view key, ObjectSeries& series, std::size_t count,
                        std::vector<std::string>& ids) {
  const ResourceType& type = series.type();
  const Instant now = clock_->now();
  const Change change{*this};
  const Caller owner = state_->accounts.ownerOf(key);
  for (std::size_t n = 0; n < count; ++n) {
    series.advance(collectionOf(owner, type), state_->objectIds, now);
    store(owner, type, now, series.object(), series.json(), series.state());
    ids.push_back(type.id(series.object()));
  }
}

void Engine::store(const Caller& owner, const ResourceType& type, Instant now, ObjectRef object,
                   std::string_view json, std::uint8_t state) {
  storeObject(type, collectionOf(owner, type), now, object, json, state);
  if (type.rules().isAccount) makeAccount(catalog_, *state_, owner, type, object, now);
}

std::optional<std::string> Engine::stateOf(std::string_view key, std::string_view id) const {
  const Lock lock{mutex_};
  const Caller owner = state_->accounts.ownerOf(key);
  for (const ResourceType& type : catalog_.types()) {
    const Record* record = collectionOf(owner, type).find(id);
    const auto states = type.machine().states;
    if (record != nullptr && !states.empty()) return std::string{states[record->state()]};
  }
  return std::nullopt;
}

std::optional<StoredObject> Engine::object(std::string_view key, std::string_view id) const {
  const Lock lock{mutex_};
  return findObject(catalog_, state_->accounts.ownerOf(key).mode().collections, id);
}

/// Reads a copy, so that requests need not wait.
ObjectList Engine::objects(std::string_view key, const ObjectFilter& filter) const {
  std::vector<Collection> collections;
  {
    const Lock lock{mutex_};
    collections = state_->accounts.ownerOf(key).mode().collections;
  }
  return listObjects(catalog_, collections, filter);
}

std::uint64_t Engine::injectFault(FaultRule rule) {
  const Change change{*this};
  return state_->rules.add(std::move(rule), clock_->now());
}

bool Engine::removeFault(std::uint64_t id) {
  const Change change{*this};
  return state_->rules.remove(id);
}

void Engine::removeFaults() {
  const Change change{*this};
  state_->rules.clear();
}

std::vector<fake::InjectedFault> Engine::faults() const {
  const Lock lock{mutex_};
  return state_->rules.all();
}

std::vector<FaultRule> Engine::pendingFaults() const {
  const Lock lock{mutex_};
  return state_->rules.pending();
}

void Engine::setDuration(const AnyOperation& operation, std::chrono::nanoseconds duration) {
  const Change change{*this};
  state_->durations[&operation] = duration;
}

void Engine::unsetDuration(const AnyOperation* operation) {
  const Lock lock{mutex_};
  if (operation == nullptr) {
    state_->durations.clear();
  } else {
    state_->durations.erase(operation);
  }
}

void Engine::applyOverrides() {
  for (const auto& [number, account] : state_->accounts.all())
    detail::applyOverrides(catalog_, state_->settings, *account);
}

void Engine::setLimit(const LimitOverride& setting) {
  const Change change{*this};
  addOverride(setting, state_->settings);
  applyOverrides();
}

void Engine::setLimit(const Account& account, const LimitOverride& setting) {
  const Change change{*this};
  AccountState& meant = state_->accounts.stateOf(account.id);
  addOverride(setting, meant.settings);
  detail::applyOverrides(catalog_, state_->settings, meant);
}

void Engine::unsetLimits(std::string_view limit) {
  const Lock lock{mutex_};
  removeOverrides(limit, state_->settings);
  for (const auto& [number, account] : state_->accounts.all())
    removeOverrides(limit, account->settings);
  applyOverrides();
}

void Engine::unsetLimits(const Account& account, std::string_view limit) {
  const Lock lock{mutex_};
  AccountState& meant = state_->accounts.stateOf(account.id);
  removeOverrides(limit, meant.settings);
  detail::applyOverrides(catalog_, state_->settings, meant);
}

void Engine::recordTransactions(std::string_view key, std::int64_t count) {
  const Change change{*this};
  const Instant now = clock_->now();
  SlidingWindow& transactions = state_->accounts.ownerOf(key).mode().reads.transactions;
  if (count > ReadCounters::mostTransactions - transactions.count(now))
    throw std::invalid_argument{"expected at most " + std::to_string(ReadCounters::mostTransactions) +
                                " transactions in the window of the read allocation"};
  transactions.add(now, count);
}

std::vector<LimitUsage> Engine::usage(const Account& account) const {
  const Lock lock{mutex_};
  const Instant now = clock_->now();
  Accounts& accounts = state_->accounts;
  AccountState& state = accounts.stateOf(account.id);
  std::vector<LimitUsage> lines = usageOf(catalog_, accounts, state, true, now);
  for (LimitUsage& line : usageOf(catalog_, accounts, state, false, now))
    lines.push_back(std::move(line));
  return lines;
}

LimitUsage Engine::usage(std::string_view key, std::string_view limit, std::string_view of) const {
  const Lock lock{mutex_};
  const Instant now = clock_->now();
  Accounts& accounts = state_->accounts;
  const Caller owner = accounts.ownerOf(key);
  AccountState& holder = holderOf(catalog_, limit, owner);
  for (LimitUsage& line : usageOf(catalog_, accounts, holder, owner.livemode, now))
    if (line.limit == limit && line.operation + line.object == of) return std::move(line);
  return unusedLimit(catalog_, holder, owner.livemode, limit, of, now);
}

std::vector<AllocationForecast> Engine::allocationForecasts(std::string_view key) const {
  const Lock lock{mutex_};
  Accounts& accounts = state_->accounts;
  const Caller owner = accounts.ownerOf(key);
  std::vector<AllocationForecast> forecasts;
  for (const bool onBehalf : {false, true})
    forecasts.push_back(
        ReadQuota{catalog_.readAllocation(), *owner.account, owner.livemode, onBehalf}.forecast(
            accounts, clock_->now()));
  return forecasts;
}

std::uint64_t Engine::keep(Holding hold) {
  const std::uint64_t number = ++lastHold_;
  state_->holds.emplace(number, std::move(hold));
  return number;
}

std::uint64_t Engine::lockObject(std::string_view key, std::string_view id,
                                 std::optional<std::chrono::nanoseconds> duration) {
  const Change change{*this};
  const Caller owner = state_->accounts.ownerOf(key);
  const std::uint64_t number =
      keep({.account = owner.account->account.id, .livemode = owner.livemode, .object = std::string{id}});
  const Instant now = clock_->now();
  const Instant end = duration ? saturatingAdd(now, *duration) : Instant::max();
  owner.mode().locks.lock(id, now, end, number);
  return number;
}

std::uint64_t Engine::holdConcurrency(std::string_view key, const AnyOperation* operation,
                                      std::int64_t places) {
  const Change change{*this};
  const Caller owner = state_->accounts.ownerOf(key);
  const std::uint64_t number = keep({.account = owner.payer->account.id,
                                     .livemode = owner.livemode,
                                     .operation = operation,
                                     .places = places});
  owner.payerMode().counters.hold(catalog_.plan(), operation, places);
  return number;
}

void Engine::release(std::uint64_t number) {
  const Change change{*this};
  state_->release(number, catalog_.plan());
  wakeAll();
}

void Engine::wakeAll() {
  for (auto& [request, wake] : waiting_)
    wake.request_stop();
}

Snapshot Engine::snapshot() const {
  const Lock lock{mutex_};
  return {withoutHolds(*state_), clock_->reading()};
}

/// Destroys the old state without holding the lock, since that may take long.
void Engine::restore(const Snapshot& snapshot) {
  auto state = std::make_shared<ServiceState>(*snapshot.state());
  const Change change{*this};
  state_.swap(state);
  clock_->set(snapshot.clock());
}

std::shared_ptr<Engine> Engine::fork() const {
  auto copy = std::shared_ptr<Engine>{new Engine{options_, sharedCatalog_}};
  copy->restore(snapshot());
  copy->branches_ = branches_;
  return copy;
}

std::shared_ptr<Engine> Engine::fork(std::uint64_t keySeed) const {
  auto copy = fork();
  copy->state_->branch({.service = options_.seed, .keys = keySeed, .number = ++*branches_});
  return copy;
}

}  // namespace tally::fake::detail
