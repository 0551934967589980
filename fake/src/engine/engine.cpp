#include "engine/engine.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "accounts/account_limits.h"
#include "accounts/read_allocation.h"
#include "objects/account_objects.h"
#include "objects/inserted_object.h"
#include "objects/object_list.h"
#include "objects/objects.h"
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

Engine::Engine(const ServiceOptions& options) : Engine(options, catalogOfTheApi()) {}

Engine::Engine(const ServiceOptions& options, const Description& description)
    : Engine(options, std::make_shared<const Catalog>(description)) {}

Engine::Engine(const ServiceOptions& options, std::shared_ptr<const Catalog> catalog)
    : options_(options),
      clock_(std::make_shared<VirtualClock>(options.start, changes_)),
      sharedCatalog_(std::move(catalog)),
      catalog_(*sharedCatalog_),
      processor_(options_, catalog_, *clock_,
                 [this](const Collection& original, Collection searched) {
                   keepIndexes(original, std::move(searched));
                 }),
      state_(std::make_shared<ServiceState>(options, catalog_.description()), *changes_) {}

ScheduledResult Engine::exchange(const HttpRequest& request, const SendLimits& limits,
                                 std::string_view otherMethod) {
  const Arrival arrival = arrive(catalog_, request, otherMethod);
  RequestContext context{.arrival = arrival, .blocks = true};
  {
    Change change = state_.change();
    processor_.enter(change, context, limits);
    while (const auto until = processor_.serve(change, context))
      waitUntil(*until, change, context.stop);
    processor_.leave(change, context);
  }
  return resultOf(std::move(context));
}

std::variant<ScheduledResult, Instant> Engine::proceed(ResumableRequest& request) {
  RequestContext& context = request.context;
  {
    const Change change = state_.change();
    if (!context.state) processor_.enter(change, context, request.limits);
    change.endWait(&request);
    if (const auto until = processor_.serve(change, context)) {
      if (request.wake) change.beginWait(&request, *request.wake);
      return *until;
    }
    processor_.leave(change, context);
  }
  return resultOf(std::move(context));
}

void Engine::abandon(ResumableRequest& request) {
  const Change change = state_.change();
  change.endWait(&request);
  processor_.abandon(change, request.context);
}

/// Waits until `time`, until a lock is released, or until the caller cancels.
void Engine::waitUntil(Instant time, Change& change, const std::stop_token& stop) {
  std::stop_source wake;
  const std::stop_callback canceled{stop, [&wake] { wake.request_stop(); }};
  change.beginWait(&wake, wake);
  change.withoutLock([&] { clock_->passUntil(time, wake.get_token()); });
  change.endWait(&wake);
}

/// Writes a deferred response, unless the sender has given up, and adds it to the log.
void Engine::answerLate(RequestContext& context) {
  if (context.end > context.until) return;
  RequestProcessor::answer(context);
  RequestProcessor::complete(state_.change(), context);
}

/// Call without holding the lock, since deferred responses take long.
ScheduledResult Engine::resultOf(RequestContext&& context) {
  if (context.isDeferred()) answerLate(context);
  const AnyOperation* operation = context.arrival.route.operation;
  ScheduledResult timed{.due = std::min(context.end, context.until),
                        .clock = clock_,
                        .latency = context.rule.latency,
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
void Engine::keepIndexes(const Collection& original, Collection searched) const {
  constexpr std::size_t little = 64;
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    Collection present;
    {
      const Reading reading = state_.read();
      if (original.keepIndexes(searched, little)) return;
      present = original;
    }
    (void)present.keepIndexes(searched, present.size());
    searched = std::move(present);
  }
}

HttpResponse Engine::handle(const HttpRequest& request) {
  ScheduledResult timed = exchange(request, {.deadline = Instant::max()});
  auto* response = std::get_if<HttpResponse>(&timed.result);
  return response == nullptr ? HttpResponse{} : std::move(*response);
}

std::vector<LoggedRequest> Engine::requests(std::uint64_t after, std::size_t most) const {
  return state_.read()->log.entries(after, most);
}

std::uint64_t Engine::droppedRequests(std::uint64_t after) const {
  return state_.read()->log.dropped(after);
}

std::uint64_t Engine::lastRequest() const {
  return state_.read()->log.last();
}

std::size_t Engine::logSize() const {
  return state_.read()->log.size();
}

void Engine::clearRequests() {
  state_.change()->log.clear();
}

Account Engine::addAccount(AccountOptions accountOptions) {
  const Change change = state_.change();
  Account added = change->accounts.add(catalog_, std::move(accountOptions));
  detail::applyOverrides(catalog_, change->settings, change->accounts.stateOf(added.id));
  return added;
}

std::vector<Account> Engine::accounts() const {
  const Reading reading = state_.read();
  std::vector<Account> present;
  for (const auto& [number, account] : reading->accounts.all())
    present.push_back(account->account);
  return present;
}

/// Destroys the account without holding the lock, since that may take long.
void Engine::removeAccount(const Account& account) {
  std::shared_ptr<AccountState> removed;
  const Change change = state_.change();
  removed = change->remove(account.id);
  change.wakeAll();
}

Account Engine::account(std::string_view id) const {
  return state_.read()->accounts.stateOf(id).account;
}

void Engine::connect(const Account& platform, const Account& connected) {
  connectAccounts(catalog_, state_.change()->accounts, platform, connected, clock_->now());
}

std::string Engine::addToken(const Account& account, const Account* connected, bool livemode) {
  return state_.change()->accounts.addToken(account, connected, livemode);
}

std::uint64_t Engine::nextJitterSeed() {
  return state_.change()->jitterSeeds.nextNumber();
}

void Engine::insert(std::string_view key, const ResourceType& type, ObjectRef object,
                    const std::function<std::uint8_t()>& edit) {
  const Instant now = clock_->now();
  std::uint8_t state = 0;
  std::string json;
  Change change = state_.change();
  const Caller creator = change->accounts.ownerOf(key);
  beginObject(type, collectionOf(creator, type), change->objectIds, now, creator.livemode, object);
  change.withoutLock([&] {
    state = edit();
    json = encode(object);
    checkSendable(type, json);
  });
  const Caller owner = change->accounts.ownerOf(key);
  checkStorable(type, collectionOf(owner, type), object);
  store(change, owner, type, now, object, json, state);
}

void Engine::insertNext(std::string_view key, ObjectSeries& series, std::size_t count,
                        std::vector<std::string>& ids) {
  const ResourceType& type = series.type();
  const Instant now = clock_->now();
  const Change change = state_.change();
  const Caller owner = change->accounts.ownerOf(key);
  for (std::size_t n = 0; n < count; ++n) {
    series.advance(collectionOf(owner, type), change->objectIds, now);
    store(change, owner, type, now, series.object(), series.json(), series.state());
    ids.push_back(type.id(series.object()));
  }
}

void Engine::store(const Change& change, const Caller& owner, const ResourceType& type, Instant now,
                   ObjectRef object, std::string_view json, std::uint8_t state) {
  storeObject(type, collectionOf(owner, type), now, object, json, state);
  if (type.rules().isAccount)
    makeAccount(catalog_, change->accounts, change->settings, owner, type, object, now);
}

std::optional<std::string> Engine::stateOf(std::string_view key, std::string_view id) const {
  const Reading reading = state_.read();
  const Viewer owner = reading->accounts.ownerOf(key);
  for (const ResourceType& type : catalog_.types()) {
    const Record* record = collectionOf(owner, type).find(id);
    const auto states = type.machine().states;
    if (record != nullptr && !states.empty()) return std::string{states[record->state()]};
  }
  return std::nullopt;
}

std::optional<StoredObject> Engine::object(std::string_view key, std::string_view id) const {
  const Reading reading = state_.read();
  return findObject(catalog_, reading->accounts.ownerOf(key).mode().collections, id);
}

/// Reads a copy, so that requests need not wait.
ObjectList Engine::objects(std::string_view key, const ObjectFilter& filter) const {
  const std::vector<Collection> collections = state_.read()->accounts.ownerOf(key).mode().collections;
  return listObjects(catalog_, collections, filter);
}

std::uint64_t Engine::injectFault(FaultRule rule) {
  return state_.change()->rules.add(std::move(rule), clock_->now());
}

bool Engine::removeFault(std::uint64_t id) {
  return state_.change()->rules.remove(id);
}

void Engine::removeFaults() {
  state_.change()->rules.clear();
}

std::vector<fake::InjectedFault> Engine::faults() const {
  return state_.read()->rules.all();
}

std::vector<FaultRule> Engine::pendingFaults() const {
  return state_.read()->rules.pending();
}

void Engine::setDuration(const AnyOperation& operation, std::chrono::nanoseconds duration) {
  state_.change()->durations[&operation] = duration;
}

void Engine::unsetDuration(const AnyOperation* operation) {
  const Change change = state_.change();
  if (operation == nullptr) {
    change->durations.clear();
  } else {
    change->durations.erase(operation);
  }
}

void Engine::applyOverrides(const Change& change) const {
  for (const auto& [number, account] : change->accounts.all())
    detail::applyOverrides(catalog_, change->settings, *account);
}

void Engine::setLimit(const LimitOverride& setting) {
  const Change change = state_.change();
  addOverride(setting, change->settings);
  applyOverrides(change);
}

void Engine::setLimit(const Account& account, const LimitOverride& setting) {
  const Change change = state_.change();
  AccountState& meant = change->accounts.stateOf(account.id);
  addOverride(setting, meant.settings);
  detail::applyOverrides(catalog_, change->settings, meant);
}

void Engine::unsetLimits(std::string_view limit) {
  const Change change = state_.change();
  removeOverrides(limit, change->settings);
  for (const auto& [number, account] : change->accounts.all())
    removeOverrides(limit, account->settings);
  applyOverrides(change);
}

void Engine::unsetLimits(const Account& account, std::string_view limit) {
  const Change change = state_.change();
  AccountState& meant = change->accounts.stateOf(account.id);
  removeOverrides(limit, meant.settings);
  detail::applyOverrides(catalog_, change->settings, meant);
}

void Engine::recordTransactions(std::string_view key, std::int64_t count) {
  const Change change = state_.change();
  const Instant now = clock_->now();
  SlidingWindow& transactions = change->accounts.ownerOf(key).mode().reads.transactions;
  if (count > ReadCounters::mostTransactions - transactions.count(now))
    throw std::invalid_argument{"expected at most " + std::to_string(ReadCounters::mostTransactions) +
                                " transactions in the window of the read allocation"};
  transactions.add(now, count);
}

std::vector<LimitUsage> Engine::usage(const Account& account) const {
  const Reading reading = state_.read();
  const Instant now = clock_->now();
  const Accounts& accounts = reading->accounts;
  const AccountState& state = accounts.stateOf(account.id);
  std::vector<LimitUsage> lines = usageOf(catalog_, accounts, state, true, now);
  for (LimitUsage& line : usageOf(catalog_, accounts, state, false, now))
    lines.push_back(std::move(line));
  return lines;
}

/// The lines of the account that each limit belongs to.
std::vector<LimitUsage> Engine::usage(std::string_view key) const {
  const Reading reading = state_.read();
  const Instant now = clock_->now();
  const Accounts& accounts = reading->accounts;
  const Viewer owner = accounts.ownerOf(key);
  std::vector<const AccountState*> holders{owner.payer.get()};
  if (owner.account != owner.payer) holders.push_back(owner.account.get());
  std::vector<LimitUsage> lines;
  for (const bool livemode : {true, false})
    for (const AccountState* holder : holders)
      for (LimitUsage& line : usageOf(catalog_, accounts, *holder, livemode, now))
        if (&holderOf(catalog_, line.limit, owner) == holder) lines.push_back(std::move(line));
  return lines;
}

LimitUsage Engine::usage(std::string_view key, std::string_view limit, std::string_view of) const {
  const Reading reading = state_.read();
  const Instant now = clock_->now();
  const Accounts& accounts = reading->accounts;
  const Viewer owner = accounts.ownerOf(key);
  const AccountState& holder = holderOf(catalog_, limit, owner);
  for (LimitUsage& line : usageOf(catalog_, accounts, holder, owner.livemode, now))
    if (line.limit == limit && line.operation + line.object == of) return std::move(line);
  return unusedLimit(catalog_, holder, owner.livemode, limit, of, now);
}

std::vector<AllocationForecast> Engine::allocationForecasts(std::string_view key) const {
  const Reading reading = state_.read();
  const Accounts& accounts = reading->accounts;
  const Viewer owner = accounts.ownerOf(key);
  std::vector<AllocationForecast> forecasts;
  for (const bool onBehalf : {false, true})
    forecasts.push_back(ReadQuota{catalog_.readAllocation(), *owner.payer, owner.livemode, onBehalf}.forecast(
        accounts, clock_->now()));
  return forecasts;
}

std::uint64_t Engine::keep(const Change& change, Holding hold) {
  const std::uint64_t number = ++lastHold_;
  change->holds.emplace(number, std::move(hold));
  return number;
}

std::uint64_t Engine::lockObject(std::string_view key, std::string_view id,
                                 std::optional<std::chrono::nanoseconds> duration) {
  const Change change = state_.change();
  const Caller owner = change->accounts.ownerOf(key);
  Holding lock{.account = owner.account->account.id, .livemode = owner.livemode, .object = std::string{id}};
  const Instant now = clock_->now();
  if (duration) lock.until = saturatingAdd(now, *duration);
  const Instant end = lock.until.value_or(Instant::max());
  const std::uint64_t number = keep(change, std::move(lock));
  owner.mode().locks.lock(id, now, end, number);
  return number;
}

std::uint64_t Engine::holdConcurrency(std::string_view key, const AnyOperation* operation,
                                      std::int64_t places) {
  const Change change = state_.change();
  const Caller owner = change->accounts.ownerOf(key);
  const std::uint64_t number = keep(change, {.account = owner.payer->account.id,
                                             .livemode = owner.livemode,
                                             .operation = operation,
                                             .places = places});
  owner.payerMode().counters.hold(catalog_.plan(), operation, places);
  return number;
}

void Engine::release(std::uint64_t number) {
  const Change change = state_.change();
  change->release(number, catalog_.plan());
  change.wakeAll();
}

std::optional<HeldThing> Engine::held(std::uint64_t number) const {
  const Reading reading = state_.read();
  const auto found = reading->holds.find(number);
  if (found == reading->holds.end()) return std::nullopt;
  const Holding& hold = found->second;
  if (hold.until && *hold.until <= clock_->now()) return std::nullopt;
  return HeldThing{.account = hold.account,
                   .livemode = hold.livemode,
                   .object = hold.object,
                   .operation = std::string{hold.operation == nullptr ? "" : hold.operation->name},
                   .places = hold.places,
                   .until = hold.until};
}

Snapshot Engine::snapshot() const {
  const Reading reading = state_.read();
  return {withoutHolds(*reading), clock_->reading()};
}

/// Destroys the old state without holding the lock, since that may take long.
void Engine::restore(const Snapshot& snapshot) {
  auto state = std::make_shared<ServiceState>(*snapshot.state());
  const Change change = state_.change();
  change.replace(state);
  clock_->restore(snapshot.clock());
}

std::shared_ptr<Engine> Engine::fork() const {
  auto copy = std::shared_ptr<Engine>{new Engine{options_, sharedCatalog_}};
  copy->restore(snapshot());
  copy->branches_ = branches_;
  return copy;
}

std::shared_ptr<Engine> Engine::fork(std::uint64_t keySeed) const {
  auto copy = fork();
  copy->state_.change()->branch({.service = options_.seed, .keys = keySeed, .number = ++*branches_});
  return copy;
}

}  // namespace tally::fake::detail
