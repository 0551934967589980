#include "fake/support/naive_limits.h"

#include <algorithm>
#include <array>
#include <set>

#include <tally/payment_intents.h>
#include <tally/payment_records.h>
#include <tally/subscriptions.h>

#include "fake/support/requests.h"
#include "schema/operation.h"

namespace tally::test {

namespace {

bool names(const Limit& limit, std::string_view operation) {
  return std::ranges::find(limit.operations, operation) != limit.operations.end();
}

bool gives(const LimitedRequest& request, std::string_view parameter) {
  return parameter.empty() || std::ranges::find(request.given, parameter) != request.given.end();
}

bool isGeneral(const Limit& limit) {
  return limit.name == "endpoint_rate";
}

/// Assumed: "Named limits and the 25 requests per second per endpoint".
bool hasNamedRate(const std::string& operation, const LimitedRequest* request) {
  return std::ranges::any_of(limits::all, [&](const Limit* limit) {
    return limit->metric != LimitMetric::inProgress && !limit->addsToEndpointRate &&
           names(*limit, operation) &&
           (limit->onlyWithParam.empty() || (request != nullptr && gives(*request, limit->onlyWithParam)));
  });
}

bool concerns(const Limit& limit, const LimitedRequest& request) {
  if (limit.scope == LimitScope::object && limit.object.empty() && !request.exists) return false;
  if (isGeneral(limit)) return !hasNamedRate(request.operation, &request);
  return (limit.operations.empty() || names(limit, request.operation)) && gives(request, limit.onlyWithParam);
}

/// Identifies the counter of the limit that the request counts in.
std::string keyOf(const Limit& limit, const LimitedRequest& request) {
  if (limit.scope == LimitScope::operation) return request.operation;
  if (limit.scope == LimitScope::account) return {};
  return limit.object.empty() ? request.object : request.subscription;
}

bool holdsFor(const Limit& limit, std::string_view key, const std::string& operation) {
  if (limit.scope == LimitScope::operation) return operation == key;
  return limit.operations.empty() || names(limit, operation);
}

/// Spec: "Errors", in the order of the assumption "Several limits at once".
constexpr std::array reasons{RateLimitedReason::globalConcurrency, RateLimitedReason::endpointConcurrency,
                             RateLimitedReason::globalRate, RateLimitedReason::endpointRate,
                             RateLimitedReason::resourceSpecific};

}  // namespace

std::vector<LimitedRequest> someRequests(fake::Service& service, const std::string& key) {
  std::vector<LimitedRequest> requests;
  const auto reads = [&](const std::string& operation, const std::string& url) {
    requests.push_back({.operation = operation, .http = get(key, url)});
  };
  const auto writes = [&](LimitedRequest request, const std::string& url, const std::string& body) {
    request.http = post(key, url, body);
    requests.push_back(std::move(request));
  };
  reads("files.list", "/v1/files");
  reads("payouts.list", "/v1/payouts");
  reads("payment_records.list", "/v1/payment_records");
  reads("payment_records.search", "/v1/payment_records/search?query=created>0");
  reads("invoices.search", "/v1/invoices/search?query=created>0");
  writes({.operation = "files.create"}, "/v1/files", "purpose=a&filename=b");
  writes({.operation = "payouts.create"}, "/v1/payouts", "amount=1&currency=eur");
  writes({.operation = "payouts.create", .valid = false}, "/v1/payouts", "");
  writes({.operation = "accounts.create"}, "/v1/accounts", "");
  requests.push_back({.operation = "core_accounts.create",
                      .http = post(key, "/v2/core/accounts", "{}", "application/json")});
  const std::string sure = service.insert<PaymentRecord>(key).id.str();
  (void)service.handle(
      post(key, "/v1/payment_records/" + sure + "/report_payment_attempt_guaranteed", "guaranteed_at=1"));
  for (const std::string& id : {sure, service.insert<PaymentRecord>(key).id.str()})
    writes({.operation = "payment_records.report_failed", .object = id},
           "/v1/payment_records/" + id + "/report_payment_attempt_failed", "failed_at=1");
  for (const std::string& id : {service.insert<PaymentIntent>(key).id.str(), std::string{"pi_none"}})
    writes({.operation = "payment_intents.update", .object = id, .exists = id != "pi_none"},
           "/v1/payment_intents/" + id, "description=x");
  for (const std::string& id : {service.insert<Subscription>(key).id.str(),
                                service.insert<Subscription>(key).id.str(), std::string{"sub_none"}}) {
    const std::string url = "/v1/subscriptions/" + id;
    const bool exists = id != "sub_none";
    writes({.operation = "subscriptions.update", .object = id, .exists = exists, .given = {"quantity"}}, url,
           "quantity=2");
    writes({.operation = "subscriptions.update", .object = id, .exists = exists}, url, "description=x");
    writes({.operation = "invoices.create", .given = {"subscription"}, .subscription = id}, "/v1/invoices",
           "subscription=" + id);
    writes({.operation = "invoices.create", .given = {"subscription"}, .subscription = id, .valid = false},
           "/v1/invoices", "subscription=" + id + "&bogus=1");
  }
  return requests;
}

Instant NaiveLimits::leaves(const Limit& limit, const Past& past) {
  return limit.metric == LimitMetric::inProgress ? past.end : past.time + limit.window;
}

std::int64_t NaiveLimits::used(std::size_t index, std::string_view key, Instant now) const {
  const Limit& limit = *limits::all[index];
  std::int64_t count = 0;
  if (limit.metric == LimitMetric::inProgress)
    for (const auto& [operation, units] : held_)
      if (holdsFor(limit, key, operation)) count += units;
  return count + std::ranges::count_if(past_, [&](const Past& past) {
           return leaves(limit, past) > now && (limit.metric != LimitMetric::changes || past.changed) &&
                  keyOf(limit, *past.request) == key && concerns(limit, *past.request);
         });
}

std::optional<Instant> NaiveLimits::frees(std::size_t index, std::string_view key, Instant now) const {
  if (used(index, key, now) < *numbers_[index]) return now;
  std::set<Instant> times;
  for (const Past& past : past_)
    if (leaves(*limits::all[index], past) > now) times.insert(leaves(*limits::all[index], past));
  for (const Instant time : times)
    if (used(index, key, time) < *numbers_[index]) return time;
  return std::nullopt;
}

const Limit* NaiveLimits::refusal(const LimitedRequest& request, Instant now) const {
  for (const RateLimitedReason reason : reasons)
    for (std::size_t i = 0; i < limits::all.size(); ++i) {
      const Limit& limit = *limits::all[i];
      if (limit.reason == reason && numbers_[i] && concerns(limit, request) &&
          used(i, keyOf(limit, request), now) >= *numbers_[i])
        return &limit;
    }
  return nullptr;
}

std::vector<NaiveLimits::Line> NaiveLimits::usage(Instant now) const {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < limits::all.size(); ++i) {
    const Limit& limit = *limits::all[i];
    std::set<std::string> keys;
    if (limit.scope == LimitScope::account) keys.insert("");
    if (limit.scope == LimitScope::operation)
      for (const tally::detail::AnyOperation* operation : tally::detail::operations)
        if (!isGeneral(limit) || !hasNamedRate(std::string{operation->name}, nullptr))
          keys.insert(std::string{operation->name});
    if (limit.scope == LimitScope::object)
      for (const Past& past : past_)
        if (concerns(limit, *past.request)) keys.insert(keyOf(limit, *past.request));
    for (const std::string& key : keys) {
      const std::int64_t count = used(i, key, now);
      if (count == 0 && (!numbers_[i] || limit.scope == LimitScope::object)) continue;
      const bool object = limit.scope == LimitScope::object;
      lines.emplace_back(limit.name, object ? "" : key, object ? key : "", count, numbers_[i].value_or(-1),
                         numbers_[i] ? std::max<std::int64_t>(*numbers_[i] - count, 0) : -1,
                         numbers_[i] ? frees(i, key, now) : std::nullopt);
    }
  }
  std::ranges::sort(lines);
  return lines;
}

std::vector<NaiveLimits::Line> NaiveLimits::linesOf(const std::vector<fake::LimitUsage>& usage) {
  std::vector<Line> lines;
  for (const fake::LimitUsage& line : usage)
    if (!line.livemode && !line.limit.starts_with("read_allocation"))
      lines.emplace_back(line.limit, line.operation, line.object, line.used, line.allowed.value_or(-1),
                         line.remaining.value_or(-1), line.availableAt);
  std::ranges::sort(lines);
  return lines;
}

}  // namespace tally::test
