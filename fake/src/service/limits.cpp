#include <stdexcept>
#include <string>

#include <tally/fake/limits.h>

#include "accounts/account_limits.h"
#include "engine/engine.h"
#include "service/input_check.h"

namespace tally::fake {

namespace {

/// The usage includes the read allocation among the limits.
void checkNoAllocation(const detail::Catalog& catalog, const std::string& limit) {
  if (!limit.starts_with("read_allocation")) return;
  const ReadAllocation& allocation = catalog.readAllocation();
  throw std::invalid_argument{
      "'" + limit + "' can't be set: it is " + std::to_string(allocation.readsPerTransaction) +
      " reads for each recorded transaction, and at least " + std::to_string(allocation.minimum)};
}

void checkLimit(const detail::Catalog& catalog, const LimitOverride& setting) {
  checkNoAllocation(catalog, setting.limit);
  catalog.plan().check(setting);
  detail::checkText("country of a limit", setting.country);
  detail::checkText("industry of a limit", setting.industry);
}

/// An empty name means all limits.
void checkLimit(const detail::Catalog& catalog, std::string_view limit) {
  if (!limit.empty()) checkLimit(catalog, LimitOverride{.limit = std::string{limit}});
}

/// Lets `edit` change the settings of one account, and applies them.
template <class Edit>
void changeSettings(detail::Engine& engine, const Account& account, const Edit& edit) {
  const auto change = engine.change();
  detail::AccountState& meant = change->accounts.stateOf(account.id);
  edit(meant.settings);
  applyOverrides(engine.catalog(), change->settings, meant);
}

}  // namespace

void Limits::set(const LimitOverride& setting) {
  checkLimit(engine_->catalog(), setting);
  const auto change = engine_->change();
  detail::addOverride(setting, change->settings.lasting);
  change->applyLimits(engine_->catalog());
}

void Limits::set(const Account& account, const LimitOverride& setting) {
  checkLimit(engine_->catalog(), setting);
  changeSettings(*engine_, account, [&](auto& settings) { detail::addOverride(setting, settings); });
}

void Limits::reset(std::string_view limit) {
  checkLimit(engine_->catalog(), limit);
  const auto change = engine_->change();
  detail::removeOverrides(limit, change->settings.lasting);
  for (const auto& [number, account] : change->accounts.all())
    detail::removeOverrides(limit, account->settings);
  change->applyLimits(engine_->catalog());
}

void Limits::reset(const Account& account, std::string_view limit) {
  checkLimit(engine_->catalog(), limit);
  changeSettings(*engine_, account, [&](auto& settings) { detail::removeOverrides(limit, settings); });
}

}  // namespace tally::fake
