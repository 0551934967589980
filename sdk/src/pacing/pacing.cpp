#include "pacing/pacing.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

#include "time/saturating.h"

namespace tally::detail {

namespace {

using Guard = std::lock_guard<std::mutex>;

constexpr int tooManyRequests = 429;

void check(const LimitPlan& plan, const PacerOptions& options) {
  using std::chrono::seconds;
  if (options.recovery <= seconds{0})
    throw std::invalid_argument{"PacerOptions::recovery has to be more than 0"};
  if (options.margin < seconds{0} || options.margin > std::chrono::minutes{1})
    throw std::invalid_argument{"PacerOptions::margin has to be from 0 to 1 minute"};
  if (options.fullAtStart < seconds{0})
    throw std::invalid_argument{"PacerOptions::fullAtStart can't be less than 0"};
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

PaceTerms termsOf(const PacerOptions& options) {
  return {.recovery = saturatingNanoseconds(options.recovery),
          .margin = options.margin,
          .fullAtStart = saturatingNanoseconds(options.fullAtStart)};
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
  PacedOutcome outcome{.answered = failure == nullptr && !(error && error->status() == tooManyRequests),
                       .counted = failure == nullptr || failure->mayHaveBeenSent,
                       .changed = !error || error->effect() == Effect::unknown};
  if (error && error->kind() == ErrorKind::rateLimited)
    outcome.refusedBy = error->rateLimitedReason()->known();
  return outcome;
}

PacedAccount whoeverMakesIt(PacedAccount connected) {
  connected.key = 0;
  return connected;
}

Pacing::Pacing(LimitPlan plan, PacerOptions options) : plan_(std::move(plan)), options_(std::move(options)) {
  check(plan_, options_);
  terms_ = termsOf(options_);
  live_ = numbersFor(plan_, options_, true);
  sandbox_ = numbersFor(plan_, options_, false);
}

void Pacing::begin(Instant now) {
  const Guard guard{mutex_};
  (void)present(now);
}

/// The service may also enforce an endpoint rate that a named limit replaces. Its refusals then say so, so
/// that rate is added as a learned limit.
PacedRequest Pacing::request(const Operation& operation, std::string_view id, ConstObjectRef params) const {
  PacedRequest request;
  const auto endpointRate = plan_.endpointRate(operation);
  bool learned = endpointRate.has_value();
  for (const Check& check : plan_.checks(operation)) {
    if (!check.covers(params)) continue;
    if (learned && check.slot == *endpointRate) learned = false;
    const bool eachObject = plan_.slots()[check.slot].limit->scope == LimitScope::object;
    const std::string_view object = eachObject ? check.objectOf(id, params) : std::string_view{};
    request.push_back({.slot = check.slot, .object = std::string{object}});
  }
  if (learned) request.push_back({.slot = *endpointRate, .learned = true});
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
  now = std::max(now, latest_);
  std::vector<PacerUsage> lines;
  addUsage(account, now, lines);
  if (const PacedAccount itself = whoeverMakesIt(account); itself != account && !account.connected.empty())
    addUsage(itself, now, lines);
  return lines;
}

void Pacing::addUsage(const PacedAccount& account, Instant now, std::vector<PacerUsage>& lines) const {
  for (auto entry = counts_.lower_bound({account, {}});
       entry != counts_.end() && entry->first.first == account; ++entry) {
    const auto& [slot, object, learned] = entry->first.second;
    PacerUsage line = usageOf(entry->second, now);
    if (line.waiting == 0 && line.number == line.full && (line.used == 0 || learned)) continue;
    line.object = object;
    lines.push_back(std::move(line));
  }
}

bool Pacing::isOfConnectedAccount(const PacedLimit& limit) const {
  return plan_.slots()[limit.slot].limit->ofConnectedAccount;
}

PacedCount& Pacing::count(const PacedAccount& account, const PacedLimit& limit) {
  Key key{account, {limit.slot, limit.object, limit.learned}};
  if (const auto found = counts_.find(key); found != counts_.end()) return found->second;
  if (counts_.size() >= dropAt_) dropIdle();
  const auto number = limit.learned ? std::nullopt : (account.livemode ? live_ : sandbox_)[limit.slot];
  return counts_.try_emplace(std::move(key), plan_.slots()[limit.slot], number, terms_, ++made_)
      .first->second;
}

void Pacing::dropIdle() {
  std::erase_if(counts_, [&](auto& entry) { return entry.second.isIdle(latest_); });
  dropAt_ = std::max(dropAtLeast, 2 * counts_.size());
}

Instant Pacing::present(Instant now) {
  latest_ = std::max(latest_, now);
  if (!terms_.start) terms_.start = latest_;
  return latest_;
}

}  // namespace tally::detail
