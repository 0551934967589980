#include "pacing.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

namespace tally::detail {

namespace {

using Guard = std::lock_guard<std::mutex>;

void check(const LimitPlan& plan, const PacerOptions& options) {
  if (options.recovery <= std::chrono::seconds{0})
    throw std::invalid_argument{"the recovery of a pacer has to be more than 0"};
  for (const LimitSetting& setting : options.limits) {
    plan.check(setting);
    if (setting.number && *setting.number < 1)
      throw std::invalid_argument{"a pacer can't keep to the limit '" + setting.limit + "' of 0"};
    if (!setting.country.empty() || !setting.industry.empty())
      throw std::invalid_argument{"a pacer does not know the country and the industry of an account"};
  }
}

LimitNumbers numbersFor(const LimitPlan& plan, const PacerOptions& options, bool livemode) {
  LimitNumbers numbers = documentedNumbers(plan, livemode);
  for (const LimitSetting& setting : options.limits)
    apply(plan, setting, livemode, numbers);
  return numbers;
}

bool isLive(std::string_view key, bool otherwise) {
  if (key.starts_with("sk_live_")) return true;
  return !key.starts_with("sk_test_") && otherwise;
}

PacerUsage usageOf(const PacedCount& count, Instant now) {
  PacerUsage usage{.limit = std::string{count.limit().name},
                   .used = count.used(now),
                   .number = count.number().at(now),
                   .full = count.number().full(),
                   .waiting = count.line().size()};
  if (count.slot().operation != nullptr) usage.operation = count.slot().operation->name;
  return usage;
}

}  // namespace

PacedOutcome pacedOutcome(const Answer& answer, const std::optional<Error>& error) {
  const auto* failure = std::get_if<TransportFailure>(&answer);
  PacedOutcome outcome{.answered = failure == nullptr,
                       .counted = failure == nullptr || failure->mayHaveBeenSent,
                       .changed = !error || error->effect() == Effect::unknown};
  if (error && error->kind() == ErrorKind::rateLimited)
    outcome.refusedBy = error->rateLimitedReason()->known();
  return outcome;
}

Pacing::Pacing(LimitPlan plan, PacerOptions options) : plan_(std::move(plan)), options_(std::move(options)) {
  check(plan_, options_);
  live_ = numbersFor(plan_, options_, true);
  sandbox_ = numbersFor(plan_, options_, false);
}

PacedRequest Pacing::request(const Operation& operation, std::string_view id, const void* params) const {
  PacedRequest request;
  for (const Check& check : plan_.checks(operation)) {
    if (!check.covers(params)) continue;
    const bool eachObject = plan_.slots()[check.slot].limit->scope == LimitScope::object;
    const std::string_view object = eachObject ? check.objectOf(id, params) : std::string_view{};
    request.push_back({check.slot, std::string{object}});
  }
  return request;
}

PacedAccount Pacing::accountOf(std::string_view key, std::string_view connected) const {
  return {.key = options_.oneAccount ? 0 : std::hash<std::string_view>{}(key),
          .livemode = isLive(key, options_.livemode),
          .connected = std::string{connected}};
}

PacerCounts Pacing::counts() const {
  const Guard guard{mutex_};
  return {.waiting = lines_.waiting(), .underWay = underWay_};
}

std::size_t Pacing::size() const {
  const Guard guard{mutex_};
  return counts_.size();
}

std::vector<PacerUsage> Pacing::usage(const PacedAccount& account, Instant now) const {
  const Guard guard{mutex_};
  std::vector<PacerUsage> lines;
  for (auto entry = counts_.lower_bound({account, {}});
       entry != counts_.end() && entry->first.first == account; ++entry) {
    PacerUsage line = usageOf(entry->second, now);
    if (line.used == 0 && line.waiting == 0 && line.number == line.full) continue;
    line.object = entry->first.second.second;
    lines.push_back(std::move(line));
  }
  return lines;
}

PacedCount& Pacing::count(const PacedAccount& account, const PacedLimit& limit) {
  Key key{account, {limit.slot, limit.object}};
  if (const auto found = counts_.find(key); found != counts_.end()) return found->second;
  if (counts_.size() >= dropAt_) dropIdle();
  const auto number = (account.livemode ? live_ : sandbox_)[limit.slot];
  return counts_.try_emplace(std::move(key), plan_.slots()[limit.slot], number, options_.recovery, ++made_)
      .first->second;
}

void Pacing::dropIdle() {
  std::erase_if(counts_, [&](auto& entry) { return entry.second.isIdle(latest_); });
  dropAt_ = std::max(dropAtLeast, 2 * counts_.size());
}

Instant Pacing::present(Instant now) {
  return latest_ = std::max(latest_, now);
}

}  // namespace tally::detail
