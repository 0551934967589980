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

Tenant& Host::add(const AccountOptions& options) {
  const std::lock_guard lock{mutex_};
  Tenant& added = tenants_.emplace_back(serviceOptions(options_, tenants_.size()), options);
  if (!options_.virtualClock) added.service.clock()->run();
  byKey_.emplace(added.account.liveKey, &added);
  byKey_.emplace(added.account.sandboxKey, &added);
  return added;
}

Tenant& Host::tenantOf(const HttpRequest& request) const {
  const RequestHead head = headOf(request);
  const std::optional<std::string> key =
      head.authorization == nullptr ? std::nullopt : keyOf(*head.authorization);
  const std::shared_lock lock{mutex_};
  if (!key) return const_cast<Tenant&>(tenants_.front());
  const auto found = byKey_.find(*key);
  return found == byKey_.end() ? const_cast<Tenant&>(tenants_.front()) : *found->second;
}

bool Host::mayBlock(const HttpRequest& request) const {
  return tenantOf(request).site.mayBlock(request);
}

Reply Host::reply(const Incoming& incoming, const std::stop_token& stop) {
  return tenantOf(incoming.request).site.reply(incoming, stop);
}

}  // namespace tally::fake::detail
