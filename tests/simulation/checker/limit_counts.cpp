#include "simulation/checker/limit_counts.h"

#include <algorithm>
#include <span>

namespace tally::simulation {

namespace {

using namespace std::chrono_literals;
using Operations = std::span<const std::string_view>;

/// A rate that the specification names, with its number if that is documented.
struct NamedRate {
  std::string_view name{};
  Operations operations{};
  std::optional<std::int64_t> live{};
  std::optional<std::int64_t> sandbox{};
  std::chrono::seconds window{1};
  bool isPerObject = false;    // else per account
  bool countsChanges = false;  // else requests
  bool needsQuantity = false;
};

constexpr std::string_view accountOperations[] = {"accounts.create", "core_accounts.create"};
constexpr std::string_view fileReads[] = {"files.list", "files.retrieve"};
constexpr std::string_view fileWrites[] = {"files.create"};
constexpr std::string_view cardCreates[] = {"issuing_cards.create"};
constexpr std::string_view intentUpdates[] = {"payment_intents.update"};
constexpr std::string_view payoutCreates[] = {"payouts.create"};
constexpr std::string_view payouts[] = {"payouts.create", "payouts.list", "payouts.retrieve"};
constexpr std::string_view searches[] = {"invoices.search", "payment_intents.search",
                                         "payment_records.search", "subscriptions.search"};
constexpr std::string_view invoiceCreates[] = {"invoices.create"};
constexpr std::string_view subscriptionUpdates[] = {"subscriptions.update"};

const NamedRate namedRates[] = {
    {.name = "account_creation",
     .operations = accountOperations,
     .live = 30,
     .sandbox = 5,
     .countsChanges = true},
    {.name = "card_creation", .operations = cardCreates, .countsChanges = true},
    {.name = "file_reads", .operations = fileReads, .live = 20, .sandbox = 20},
    {.name = "file_writes", .operations = fileWrites, .live = 20, .sandbox = 20},
    {.name = "payment_intent_updates",
     .operations = intentUpdates,
     .live = 1'000,
     .sandbox = 1'000,
     .window = 1h,
     .isPerObject = true},
    {.name = "payout_creation", .operations = payoutCreates, .live = 15, .sandbox = 15},
    {.name = "searches", .operations = searches, .live = 120, .sandbox = 120},
    {.name = "new_invoices_per_minute",
     .operations = invoiceCreates,
     .live = 10,
     .sandbox = 10,
     .window = 1min,
     .isPerObject = true,
     .countsChanges = true},
    {.name = "new_invoices_per_day",
     .operations = invoiceCreates,
     .live = 20,
     .sandbox = 20,
     .window = 24h,
     .isPerObject = true,
     .countsChanges = true},
    {.name = "quantity_updates",
     .operations = subscriptionUpdates,
     .live = 200,
     .sandbox = 200,
     .window = 1h,
     .isPerObject = true,
     .countsChanges = true,
     .needsQuantity = true},
};

constexpr std::int64_t payoutsInProgress = 30;
constexpr std::int64_t globalRateLive = 100;
constexpr std::int64_t globalRateSandbox = 25;
constexpr std::int64_t endpointRate = 25;
constexpr std::int64_t minimumReads = 10'000;
constexpr std::int64_t readsPerTransaction = 500;
/// Requests that wait for a lock are logged late, but not later than this.
constexpr std::chrono::seconds latestEntry{10};

bool has(Operations operations, std::string_view operation) {
  return std::ranges::find(operations, operation) != operations.end();
}

bool setsQuantity(const fake::LoggedRequest& request) {
  return request.request.body.find("quantity=") != std::string::npos;
}

std::string exceeded(std::string_view limit, std::int64_t number, std::int64_t used) {
  return "is admitted as number " + std::to_string(used) + " by " + std::string{limit} + ", which allows " +
         std::to_string(number);
}

}  // namespace

std::optional<std::int64_t> LimitCounts::numberOf(std::string_view limit,
                                                  std::optional<std::int64_t> documented) const {
  const auto at = numbers_.find(limit);
  return at == numbers_.end() ? documented : at->second;
}

/// A window is open at its beginning: what was admitted a whole window ago no longer counts.
std::string LimitCounts::add(const std::string& bucket, Instant time, std::chrono::seconds window,
                             std::int64_t number) {
  std::deque<Instant>& times = times_[bucket];
  const auto place = times.insert(std::ranges::upper_bound(times, time), time);
  const auto since = place - times.begin();
  for (auto at = times.begin() + since; at != times.end() && *at - time < window; ++at) {
    const auto first = std::ranges::upper_bound(times, *at - window);
    if (const std::int64_t used = at - first + 1; used > number) return exceeded(bucket, number, used);
  }
  while (times.back() - times.front() > window + latestEntry)
    times.pop_front();
  return {};
}

std::string LimitCounts::countRates(const fake::LoggedRequest& request, const std::string& key,
                                    const std::string& subscription) {
  bool isReplaced = false;
  for (const NamedRate& rate : namedRates) {
    if (!has(rate.operations, request.operation) || (rate.needsQuantity && !setsQuantity(request))) continue;
    isReplaced = true;
    if (rate.countsChanges && !request.processed) continue;
    const std::string& object = rate.operations.front() == "invoices.create" ? subscription : request.object;
    if (rate.isPerObject && object.empty()) continue;
    const auto number = numberOf(rate.name, request.livemode ? rate.live : rate.sandbox);
    if (!number) continue;
    const std::string bucket = std::string{rate.name} + ' ' + (rate.isPerObject ? object : key);
    if (auto wrong = add(bucket, request.time, rate.window, *number); !wrong.empty()) return wrong;
  }
  if (!isReplaced) {
    const auto number = numberOf("endpoint_rate", endpointRate);
    if (auto wrong = add("endpoint_rate " + key + request.operation, request.time, 1s, *number);
        !wrong.empty())
      return wrong;
  }
  const auto number = numberOf("global_rate", request.livemode ? globalRateLive : globalRateSandbox);
  return add("global_rate " + key, request.time, 1s, *number);
}

/// Counts what was in progress when the request arrived, as far as it is known by now.
std::string LimitCounts::countInProgress(const std::string& limit, const std::string& bucket,
                                         const fake::LoggedRequest& request) {
  const auto number =
      numberOf(limit, limit == "payouts_in_progress" ? std::optional{payoutsInProgress} : std::nullopt);
  if (!number) return {};
  std::vector<Interval>& intervals = inProgress_[limit + ' ' + bucket];
  std::erase_if(intervals, [&](const Interval& one) { return one.end + latestEntry < request.time; });
  intervals.push_back({request.time, request.respondedAt});
  const auto used = std::ranges::count_if(intervals, [&](const Interval& one) {
    return one.begin <= request.time && (request.time < one.end || one.begin == request.time);
  });
  return used > *number ? exceeded(limit, *number, used) : "";
}

std::string LimitCounts::countReads(const fake::LoggedRequest& request, const std::string& key) {
  if (request.operation == "payment_intents.create" && request.processed) ++transactions_[key];
  if (request.method != "GET") return {};
  const std::int64_t allowed = std::max(minimumReads, readsPerTransaction * transactions_[key]);
  const std::int64_t used = ++reads_[key];
  return used > allowed ? exceeded("the read allocation", allowed, used) : "";
}

std::string LimitCounts::count(const fake::LoggedRequest& request, const std::string& key,
                               const std::string& subscription) {
  if (request.operation.empty() || !request.limit.empty() || answering_.contains(request.faultId)) return {};
  if (auto wrong = countRates(request, key, subscription); !wrong.empty()) return wrong;
  if (has(payouts, request.operation))
    if (auto wrong = countInProgress("payouts_in_progress", key, request); !wrong.empty()) return wrong;
  if (auto wrong = countInProgress("global_concurrency", key, request); !wrong.empty()) return wrong;
  if (auto wrong = countInProgress("endpoint_concurrency", key + request.operation, request); !wrong.empty())
    return wrong;
  return countReads(request, key);
}

}  // namespace tally::simulation
