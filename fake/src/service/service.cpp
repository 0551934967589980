#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <tally/fake/service.h>

#include "accounts/account_limits.h"
#include "engine/engine.h"
#include "json/json_reader.h"
#include "objects/account_objects.h"
#include "objects/inserted_object.h"
#include "objects/object_series.h"
#include "objects/objects.h"
#include "request/json_document.h"
#include "service/input_check.h"
#include "tables/object_merge.h"

namespace tally::fake {

using detail::Caller;
using detail::Engine;
using detail::ObjectSeries;
using detail::ResourceType;
using tally::detail::AnyObject;
using tally::detail::ObjectRef;

namespace {

std::shared_ptr<Engine> copyOf(const std::shared_ptr<Engine>& engine) {
  auto copy = engine->sibling();
  Snapshots{copy}.restore(Snapshots{engine}.take());
  return copy;
}

detail::Collection& collectionOf(const Engine& engine, const Caller& owner, const ResourceType& type) {
  return owner.collection(engine.catalog().indexOf(type.resource()));
}

void store(const Engine& engine, const Engine::Change& change, const Caller& owner, const ResourceType& type,
           Instant now, ObjectRef object, std::string_view json, std::uint8_t state) {
  storeObject(type, collectionOf(engine, owner, type), now, object, json, state);
  if (type.rules().isAccount)
    makeAccount(engine.catalog(), change->accounts, change->settings, owner, type, object, now);
}

/// Initializes an object, lets `edit` change it without the lock, and stores it in the state that `edit`
/// returns.
void insertEdited(Engine& engine, std::string_view key, const ResourceType& type, ObjectRef object,
                  const std::function<std::uint8_t()>& edit) {
  const Instant now = engine.clock()->now();
  std::uint8_t state = 0;
  std::string json;
  auto change = engine.change();
  const Caller creator = change->accounts.ownerOf(key);
  beginObject(type, collectionOf(engine, creator, type), change->objectIds, now, creator.livemode, object);
  change.withoutLock([&] {
    state = edit();
    json = detail::encode(object);
    checkSendable(type, json);
  });
  const Caller owner = change->accounts.ownerOf(key);
  checkStorable(type, collectionOf(engine, owner, type), object);
  store(engine, change, owner, type, now, object, json, state);
}

/// Inserts the next `count` objects of the series, and appends their identifiers to `ids`.
void insertNext(Engine& engine, std::string_view key, ObjectSeries& series, std::size_t count,
                std::vector<std::string>& ids) {
  const ResourceType& type = series.type();
  const Instant now = engine.clock()->now();
  const auto change = engine.change();
  const Caller owner = change->accounts.ownerOf(key);
  for (std::size_t n = 0; n < count; ++n) {
    series.advance(collectionOf(engine, owner, type), change->objectIds, now);
    store(engine, change, owner, type, now, series.object(), series.json(), series.state());
    ids.push_back(type.id(series.object()));
  }
}

/// Inserts the object that `edit` makes, and returns the series that it starts. `given` has the paths that
/// are to stay even if `edit` does not change them.
ObjectSeries insertObject(Engine& engine, std::string_view key, const ResourceType& type, ObjectRef object,
                          const std::function<void()>& edit, std::string_view state, detail::Paths given) {
  detail::Paths said;
  std::uint8_t reached = 0;
  insertEdited(engine, key, type, object, [&] {
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
  throw std::invalid_argument{"invalid fields of " + withArticle(type) + ": " + problem};
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
      throw std::invalid_argument{withArticle(type) + " has no field '" + unknown->front().path + "'"};
  };
  return insertObject(engine, key, type, object, edit, state, detail::pathsIn(given.root()));
}

}  // namespace

Service::Service(ServiceOptions options) {
  detail::checkDuration(options.duration);
  detail::checkDuration(options.lockWait);
  detail::checkDuration(options.searchLag);
  engine_ = std::make_shared<Engine>(options);
}

Service::Service(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

Service::~Service() = default;

Account Service::addAccount(AccountOptions options) {
  detail::checkText("country of an account", options.country);
  detail::checkText("industry of an account", options.industry);
  const auto change = engine_->change();
  Account added = change->accounts.add(engine_->catalog(), std::move(options));
  applyOverrides(engine_->catalog(), change->settings, change->accounts.stateOf(added.id));
  return added;
}

void Service::insertObject(std::string_view key, std::string_view resource, void* object,
                           const std::function<void()>& edit, std::string_view state) {
  const ResourceType& type = typeNamed(engine_->catalog(), resource);
  (void)fake::insertObject(*engine_, key, type, ObjectRef{type.model(), object}, edit, state, {});
}

std::string Service::insert(std::string_view key, std::string_view resource, std::string_view fields,
                            std::string_view state) {
  const ResourceType& type = typeNamed(engine_->catalog(), resource);
  AnyObject object{type.model()};
  (void)insertFields(*engine_, key, type, object.ref(), fields, state);
  return detail::encode(object.ref());
}

std::vector<std::string> Service::insertMany(std::string_view key, std::string_view resource,
                                             std::size_t count, std::string_view fields,
                                             std::string_view state) {
  constexpr std::size_t atOnce = 64;  // so that requests need not wait long
  const ResourceType& type = typeNamed(engine_->catalog(), resource);
  std::vector<std::string> ids;
  if (count == 0) return ids;
  AnyObject object{type.model()};
  ObjectSeries series = insertFields(*engine_, key, type, object.ref(), fields, state);
  ids.push_back(type.id(object.ref()));
  while (ids.size() < count)
    insertNext(*engine_, key, series, std::min(atOnce, count - ids.size()), ids);
  return ids;
}

ClientOptions Service::clientOptions(std::string_view key, ClientOptions options) {
  const std::uint64_t jitterSeed = engine_->change()->jitterSeeds.nextNumber();
  if (options.apiKey.empty() && !options.apiKeyProvider) options.apiKey = key;
  if (options.baseUrl.empty()) options.baseUrl = "https://api.example.com";
  if (!options.transport) options.transport = transport();
  if (!options.clock) options.clock = clock();
  if (!options.jitterSeed) options.jitterSeed = jitterSeed;
  return options;
}

std::shared_ptr<Transport> Service::transport() const {
  return std::make_shared<Transport>(engine_);
}

std::shared_ptr<VirtualClock> Service::clock() const {
  return engine_->clock();
}

std::uint64_t Service::changeCount() const {
  return engine_->changes().count();
}

std::shared_ptr<const void> Service::onChange(std::function<void()> listener) const {
  return engine_->changes().onChange(std::move(listener));
}

HttpResponse Service::handle(const HttpRequest& request) {
  ScheduledResult timed = engine_->exchange(request, {.deadline = Instant::max()});
  auto* response = std::get_if<HttpResponse>(&timed.result);
  return response == nullptr ? HttpResponse{} : std::move(*response);
}

ScheduledResult Service::exchange(const HttpRequest& request, StopToken stop, std::string_view otherMethod) {
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

Service Service::fork() const {
  return Service{copyOf(engine_)};
}

Service Service::fork(std::uint64_t keySeed) const {
  auto copy = copyOf(engine_);
  copy->change()->branch({.service = engine_->options().seed, .keys = keySeed, .number = copy->nextBranch()});
  return Service{std::move(copy)};
}

}  // namespace tally::fake
