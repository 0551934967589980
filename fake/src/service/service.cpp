#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <tally/fake/service.h>

#include "codec/json_reader.h"
#include "engine/engine.h"
#include "objects/inserted_object.h"
#include "objects/object_series.h"
#include "objects/objects.h"
#include "faults/longest_duration.h"
#include "faults/similarity.h"
#include "faults/verification.h"
#include "request/json_document.h"
#include "tables/object_merge.h"
#include "tables/utf8.h"

namespace tally::fake {

using detail::AnyOperation;
using detail::Engine;
using detail::ObjectSeries;
using detail::ResourceType;
using tally::detail::AnyObject;
using tally::detail::ObjectRef;

namespace {

using std::chrono::nanoseconds;

const ResourceType& typeNamed(const Engine& engine, std::string_view name) {
  if (const ResourceType* type = engine.catalog().findType(name)) return *type;
  throw std::invalid_argument{"unknown resource '" + std::string{name} + "'"};
}

const AnyOperation& operationNamed(const Engine& engine, std::string_view name) {
  if (const AnyOperation* operation = engine.catalog().findOperation(name)) return *operation;
  throw std::invalid_argument{"unknown operation '" + std::string{name} + "'" +
                              detail::suggestion(name, engine.catalog().description().operations)};
}

/// Names that match nothing would look like an empty store.
void checkFilter(const Engine& engine, const ObjectFilter& filter) {
  if (!filter.resource.empty()) (void)typeNamed(engine, filter.resource);
  const auto has = [&](const ResourceType& type) {
    return (filter.resource.empty() || filter.resource == type.resource().name) &&
           std::ranges::find(type.machine().states, filter.state) != type.machine().states.end();
  };
  if (!filter.state.empty() && std::ranges::none_of(engine.catalog().types(), has))
    throw std::invalid_argument{
        (filter.resource.empty() ? "no resource has a" : filter.resource + " has no") + " state '" +
        filter.state + "'"};
}

/// An empty name means all limits.
void checkLimit(const Engine& engine, std::string_view limit) {
  if (!limit.empty()) engine.catalog().plan().check({.limit = std::string{limit}});
}

void checkCount(std::int64_t count, const char* what) {
  constexpr std::int64_t most = 1'000'000'000'000;  // so that sums of many counts can't overflow
  if (count < 1) throw std::invalid_argument{std::string{"expected at least one "} + what};
  if (count > most) throw std::invalid_argument{std::string{"expected at most 1000000000000 "} + what + 's'};
}

/// What is saved as JSON has to be UTF-8.
void checkText(std::string_view what, std::string_view text) {
  if (!detail::isUtf8(text)) throw std::invalid_argument{"the " + std::string{what} + " is not UTF-8"};
}

void checkLimit(const Engine& engine, const LimitOverride& setting) {
  engine.catalog().plan().check(setting);
  checkText("country of a limit", setting.country);
  checkText("industry of a limit", setting.industry);
}

template <class Duration>
void checkDuration(Duration duration) {
  if (duration < Duration::zero()) throw std::invalid_argument{"a duration can't be negative"};
  if (duration > std::chrono::floor<Duration>(detail::longestDuration))
    throw std::invalid_argument{"a duration can't exceed 100 years"};
}

/// Calls `look` with the present requests of the log, oldest first, until it returns false. Copies them in
/// parts, so that the service is not held up. A pattern for an unknown operation would never match.
template <class Look>
void forEach(const Engine& engine, const RequestPattern& pattern, std::uint64_t after, const Look& look) {
  if (!pattern.operation.empty()) (void)operationNamed(engine, pattern.operation);
  constexpr std::size_t atOnce = 256;
  const std::uint64_t last = engine.lastRequest();
  while (after < last) {
    std::vector<LoggedRequest> part = engine.requests(after, atOnce);
    if (part.empty()) return;
    after = part.back().number;
    for (LoggedRequest& request : part)
      if (request.number > last || !look(request)) return;
  }
}

/// Inserts the object that `edit` makes, and returns the series that it starts. `given` has the paths that
/// are to stay even if `edit` does not change them.
ObjectSeries insertObject(Engine& engine, std::string_view key, const ResourceType& type, ObjectRef object,
                          const std::function<void()>& edit, std::string_view state, detail::Paths given) {
  detail::Paths said;
  std::uint8_t reached = 0;
  engine.insert(key, type, object, [&] {
    const bool livemode = type.livemode(object);
    type.onCreate().clear(object);
    AnyObject before{type.model()};
    detail::copyObject(object, before.ref());
    edit();
    detail::settle(type, object);
    type.livemode(object) = livemode;
    said = detail::differences(before.ref(), object);
    std::ranges::move(given, std::back_inserter(said));
    return reached = detail::complete(type, said, state, object);
  });
  return {type, std::move(said), reached, object};
}

[[noreturn]] void refuseFields(const ResourceType& type, const std::string& problem) {
  throw std::invalid_argument{"invalid fields of a " + type.words() + ": " + problem};
}

/// Checks what a description of fields does not show: that they are an object whose names are unique.
void checkFields(const ResourceType& type, const detail::JsonDocument& fields) {
  if (const auto& problem = fields.problem())
    refuseFields(type, problem->tooDeep
                           ? problem->path() + ": " + problem->what
                           : "not JSON at byte " + std::to_string(problem->offset) + ": " + problem->what);
  if (!fields.root().isObject()) refuseFields(type, "expected an object");
  if (const auto repeated = repeatedName(fields.root()))
    refuseFields(type, "'" + *repeated + "' is given twice");
}

/// Inserts the object with these fields, in place of `object`, and returns the series that it starts.
ObjectSeries insertFields(Engine& engine, std::string_view key, const ResourceType& type, ObjectRef object,
                          std::string_view fields, std::string_view state) {
  const detail::JsonDocument given{fields};
  checkFields(type, given);
  const auto edit = [&] {
    if (const auto problem = tally::detail::mergeJson(given.root().text(), object))
      refuseFields(type, *problem);
    const UnknownFields* unknown = object.unknownFields();
    if (unknown != nullptr && !unknown->empty())
      throw std::invalid_argument{"a " + type.words() + " has no field '" + unknown->front().path + "'"};
  };
  return insertObject(engine, key, type, object, edit, state, detail::pathsIn(given.root()));
}

}  // namespace

Service::Service(ServiceOptions options) {
  checkDuration(options.duration);
  checkDuration(options.lockWait);
  checkDuration(options.searchLag);
  engine_ = std::make_shared<Engine>(options);
}

Service::Service(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

Service::~Service() = default;

Account Service::addAccount(AccountOptions options) {
  checkText("country of an account", options.country);
  checkText("industry of an account", options.industry);
  return engine_->addAccount(std::move(options));
}

Account Service::account(std::string_view id) const {
  return engine_->account(id);
}

std::vector<Account> Service::accounts() const {
  return engine_->accounts();
}

void Service::removeAccount(const Account& account) {
  engine_->removeAccount(account);
}

void Service::connect(const Account& platform, const Account& connected) {
  engine_->connect(platform, connected);
}

std::string Service::addAccessToken(const Account& account, bool livemode) {
  return engine_->addToken(account, nullptr, livemode);
}

std::string Service::addAccessToken(const Account& platform, const Account& connected, bool livemode) {
  return engine_->addToken(platform, &connected, livemode);
}

void Service::insertObject(std::string_view key, std::string_view resource, void* object,
                           const std::function<void()>& edit, std::string_view state) {
  const ResourceType& type = typeNamed(*engine_, resource);
  (void)fake::insertObject(*engine_, key, type, ObjectRef{type.model(), object}, edit, state, {});
}

std::string Service::insert(std::string_view key, std::string_view resource, std::string_view fields,
                            std::string_view state) {
  const ResourceType& type = typeNamed(*engine_, resource);
  AnyObject object{type.model()};
  (void)insertFields(*engine_, key, type, object.ref(), fields, state);
  return detail::encode(object.ref());
}

std::vector<std::string> Service::insertMany(std::string_view key, std::string_view resource,
                                             std::size_t count, std::string_view fields,
                                             std::string_view state) {
  constexpr std::size_t atOnce = 64;  // so that requests need not wait long
  const ResourceType& type = typeNamed(*engine_, resource);
  std::vector<std::string> ids;
  if (count == 0) return ids;
  AnyObject object{type.model()};
  ObjectSeries series = insertFields(*engine_, key, type, object.ref(), fields, state);
  ids.push_back(type.id(object.ref()));
  while (ids.size() < count)
    engine_->insertNext(key, series, std::min(atOnce, count - ids.size()), ids);
  return ids;
}

ClientOptions Service::clientOptions(std::string_view key) {
  return {.apiKey = std::string{key},
          .baseUrl = "https://api.example.com",
          .transport = transport(),
          .clock = clock(),
          .jitterSeed = engine_->nextJitterSeed()};
}

std::shared_ptr<Transport> Service::transport() const {
  return std::make_shared<Transport>(engine_);
}

std::shared_ptr<VirtualClock> Service::clock() const {
  return engine_->clock();
}

std::uint64_t Service::injectFault(FaultRule rule) {
  return engine_->injectFault(std::move(rule));
}

bool Service::removeFault(std::uint64_t id) {
  return engine_->removeFault(id);
}

void Service::removeFaults() {
  engine_->removeFaults();
}

std::vector<InjectedFault> Service::faults() const {
  return engine_->faults();
}

std::vector<FaultRule> Service::pendingFaults() const {
  return engine_->pendingFaults();
}

std::vector<LoggedRequest> Service::requests(std::uint64_t after, std::size_t most) const {
  return engine_->requests(after, most);
}

std::size_t Service::count(const RequestPattern& pattern) const {
  std::size_t count = 0;
  forEach(*engine_, pattern, 0, [&](const LoggedRequest& request) {
    if (matches(pattern, request)) ++count;
    return true;
  });
  return count;
}

std::vector<LoggedRequest> Service::matching(const RequestPattern& pattern, std::uint64_t after,
                                             std::size_t most) const {
  std::vector<LoggedRequest> found;
  forEach(*engine_, pattern, after, [&](LoggedRequest& request) {
    if (found.size() < most && matches(pattern, request)) found.push_back(std::move(request));
    return found.size() < most;
  });
  return found;
}

/// Asks last what was dropped, so that nothing is missed that is dropped meanwhile.
Verification Service::verify(const RequestPattern& pattern, const Count& expected,
                             std::uint64_t after) const {
  detail::Verifier verifier{pattern};
  forEach(*engine_, pattern, after, [&](LoggedRequest& request) {
    verifier.look(std::move(request));
    return true;
  });
  return std::move(verifier).result(expected, engine_->droppedRequests(after));
}

void Service::clearRequests() {
  engine_->clearRequests();
}

std::uint64_t Service::droppedRequests() const {
  return engine_->droppedRequests();
}

std::uint64_t Service::lastRequest() const {
  return engine_->lastRequest();
}

std::size_t Service::logSize() const {
  return engine_->logSize();
}

std::uint64_t Service::changeCount() const {
  return engine_->changes().count();
}

std::shared_ptr<const void> Service::onChange(std::function<void()> listener) const {
  return engine_->changes().onChange(std::move(listener));
}

HttpResponse Service::handle(const HttpRequest& request) {
  return engine_->handle(request);
}

ScheduledResult Service::exchange(const HttpRequest& request, std::stop_token stop,
                                  std::string_view otherMethod) {
  return engine_->exchange(request, {.deadline = Instant::max(), .stop = std::move(stop)}, otherMethod);
}

std::variant<ScheduledResult, PendingRequest> Service::begin(HttpRequest request,
                                                             std::string_view otherMethod) {
  auto begun =
      std::make_unique<detail::ResumableRequest>(engine_->catalog(), std::move(request), otherMethod);
  auto step = engine_->proceed(*begun);
  if (const auto* until = std::get_if<Instant>(&step))
    return PendingRequest{engine_, std::move(begun), *until};
  return std::get<ScheduledResult>(std::move(step));
}

void Service::setDuration(std::string_view operation, nanoseconds duration) {
  checkDuration(duration);
  engine_->setDuration(operationNamed(*engine_, operation), duration);
}

void Service::unsetDurations(std::string_view operation) {
  engine_->unsetDuration(operation.empty() ? nullptr : &operationNamed(*engine_, operation));
}

void Service::setLimit(const LimitOverride& setting) {
  checkLimit(*engine_, setting);
  engine_->setLimit(setting);
}

void Service::setLimit(const Account& account, const LimitOverride& setting) {
  checkLimit(*engine_, setting);
  engine_->setLimit(account, setting);
}

void Service::unsetLimits(std::string_view limit) {
  checkLimit(*engine_, limit);
  engine_->unsetLimits(limit);
}

void Service::unsetLimits(const Account& account, std::string_view limit) {
  checkLimit(*engine_, limit);
  engine_->unsetLimits(account, limit);
}

void Service::recordTransactions(std::string_view key, std::int64_t count) {
  checkCount(count, "transaction");
  engine_->recordTransactions(key, count);
}

std::vector<LimitUsage> Service::usage(const Account& account) const {
  return engine_->usage(account);
}

std::vector<LimitUsage> Service::usage(std::string_view key) const {
  return engine_->usage(key);
}

LimitUsage Service::usage(std::string_view key, std::string_view limit, std::string_view of) const {
  return engine_->usage(key, limit, of);
}

std::vector<AllocationForecast> Service::allocationForecasts(std::string_view key) const {
  return engine_->allocationForecasts(key);
}

Hold Service::lockObject(std::string_view key, std::string_view id, std::optional<nanoseconds> duration) {
  if (duration) checkDuration(*duration);
  return {engine_, engine_->lockObject(key, id, duration)};
}

Hold Service::holdConcurrency(std::string_view key, std::string_view operation, std::int64_t places) {
  checkCount(places, "place");
  const AnyOperation* meant = operation.empty() ? nullptr : &operationNamed(*engine_, operation);
  return {engine_, engine_->holdConcurrency(key, meant, places)};
}

Snapshot Service::snapshot() const {
  return engine_->snapshot();
}

void Service::restore(const Snapshot& snapshot) {
  engine_->restore(snapshot);
}

Service Service::fork() const {
  return Service{engine_->fork()};
}

Service Service::fork(std::uint64_t keySeed) const {
  return Service{engine_->fork(keySeed)};
}

std::optional<std::string> Service::stateOf(std::string_view key, std::string_view id) const {
  return engine_->stateOf(key, id);
}

std::optional<StoredObject> Service::object(std::string_view key, std::string_view id) const {
  return engine_->object(key, id);
}

ObjectList Service::objects(std::string_view key, const ObjectFilter& filter) const {
  checkFilter(*engine_, filter);
  return engine_->objects(key, filter);
}

}  // namespace tally::fake
