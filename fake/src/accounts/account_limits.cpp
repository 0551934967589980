#include "accounts/account_limits.h"

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "accounts/read_allocation.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

void addOverride(const LimitOverride& setting, std::vector<LimitOverride>& settings) {
  const auto subject = [](const LimitOverride& of) {
    return std::tie(of.limit, of.livemode, of.operation, of.country, of.industry);
  };
  std::erase_if(settings, [&](const LimitOverride& earlier) { return subject(earlier) == subject(setting); });
  settings.push_back(setting);
}

void removeOverrides(std::string_view limit, std::vector<LimitOverride>& settings) {
  std::erase_if(settings,
                [&](const LimitOverride& setting) { return limit.empty() || setting.limit == limit; });
}

void applyOverrides(const Catalog& catalog, const LimitSettings& forAll, AccountState& account) {
  const auto isMeant = [&](const LimitOverride& setting) {
    return (setting.country.empty() || setting.country == account.options.country) &&
           (setting.industry.empty() || setting.industry == account.options.industry);
  };
  for (const bool livemode : {false, true}) {
    std::shared_ptr<const LimitNumbers>& numbers = account.mode(livemode).numbers;
    numbers = catalog.documentedNumbers(livemode);
    for (const auto* settings : {&forAll.lasting, &std::as_const(account).settings, &forAll.scripted})
      for (const LimitOverride& setting : *settings)
        if (isMeant(setting)) {
          auto changed = std::make_shared<LimitNumbers>(*numbers);
          apply(catalog.plan(), setting, livemode, *changed);
          numbers = std::move(changed);
        }
  }
}

std::vector<LimitUsage> usageOf(const Catalog& catalog, const Accounts& accounts, const AccountState& account,
                                bool livemode, Instant now) {
  const ModeState& mode = account.mode(livemode);
  std::vector<LimitUsage> lines = mode.counters.usage(catalog.plan(), *mode.numbers, now);
  for (LimitUsage& line : lines)
    line.livemode = livemode;
  for (const bool onBehalf : {false, true})
    lines.push_back(ReadQuota{catalog.readAllocation(), account, livemode, onBehalf}.usage(accounts, now));
  return lines;
}

std::vector<LimitHistory> historyOf(const Catalog& catalog, const Accounts& accounts,
                                    const AccountState& account, bool livemode, Instant now) {
  const ModeState& mode = account.mode(livemode);
  std::vector<LimitHistory> histories = mode.counters.history(catalog.plan(), *mode.numbers, now);
  for (LimitHistory& history : histories)
    history.livemode = livemode;
  for (const bool onBehalf : {false, true}) {
    LimitHistory history =
        ReadQuota{catalog.readAllocation(), account, livemode, onBehalf}.history(accounts, now);
    if (history.highestAt || history.refusals != 0) histories.push_back(std::move(history));
  }
  return histories;
}

const AccountState& holderOf(const Catalog& catalog, std::string_view limit, const Viewer& owner) {
  const auto isMeant = [&](const Slot& slot) {
    return slot.limit->name == limit && slot.limit->countsForConnectedAccount;
  };
  return std::ranges::any_of(catalog.plan().slots(), isMeant) ? *owner.account : *owner.payer;
}

namespace {

/// Whether `of` may be what the slot is for: its operation, any object, or nothing.
bool isOf(const Slot& slot, std::string_view of) {
  if (slot.operation != nullptr) return slot.operation->name == of;
  return slot.limit->scope == LimitScope::object || of.empty();
}

/// Why there is no limit with that name of that operation, or of nothing.
std::string problemWith(const Catalog& catalog, std::string_view limit, std::string_view of) {
  std::set<std::string_view> names{ReadQuota::nameOf(false), ReadQuota::nameOf(true)};
  for (const Slot& slot : catalog.plan().slots())
    names.insert(slot.limit->name);
  const std::string subject = "limit '" + std::string{limit} + "'";
  if (!names.contains(limit)) return "unknown " + subject + tally::detail::suggestionOrList(limit, names);
  if (of.empty()) return "the " + subject + " has a separate number for each operation; name one";
  return "the " + subject + " has no separate number for '" + std::string{of} + "'";
}

}  // namespace

LimitUsage unusedLimit(const Catalog& catalog, const AccountState& account, bool livemode,
                       std::string_view limit, std::string_view of, Instant now) {
  const std::vector<Slot>& slots = catalog.plan().slots();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    if (slot.limit->name != limit || !catalog.plan().isUsed(i) || !isOf(slot, of)) continue;
    const auto number = (*account.mode(livemode).numbers)[i];
    LimitUsage line{
        .limit = std::string{limit}, .livemode = livemode, .allowed = number, .remaining = number};
    (slot.operation != nullptr ? line.operation : line.object) = of;
    if (number && *number > 0) line.availableAt = now;
    return line;
  }
  throw std::invalid_argument{problemWith(catalog, limit, of)};
}

}  // namespace tally::fake::detail
