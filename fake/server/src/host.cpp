#include "host.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "request/request_head.h"
#include "tables/description.h"

namespace tally::fake::detail {

namespace {

/// By default, requests have no simulated duration.
ServiceOptions serviceOptions(const HostOptions& host, const TenantOptions& tenant, std::uint64_t seed) {
  ServiceOptions made{
      .seed = seed, .limits = tenant.limits.value_or(host.limits), .requestLog = host.requestLog};
  if (!tenant.virtualClock.value_or(host.virtualClock)) made.start = std::chrono::system_clock::now();
  made.duration = tenant.duration.value_or(std::chrono::milliseconds{0});
  if (tenant.lockWait) made.lockWait = *tenant.lockWait;
  made.searchLag = tenant.searchLag.value_or(made.searchLag);
  if (tenant.requestLog) made.requestLog = static_cast<std::size_t>(*tenant.requestLog);
  return made;
}

}  // namespace

void insertRecords(Tenant& tenant, std::size_t count, const std::function<bool()>& stopped) {
  for (const ResourceRules* rules : Description{}.resources)
    for (std::size_t i = 0; i < count && rules->resource->machine != nullptr && !stopped(); ++i)
      tenant.service.insert(tenant.account.sandboxKey, rules->resource->name);
}

std::uint64_t Tenant::keep(Hold held, HeldThing thing) {
  const std::lock_guard lock{mutex_};
  holds_.emplace(++last_, Held{std::move(held), std::move(thing)});
  return last_;
}

bool Tenant::release(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  return holds_.erase(number) != 0;
}

std::uint64_t Tenant::takeSnapshot() {
  const std::lock_guard lock{mutex_};
  snapshots_.emplace(++last_, service.snapshot());
  return last_;
}

bool Tenant::restore(std::uint64_t number) {
  const std::lock_guard lock{mutex_};
  const auto found = snapshots_.find(number);
  if (found == snapshots_.end()) return false;
  holds_.clear();
  service.restore(found->second);
  return true;
}

bool Tenant::has(std::string_view key) const {
  try {
    (void)service.stateOf(key, {});
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// A lock that has ended stays until it is released.
std::map<std::uint64_t, HeldThing> Tenant::held() const {
  const std::lock_guard lock{mutex_};
  const Instant now = service.clock()->now();
  std::map<std::uint64_t, HeldThing> present;
  for (const auto& [number, held] : holds_)
    if (!held.thing.until || *held.thing.until > now) present.emplace(number, held.thing);
  return present;
}

std::vector<std::uint64_t> Tenant::snapshots() const {
  const std::lock_guard lock{mutex_};
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, snapshot] : snapshots_)
    numbers.push_back(number);
  return numbers;
}

void Tenant::reset() {
  const std::lock_guard lock{mutex_};
  holds_.clear();
  snapshots_.clear();
  if (beginning_) service.restore(*beginning_);
  const auto clock = service.clock();
  if (clock->running()) clock->set(std::chrono::system_clock::now());
}

/// Every service has its own seed, so that no two share a key.
std::uint64_t Host::nextSeed() {
  return options_.seed + made_++;
}

Tenant& Host::add(const TenantOptions& options) {
  return begin(std::make_unique<Tenant>(serviceOptions(options_, options, nextSeed()), options.account),
               options.virtualClock.value_or(options_.virtualClock));
}

Tenant& Host::fork(const Tenant& origin) {
  return begin(std::make_unique<Tenant>(origin, nextSeed()), !origin.service.clock()->running());
}

Tenant& Host::begin(std::unique_ptr<Tenant> tenant, bool virtualClock) {
  Tenant& added = *tenant;
  if (!virtualClock) added.service.clock()->run();
  added.begin();
  {
    const std::lock_guard lock{mutex_};
    tenants_.push_back(std::move(tenant));
  }
  know(added.account, added);
  return added;
}

std::vector<Account> Host::accounts() const {
  const auto known = [this] {
    const std::shared_lock lock{mutex_};
    return accounts_;
  }();
  std::vector<Account> present;
  for (const auto& [account, tenant] : known)
    if (tenant->has(account.sandboxKey)) present.push_back(account);
  return present;
}

void Host::know(const Account& account, Tenant& tenant) {
  {
    const std::lock_guard lock{mutex_};
    if (!byKey_.contains(account.liveKey)) accounts_.emplace_back(account, &tenant);
  }
  know(account.liveKey, {&tenant, account.id, true});
  know(account.sandboxKey, {&tenant, account.id, false});
}

void Host::know(const std::string& token, const Owner& owner) {
  const std::lock_guard lock{mutex_};
  byKey_.insert_or_assign(token, owner);
}

std::optional<Owner> Host::ownerOf(std::string_view key) const {
  const auto known = [&] {
    const std::shared_lock lock{mutex_};
    const auto found = byKey_.find(key);
    return found == byKey_.end() ? std::nullopt : std::optional{found->second};
  }();
  return known && known->tenant->has(key) ? known : std::nullopt;
}

Tenant* Host::find(std::string_view key) const {
  const std::shared_lock lock{mutex_};
  const auto found = byKey_.find(key);
  return found == byKey_.end() ? nullptr : found->second.tenant;
}

Tenant& Host::tenantOf(const HttpRequest& request) const {
  const RequestHead head = headOf(request);
  const auto key = head.authorization == nullptr ? std::nullopt : keyOf(*head.authorization);
  Tenant* owner = key ? find(*key) : nullptr;
  if (owner != nullptr) return *owner;
  const std::shared_lock lock{mutex_};
  return *tenants_.front();
}

bool Host::mayBlock(const HttpRequest& request) const {
  return tenantOf(request).handler.mayBlock(request);
}

Reply Host::handle(const Incoming& incoming, const std::stop_token& stop) {
  Reply reply = tenantOf(incoming.request).handler.handle(incoming, stop);
  counts.add(reply);
  return reply;
}

std::size_t Host::accountCount() const {
  const std::shared_lock lock{mutex_};
  return accounts_.size();
}

std::size_t Host::logSize() const {
  const std::shared_lock lock{mutex_};
  std::size_t size = 0;
  for (const auto& tenant : tenants_)
    size += tenant->service.logSize();
  return size;
}

}  // namespace tally::fake::detail
