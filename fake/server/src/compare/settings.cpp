#include "compare/settings.h"

#include <tally/limits.h>

#include "format/control_json.h"
#include "format/json_input.h"
#include "schema/limit_plan.h"
#include "schema/operation.h"
#include "tenants/tenant_options.h"

namespace tally::fake::detail {

namespace {

/// Members of a scenario that the recording itself shows, or that don't matter for it.
constexpr std::string_view ignored[] = {"records", "transactions", "connected_accounts", "durations",
                                        "faults"};

std::vector<LimitOverride> readLimits(JsonInput& account) {
  static const tally::detail::LimitPlan plan{tally::detail::operations, tally::limits::all};
  std::vector<LimitOverride> limits;
  for (JsonInput& part : account.objects("limits"))
    at(part, [&] {
      limits.push_back(readMembers<LimitOverride>(part));
      plan.check(limits.back());
    });
  return limits;
}

}  // namespace

Settings::Settings(std::string_view scenario) {
  const JsonDocument parsed = parseInput(scenario);
  JsonInput root{parsed};
  std::vector<JsonInput> accounts = root.objects("accounts");
  root.finish();
  if (accounts.empty()) root.fail("accounts", "expected at least one");
  for (JsonInput& account : accounts) {
    const TenantOptions options = readTenantOptions(account);
    if (options.lockWait) lockWait_ = *options.lockWait;
    accounts_.push_back({.options = options.account, .limits = readLimits(account)});
    for (const std::string_view name : ignored)
      (void)account.objects(name);
    account.finish();
  }
}

AccountOptions Settings::optionsOf(std::size_t number) const {
  return number > accounts_.size() ? AccountOptions{} : accounts_[number - 1].options;
}

std::vector<LimitOverride> Settings::limitsOf(std::size_t number) const {
  return number > accounts_.size() ? std::vector<LimitOverride>{} : accounts_[number - 1].limits;
}

}  // namespace tally::fake::detail
