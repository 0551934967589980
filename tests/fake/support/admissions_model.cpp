#include "fake/support/admissions_model.h"

#include <algorithm>

namespace tally::test {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

std::string modeOf(bool live) {
  return live ? "live" : "sandbox";
}

bool isOneOf(const std::string& operation, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, operation) != names.end();
}

bool isOfPayouts(const std::string& operation) {
  return isOneOf(operation, {"payouts.create", "payouts.list", "payouts.retrieve"});
}

/// Spec: "Data, reporting and tax product endpoints are excluded from the allocation."
bool isExempt(const std::string& operation) {
  return isOneOf(operation, {"data_exports.list", "reporting_report_runs.list", "tax_registrations.list"});
}

template <class Times>
void forget(Times& times, Instant leftBefore) {
  while (!times.empty() && times.front() <= leftBefore)
    times.pop_front();
}

}  // namespace

std::optional<std::int64_t> AdmissionsModel::number(const std::string& limit,
                                                    std::optional<std::int64_t> documented) const {
  const auto set = numbers_.find(limit);
  return set == numbers_.end() ? documented : set->second;
}

/// Spec: "Limits", the rows below "Individual endpoint (unless noted)".
std::vector<AdmissionsModel::Bound> AdmissionsModel::namedRatesOf(const AdmissionRequest& request) const {
  const std::string& operation = request.operation;
  const std::string of = request.payer + ' ' + modeOf(request.live) + ' ';
  const std::string ofObject = request.acting + ' ' + modeOf(request.live) + ' ' + request.object + ' ';
  const std::string reason = "resource-specific";
  if (operation == "payment_intents.update")
    return {{reason, "updates of a payment intent", ofObject + "updates",
             number("payment_intent_updates", 1000), hours{1}}};
  if (operation == "subscriptions.update" && request.givesQuantity)
    return {{reason, "quantity updates of a subscription", ofObject + "quantity",
             number("quantity_updates", 200), hours{1}, true}};
  if (operation == "invoices.create")
    return {{reason, "invoices of a subscription per minute", ofObject + "invoices a minute",
             number("new_invoices_per_minute", 10), minutes{1}, true},
            {reason, "invoices of a subscription per day", ofObject + "invoices a day",
             number("new_invoices_per_day", 20), days{1}, true}};
  if (isOneOf(operation, {"files.list", "files.retrieve"}))
    return {{reason, "file reads", of + "file reads", number("file_reads", 20), seconds{1}}};
  if (operation == "files.create")
    return {{reason, "file writes", of + "file writes", number("file_writes", 20), seconds{1}}};
  if (operation == "payouts.create")
    return {{reason, "payouts created", of + "payouts", number("payout_creation", 15), seconds{1}}};
  if (isOneOf(operation, {"accounts.create", "core_accounts.create"}))
    return {{reason, "accounts created, " + modeOf(request.live), of + "accounts",
             number("account_creation", request.live ? 30 : 5), seconds{1}, true}};
  if (isOneOf(operation, {"payment_records.search", "payment_intents.search", "subscriptions.search",
                          "invoices.search"}))
    return {{reason, "searches", of + "searches", number("searches", 120), seconds{1}}};
  if (operation == "issuing_cards.create")
    return {{reason, "cards created", request.acting + ' ' + modeOf(request.live) + " cards",
             number("card_creation", std::nullopt), seconds{1}, true}};
  return {};
}

/// In the order of the assumption "Several limits at once".
std::vector<AdmissionsModel::Bound> AdmissionsModel::boundsOf(const AdmissionRequest& request) const {
  const std::string of = request.payer + ' ' + modeOf(request.live) + ' ';
  std::vector<Bound> bounds{{"global-concurrency", "all in progress", of + "in progress",
                             number("global_concurrency", std::nullopt)}};
  if (isOfPayouts(request.operation))
    bounds.push_back({"endpoint-concurrency", "payouts in progress", of + "payouts in progress",
                      number("payouts_in_progress", 30)});
  bounds.push_back({"endpoint-concurrency", "one endpoint in progress",
                    of + request.operation + " in progress", number("endpoint_concurrency", std::nullopt)});
  bounds.push_back({"global-rate", "all requests, " + modeOf(request.live), of + "all",
                    number("global_rate", request.live ? 100 : 25), seconds{1}});
  const std::vector<Bound> named = namedRatesOf(request);
  if (named.empty())
    bounds.push_back(
        {"endpoint-rate", "one endpoint", of + request.operation, number("endpoint_rate", 25), seconds{1}});
  bounds.insert(bounds.end(), named.begin(), named.end());
  return bounds;
}

std::int64_t AdmissionsModel::used(const Bound& bound, Instant now) {
  if (bound.window == std::chrono::nanoseconds::zero()) {
    auto& ends = ends_[bound.counter];
    std::erase_if(ends, [now](Instant end) { return end <= now; });
    return std::ssize(ends) + heldUnits_[bound.counter];
  }
  auto& times = admitted_[bound.counter];
  forget(times, now - bound.window);
  return std::ssize(times);
}

/// Spec: "Read (GET) request allocation", 1 to 5; assumed: the larger of 10,000 and 500 per transaction.
std::int64_t AdmissionsModel::readsAllowed(const AdmissionRequest& request, Instant now) {
  std::set<std::string> accounts{request.acting};
  if (request.isOnBehalf()) accounts = connected_[{request.payer, request.live}];
  std::int64_t sum = 0;
  for (const std::string& account : accounts)
    for (const auto& [time, count] : transactions_[{account, request.live}])
      if (time > now - days{30}) sum += count;
  return std::max<std::int64_t>(10'000, 500 * sum);
}

std::deque<Instant>& AdmissionsModel::readsOf(const AdmissionRequest& request) {
  return reads_[{request.payer, request.live, request.isOnBehalf()}];
}

std::optional<AdmissionsModel::Refusal> AdmissionsModel::refusal(const AdmissionRequest& request,
                                                                 Instant now) {
  for (const Bound& bound : boundsOf(request))
    if (bound.number && used(bound, now) >= *bound.number) return Refusal{bound.reason, bound.line};
  if (!request.get || isExempt(request.operation)) return std::nullopt;
  std::deque<Instant>& reads = readsOf(request);
  forget(reads, now - days{30});
  if (std::ssize(reads) < 10'000 || std::ssize(reads) < readsAllowed(request, now)) return std::nullopt;
  return Refusal{"", request.isOnBehalf() ? "reads on behalf of accounts" : "reads of an account"};
}

void AdmissionsModel::admit(const AdmissionRequest& request, Instant time, Instant end, bool changed) {
  for (const Bound& bound : boundsOf(request)) {
    if (bound.window == std::chrono::nanoseconds::zero()) {
      ends_[bound.counter].push_back(end);
    } else if (changed || !bound.changesOnly) {
      admitted_[bound.counter].push_back(time);
    }
  }
  if (request.get && !isExempt(request.operation)) readsOf(request).push_back(time);
}

void AdmissionsModel::transact(const std::string& account, bool live, Instant now, std::int64_t count) {
  transactions_[{account, live}].emplace_back(now, count);
}

void AdmissionsModel::holdConcurrency(const std::string& account, bool live, const std::string& operation,
                                      std::int64_t units) {
  const std::string of = account + ' ' + modeOf(live) + ' ';
  heldUnits_[of + "in progress"] += units;
  if (operation.empty()) return;
  heldUnits_[of + operation + " in progress"] += units;
  if (isOfPayouts(operation)) heldUnits_[of + "payouts in progress"] += units;
}

}  // namespace tally::test
