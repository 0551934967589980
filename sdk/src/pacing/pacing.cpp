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

/// Nobody needs more units of a limit, and sums of them can't overflow.
constexpr std::int64_t mostShared = 1'000'000'000;

void check(const LimitPlan& plan, const PacerOptions& options) {
  using std::chrono::seconds;
  if (options.recovery <= seconds{0})
    throw std::invalid_argument{"PacerOptions::recovery must be more than 0"};
  if (options.windowMargin < seconds{0} || options.windowMargin > std::chrono::minutes{1})
    throw std::invalid_argument{"PacerOptions::windowMargin must be from 0 to 1 minute"};
  if (options.assumeUsed < seconds{0})
    throw std::invalid_argument{"PacerOptions::assumeUsed must be at least 0"};
  if (options.shareLease < seconds{5} || options.shareLease > std::chrono::minutes{10})
    throw std::invalid_argument{"PacerOptions::shareLease must be from 5 seconds to 10 minutes"};
  for (const LimitOverride& setting : options.limits) {
    plan.check(setting);
    if (setting.value && *setting.value < 1)
      throw std::invalid_argument{"the limit '" + setting.limit + "' of a pacer must be at least 1"};
    if (!setting.country.empty() || !setting.industry.empty())
      throw std::invalid_argument{"a limit of a pacer can't name a country or an industry"};
  }
}

LimitNumbers numbersFor(const LimitPlan& plan, const PacerOptions& options, bool livemode) {
  LimitNumbers numbers = documentedNumbers(plan, livemode);
  for (const LimitOverride& setting : options.limits)
    apply(plan, setting, livemode, numbers);
  return numbers;
}

PaceTerms termsOf(const PacerOptions& options) {
  return {.recovery = saturatingNanoseconds(options.recovery),
          .margin = options.windowMargin,
          .assumeUsed = saturatingNanoseconds(options.assumeUsed)};
}

bool isLive(std::string_view key, bool otherwise) {
  if (key.starts_with("sk_live_")) return true;
  return !key.starts_with("sk_test_") && otherwise;
}

PacerUsage usageOf(const LimitTracker& count, Instant now) {
  PacerUsage usage{.limit = std::string{count.limit().name},
                   .used = count.used(now),
                   .allowed = count.allowed(now),
                   .configured = count.number().full(),
                   .waiting = count.line().size()};
  if (count.share()) usage.share = count.share()->at(now);
  if (count.slot().operation != nullptr) usage.operation = count.slot().operation->name;
  return usage;
}

/// What the processes that share the limit call it.
std::string nameOfShared(const Slot& slot, bool livemode) {
  std::string name = livemode ? "live " : "sandbox ";
  name += slot.limit->name;
  if (slot.operation != nullptr) name.append(" of ").append(slot.operation->name);
  return name;
}

}  // namespace

PacedOutcome pacedOutcome(const TransportResult& result, const std::optional<Error>& error) {
  const auto* failure = std::get_if<TransportFailure>(&result);
  PacedOutcome outcome{.responded = failure == nullptr && (!error || error->status() != tooManyRequests),
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

PacedAccount ownerOfObjects(bool livemode) {
  return {.livemode = livemode, .connected = "each object"};
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
PacedRequest Pacing::request(const AnyOperation& operation, std::string_view id,
                             ConstObjectRef params) const {
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
  return {.key = options_.singleAccount || options_.share != nullptr ? 0 : std::hash<std::string_view>{}(key),
          .livemode = isLive(key, options_.livemode),
          .connected = std::string{connected}};
}

void Pacing::join(PacingEntry& entry, const PacedRequest& limits, std::string_view key,
                  std::string_view connected) {
  const PacedAccount maker = accountOf(key, {});
  const PacedAccount actedFor = accountOf(key, connected);
  const Guard guard{mutex_};
  entry.begin(responseTimes_[&entry.operation()], (connected.empty() ? 1 : 2) * limits.size());
  for (const PacedLimit& limit : limits)
    addUnits(entry, limit, maker, actedFor);
  entry.sortUnits();
}

void Pacing::addUnits(PacingEntry& entry, const PacedLimit& limit, const PacedAccount& maker,
                      const PacedAccount& actedFor) {
  const Limit& description = *plan_.slots()[limit.slot].limit;
  if (description.scope == LimitScope::object) return entry.addUnit(countOfObject(actedFor, limit));
  if (actedFor.connected.empty()) return entry.addUnit(count(maker, limit));
  if (description.countsForConnectedAccount) return entry.addUnit(count(whoeverMakesIt(actedFor), limit));
  entry.addUnits(count(actedFor, limit), count(maker, limit));
}

PaceVerdict Pacing::ask(PacingEntry& entry, Instant now, Instant until) {
  PaceWoken woken{};
  const Guard guard{mutex_};
  now = present(now);
  entry.ask(lines_, now, woken);
  return entry.decide(lines_, now, until, woken);
}

PaceVerdict Pacing::askAgain(PacingEntry& entry, Instant now, Instant until) {
  PaceWoken woken{};
  const Guard guard{mutex_};
  now = present(now);
  entry.wake();
  lines_.serve(now, woken);
  entry.rejoin(lines_, now, woken);
  return entry.decide(lines_, now, until, woken);
}

void Pacing::withdraw(PacingEntry& entry) noexcept {
  PaceWoken woken{};
  const Guard guard{mutex_};
  entry.withdraw(lines_);
  lines_.serve(latest_, woken);
}

void Pacing::sending(PacingEntry& entry, Instant now) noexcept {
  const Guard guard{mutex_};
  entry.send(present(now));
  ++inFlight_;
}

void Pacing::responded(PacingEntry& entry, Instant now, const PacedOutcome& outcome) noexcept {
  PaceWoken woken{};
  const Guard guard{mutex_};
  now = present(now);
  entry.end(now, outcome);
  --inFlight_;
  lines_.serve(now, woken);
}

void Pacing::leave(PacingEntry& entry) noexcept {
  PaceWoken woken{};
  const Guard guard{mutex_};
  if (entry.isSent()) {  // its outcome will not be reported
    entry.end(latest_, {});
    --inFlight_;
  }
  entry.leave(lines_);
  lines_.serve(latest_, woken);
}

std::vector<SharedLimit> Pacing::measureShared() {
  const Guard guard{mutex_};
  std::vector<SharedLimit> limits;
  limits.reserve(shared_.size());
  for (const auto& [name, tracker] : shared_)
    limits.push_back({.name = name,
                      .number = std::min(*tracker->number().full(), mostShared),
                      .window = tracker->isRate() ? tracker->limit().window : std::chrono::nanoseconds{0},
                      .demand = tracker->measureDemand()});
  return limits;
}

std::vector<std::int64_t> Pacing::setShares(std::span<const ShareOfLimit> shares, Instant now) {
  std::vector<std::int64_t> held(shares.size());
  PaceWoken woken{};
  const Guard guard{mutex_};
  now = std::max(now, latest_);
  for (std::size_t n = 0; n < shares.size(); ++n) {
    LimitTracker& tracker = *shared_[n].second;
    tracker.setShare(shares[n]);
    held[n] = tracker.held();
  }
  lines_.serve(now, woken);
  return held;
}

PacerCounts Pacing::counts() const {
  const Guard guard{mutex_};
  return {.waiting = lines_.waiting(), .inFlight = inFlight_};
}

std::size_t Pacing::size() const {
  const Guard guard{mutex_};
  return counts_.size();
}

std::vector<PacerUsage> Pacing::usage(const PacedAccount& account, Instant now) const {
  const Guard guard{mutex_};
  now = std::max(now, latest_);
  std::vector<PacerUsage> lines;
  addUsage(account, nullptr, now, lines);
  if (const PacedAccount itself = whoeverMakesIt(account); itself != account && !account.connected.empty())
    addUsage(itself, nullptr, now, lines);
  addUsage(ownerOfObjects(account.livemode), &account, now, lines);
  return lines;
}

void Pacing::addUsage(const PacedAccount& owner, const PacedAccount* user, Instant now,
                      std::vector<PacerUsage>& lines) const {
  for (auto entry = counts_.lower_bound({owner, {}}); entry != counts_.end() && entry->first.first == owner;
       ++entry) {
    const auto& [tracker, users] = entry->second;
    if (user != nullptr && std::ranges::find(users, *user) == users.end()) continue;
    const auto& [slot, object, learned] = entry->first.second;
    PacerUsage line = usageOf(tracker, now);
    if (line.waiting == 0 && line.allowed == tracker.ceiling(now) && (line.used == 0 || learned)) continue;
    line.object = object;
    lines.push_back(std::move(line));
  }
}

LimitTracker& Pacing::countOfObject(const PacedAccount& user, const PacedLimit& limit) {
  auto& [tracker, users] = counted(ownerOfObjects(user.livemode), limit);
  if (std::ranges::find(users, user) == users.end()) users.push_back(user);
  return tracker;
}

Pacing::Count& Pacing::counted(const PacedAccount& account, const PacedLimit& limit) {
  Key key{account, {limit.slot, limit.object, limit.learned}};
  if (const auto found = counts_.find(key); found != counts_.end()) return found->second;
  if (counts_.size() >= dropAt_) dropIdle();
  const auto number = limit.learned ? std::nullopt : (account.livemode ? live_ : sandbox_)[limit.slot];
  const Slot& slot = plan_.slots()[limit.slot];
  const bool shared = number && isShared(account, limit);
  if (shared) shared_.reserve(shared_.size() + 1);
  std::string name = shared ? nameOfShared(slot, account.livemode) : std::string{};
  Count& made = counts_.try_emplace(std::move(key), slot, number, terms_, ++made_).first->second;
  if (shared) {
    made.tracker.setShare({});
    shared_.emplace_back(std::move(name), &made.tracker);
  }
  return made;
}

/// Requests on behalf of connected accounts count against the account too, so its share bounds them.
bool Pacing::isShared(const PacedAccount& account, const PacedLimit& limit) const {
  return options_.share != nullptr && account.connected.empty() && !limit.learned &&
         plan_.slots()[limit.slot].limit->scope != LimitScope::object;
}

void Pacing::dropIdle() {
  std::erase_if(counts_, [&](auto& entry) { return entry.second.tracker.isIdle(latest_); });
  dropAt_ = std::max(dropAtLeast, 2 * counts_.size());
}

Instant Pacing::present(Instant now) {
  latest_ = std::max(latest_, now);
  if (!terms_.start) terms_.start = latest_;
  return latest_;
}

}  // namespace tally::detail
