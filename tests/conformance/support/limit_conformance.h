#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/support/conformance.h"
#include "fake/support/requests.h"

namespace tally::conformance {

using std::chrono::nanoseconds;

/// Requests to send in turn, repeatedly.
using Turns = std::vector<HttpRequest>;

/// A limit's name and its value of `Service-Rate-Limited-Reason`.
struct Row {
  std::string limit{};
  std::string reason{};
};

inline const Row globalRate{"global_rate", "global-rate"};
inline const Row endpointRate{"endpoint_rate", "endpoint-rate"};
inline const Row globalConcurrency{"global_concurrency", "global-concurrency"};
inline const Row endpointConcurrency{"endpoint_concurrency", "endpoint-concurrency"};

inline Row resourceSpecific(std::string limit) {
  return {std::move(limit), "resource-specific"};
}

/// Whether a response is a 429 of that limit.
inline testing::AssertionResult isRefusal(const HttpResponse& response, const std::string& reason) {
  const std::string* told = response.header("Service-Rate-Limited-Reason");
  if (test::errorOf(response) == "429 rate_limit" && response.header("Request-Id") != nullptr &&
      told != nullptr && *told == reason)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << test::errorOf(response) << ", reason "
                                     << (told == nullptr ? "none" : *told) << ", in place of " << reason;
}

/// The service with an account that has used none of its limits. handle() takes no time unless `options` says
/// so, so any number of requests can be made at one instant.
class LimitConformance : public testing::Test {
 protected:
  explicit LimitConformance(fake::ServiceOptions options = {.duration = nanoseconds{0}}) : service(options) {}

  void TearDown() override { EXPECT_THAT(service.faults().pending(), ::testing::IsEmpty()); }

  Service service;
  fake::Account account = service.addAccount();
  Instant start = service.clock()->now();

  /// The keys of both modes, for rules that do not depend on the mode.
  std::vector<std::string> keys() const { return {account.liveKey, account.sandboxKey}; }

  void goTo(Instant time) { service.clock()->advance(time - service.clock()->now()); }

  void setNumber(const std::string& limit, std::optional<std::int64_t> number) {
    service.limits().set({.limit = limit, .value = number});
  }
  void switchOff(const std::string& limit) { setNumber(limit, std::nullopt); }

  /// How many of `count` requests are admitted. Only the last `mostOverAWire` leave the process, since tens
  /// of thousands of equal requests take minutes there.
  int admitted(int count, const Turns& turns) {
    constexpr int mostOverAWire = 200;
    int admitted = 0;
    for (int i = 0; i < count; ++i) {
      const HttpRequest& request = turns[static_cast<std::size_t>(i) % turns.size()];
      const bool nearby = i + mostOverAWire < count;
      const HttpResponse response = nearby ? service.fake::Service::handle(request) : service.handle(request);
      if (response.status != 429) ++admitted;
    }
    return admitted;
  }
  int admitted(int count, const HttpRequest& request) { return admitted(count, Turns{request}); }

  testing::AssertionResult refusedBy(const Row& row, const HttpRequest& request) {
    const testing::AssertionResult refusal = isRefusal(service.handle(request), row.reason);
    const std::string limit = service.requests().list().back().limit;
    if (refusal && limit != row.limit)
      return testing::AssertionFailure() << "refused by '" << limit << "' instead of '" << row.limit << "'";
    return refusal;
  }

  /// Exactly `number` requests are admitted within any `window`: one is made at its beginning and the others
  /// halfway, and each frees its place when it is exactly one window old.
  void expectRate(const Row& row, int number, nanoseconds window, const Turns& turns) {
    const Instant first = service.clock()->now();
    const Instant later = first + window / 2;
    const HttpRequest& next = turns.front();
    EXPECT_EQ(admitted(1, turns), 1);
    goTo(later);
    EXPECT_EQ(admitted(number - 1, turns), number - 1);
    EXPECT_TRUE(refusedBy(row, next));
    goTo(first + window - nanoseconds{1});
    EXPECT_TRUE(refusedBy(row, next));
    goTo(first + window);
    EXPECT_EQ(admitted(1, turns), 1);
    EXPECT_TRUE(refusedBy(row, next));
    goTo(later + window - nanoseconds{1});
    EXPECT_TRUE(refusedBy(row, next));
    goTo(later + window);
    EXPECT_EQ(admitted(number - 1, turns), number - 1);
    EXPECT_TRUE(refusedBy(row, next));
  }

  /// An account's usage of one limit: the first matching line.
  fake::LimitUsage usageOf(const fake::Account& owner, std::string_view limit, bool livemode,
                           std::string_view operationOrObject = {}) {
    for (const fake::LimitUsage& line : service.usage().list(owner))
      if (line.limit == limit && line.livemode == livemode &&
          (operationOrObject.empty() || line.operation == operationOrObject ||
           line.object == operationOrObject))
        return line;
    ADD_FAILURE() << "no usage of " << limit;
    return {};
  }
};

/// Requests for five operations without limits of their own, one each.
inline Turns listsBy(const std::string& key) {
  Turns turns;
  for (const char* path : {"/v1/payment_records", "/v1/payment_intents", "/v1/subscriptions", "/v1/invoices",
                           "/v1/issuing/cards"})
    turns.push_back(test::get(key, path));
  return turns;
}

inline HttpRequest onBehalfOf(const fake::Account& connected, HttpRequest request) {
  request.headers.push_back({"Service-Account", connected.id});
  return request;
}

inline HttpRequest listRecords(const std::string& key) {
  return test::get(key, "/v1/payment_records");
}

inline HttpRequest createIntent(const std::string& key) {
  return test::post(key, "/v1/payment_intents", "amount=5&currency=eur");
}

inline HttpRequest updateIntent(const std::string& key, const Id<PaymentIntent>& id,
                                const std::string& form = "description=Tea") {
  return test::post(key, "/v1/payment_intents/" + id.str(), form);
}

inline HttpRequest createPayout(const std::string& key) {
  return test::post(key, "/v1/payouts", "amount=5&currency=eur");
}

inline HttpRequest createCard(const std::string& key, const std::string& form = {}) {
  return test::post(key, "/v1/issuing/cards", form);
}

inline HttpRequest createAccount(const std::string& key, const std::string& form = {}) {
  return test::post(key, "/v1/accounts", form);
}

inline HttpRequest createCoreAccount(const std::string& key) {
  return test::post(key, "/v2/core/accounts", "{}", "application/json");
}

}  // namespace tally::conformance
