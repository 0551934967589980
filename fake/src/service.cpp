#include <stdexcept>

#include <tally/fake/service.h>

#include "json_reader.h"
#include "objects.h"
#include "server.h"

namespace tally::fake {

using detail::Caller;
using detail::Collection;
using detail::Record;
using detail::ResourceType;

namespace {

using Lock = std::lock_guard<std::mutex>;

const ResourceType& typeNamed(const detail::Server& server, std::string_view name) {
  for (const ResourceType& type : server.types)
    if (type.resource().name == name) return type;
  throw std::invalid_argument{"there is no resource '" + std::string{name} + "' to seed"};
}

void checkSeed(const ResourceType& type, const Collection& collection, const std::string& id,
               std::string_view json) {
  const std::string_view prefix = type.resource().idPrefix;
  if (!id.starts_with(prefix) || id.size() == prefix.size())
    throw std::invalid_argument{"'" + id + "' is no identifier of a " + type.words()};
  if (collection.find(id) != nullptr)
    throw std::invalid_argument{"there is a " + type.words() + " '" + id + "' already"};
  detail::AnyObject read{type.model()};
  if (const auto problem = tally::detail::readJson(json, type.model(), read.data()))
    throw std::invalid_argument{"the " + type.words() + " can't be sent as JSON: " + *problem};
}

}  // namespace

Service::Service(ServiceOptions options) : server_(std::make_shared<detail::Server>(options)) {}

Service::~Service() = default;

Account Service::addAccount() {
  const Lock lock{server_->mutex};
  return server_->accounts.add();
}

void Service::connect(const Account& platform, const Account& connected) {
  const Lock lock{server_->mutex};
  server_->accounts.connect(platform, connected);
}

std::string Service::addAccessToken(const Account& account, bool livemode) {
  const Lock lock{server_->mutex};
  return server_->accounts.addToken(account, livemode);
}

/// The edit is made without the lock, so that it may look at the service.
void Service::seedObject(std::string_view key, std::string_view resource, void* object,
                         const std::function<void(void*)>& edit) {
  const ResourceType& type = typeNamed(*server_, resource);
  const Instant now = server_->clock->now();
  const Caller owner = [&] {
    const Lock lock{server_->mutex};
    const Caller caller = server_->accounts.ownerOf(key);
    beginObject(type, server_->objectIds, now, caller.livemode, object);
    return caller;
  }();
  edit(object);
  type.livemode(object) = owner.livemode;
  type.onCreate().apply(object);
  const std::string json = encode(type, object);
  const Lock lock{server_->mutex};
  Collection& collection = owner.collection(server_->indexOf(type.resource()));
  checkSeed(type, collection, type.id(object), json);
  storeObject(type, collection, now, object, json);
}

ClientOptions Service::clientOptions(std::string_view key) {
  const Lock lock{server_->mutex};
  return {.key = std::string{key},
          .transport = transport(),
          .clock = clock(),
          .jitterSeed = server_->jitterSeeds.nextNumber()};
}

std::shared_ptr<Transport> Service::transport() const {
  return std::make_shared<Transport>(server_);
}

std::shared_ptr<VirtualClock> Service::clock() const {
  return server_->clock;
}

void Service::script(Script script) {
  const Lock lock{server_->mutex};
  server_->scripts.add(std::move(script));
}

std::vector<Script> Service::unfiredScripts() const {
  const Lock lock{server_->mutex};
  return server_->scripts.unfired();
}

std::vector<LoggedRequest> Service::requests() const {
  const Lock lock{server_->mutex};
  return server_->log.entries();
}

HttpResponse Service::handle(const HttpRequest& request) {
  return server_->handle(request);
}

std::optional<std::string> Service::stateOf(std::string_view key, std::string_view id) const {
  const Lock lock{server_->mutex};
  const Caller owner = server_->accounts.ownerOf(key);
  for (std::size_t i = 0; i < server_->types.size(); ++i) {
    const Record* record = owner.collection(i).find(id);
    const auto states = server_->types[i].rules().states;
    if (record != nullptr && !states.empty()) return std::string{states[record->state()]};
  }
  return std::nullopt;
}

}  // namespace tally::fake
