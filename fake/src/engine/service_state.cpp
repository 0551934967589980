#include "engine/service_state.h"

namespace tally::fake::detail {

namespace {

constexpr std::uint64_t objectIdStream = 2;
constexpr std::uint64_t requestIdStream = 3;
constexpr std::uint64_t jitterStream = 4;

}  // namespace

ServiceState::ServiceState(const ServiceOptions& options, const Description& description)
    : accounts(options.seed),
      rules(description.operations, description.errors, options.seed),
      requestedFaults(options.seed),
      log(options.requestLog, options.requestLogBytes),
      objectIds(options.seed, objectIdStream),
      requestIds(options.seed, requestIdStream),
      jitterSeeds(options.seed, jitterStream) {}

void ServiceState::release(std::uint64_t number, const LimitPlan& plan, Instant now) {
  const auto found = holds.find(number);
  if (found == holds.end()) return;
  const Holding& hold = found->second;
  ModeState& mode = accounts.stateOf(hold.account).mode(hold.livemode);
  if (hold.units == 0) {
    mode.locks.unlock(hold.object, now, number);
  } else {
    mode.counters.hold(plan, hold.operation, -hold.units, now);
  }
  holds.erase(found);
}

void ServiceState::applyLimits(const Catalog& catalog) {
  for (const auto& [number, account] : accounts.all())
    applyOverrides(catalog, settings, *account);
}

void ServiceState::changeLimits(const Catalog& catalog, Instant now) {
  settings.scripted = scripts.limitsAt(now);
  applyLimits(catalog);
}

void ServiceState::branch(const Branch& branch) {
  accounts.changeKeys(branch);
  objectIds = IdGenerator{branch, objectIdStream};
  requestIds = IdGenerator{branch, requestIdStream};
}

void ServiceState::dropHolds() {
  for (const auto& [number, account] : accounts.all())
    account->dropHolds();
  holds.clear();
}

std::shared_ptr<AccountState> ServiceState::remove(std::string_view account) {
  std::shared_ptr<AccountState> removed = accounts.remove(account);
  removed->dropHolds();
  std::erase_if(holds, [&](const auto& hold) { return hold.second.account == account; });
  return removed;
}

}  // namespace tally::fake::detail
