#include "host.h"

#include <chrono>
#include <mutex>
#include <optional>

#include "description.h"
#include "request_head.h"

namespace tally::fake::detail {

namespace {

/// Requests take no time of their own but what they really take.
ServiceOptions serviceOptions(const HostOptions& options, std::uint64_t number) {
  ServiceOptions made{
      .seed = options.seed + number, .duration = std::chrono::nanoseconds::zero(), .limits = options.limits};
  if (!options.virtualClock) made.start = std::chrono::system_clock::now();
  return made;
}

}  // namespace

void seedRecords(Tenant& tenant, std::size_t count) {
  for (const ResourceRules* rules : Description{}.resources)
    for (std::size_t i = 0; i < count && !rules->states.empty(); ++i)
      tenant.service.seed(tenant.account.sandboxKey, rules->resource->name);
}

std::uint64_t Tenant::keep(Held held) {
  const std::lock_guard lock{mutex_};
  holds_.emplace(++last_, std::move(held));
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

void Tenant::reset() {
  const std::lock_guard lock{mutex_};
  holds_.clear();
  snapshots_.clear();
  if (beginning_) service.restore(*beginning_);
  const auto clock = service.clock();
  if (clock->running()) clock->set(std::chrono::system_clock::now());
  clock->thaw();
}

Tenant& Host::add(const AccountOptions& options) {
  const std::lock_guard lock{mutex_};
  Tenant& added =
      *tenants_.emplace_back(std::make_unique<Tenant>(serviceOptions(options_, tenants_.size()), options));
  if (!options_.virtualClock) added.service.clock()->run();
  added.begin();
  byKey_.emplace(added.account.liveKey, &added);
  byKey_.emplace(added.account.sandboxKey, &added);
  return added;
}

std::vector<Account> Host::accounts() const {
  const std::shared_lock lock{mutex_};
  std::vector<Account> all;
  for (const auto& tenant : tenants_)
    all.push_back(tenant->account);
  return all;
}

void Host::know(const Account& account, Tenant& tenant) {
  const std::lock_guard lock{mutex_};
  byKey_.emplace(account.liveKey, &tenant);
  byKey_.emplace(account.sandboxKey, &tenant);
}

Tenant* Host::find(std::string_view key) const {
  const std::shared_lock lock{mutex_};
  const auto found = byKey_.find(key);
  return found == byKey_.end() ? nullptr : found->second;
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
  return tenantOf(request).site.mayBlock(request);
}

Reply Host::reply(const Incoming& incoming, const std::stop_token& stop) {
  return tenantOf(incoming.request).site.reply(incoming, stop);
}

}  // namespace tally::fake::detail
