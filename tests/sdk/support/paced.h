#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

namespace tally::test {

using namespace std::chrono_literals;

/// A service whose requests take no time unless `options` say so, and clients that share a pacer.
class Paced : public testing::Test {
 protected:
  explicit Paced(fake::ServiceOptions options = {.duration = 0ns}) : service(options) {}

  [[nodiscard]] ClientOptions optionsFor(const std::string& key) {
    ClientOptions options = service.clientOptions(key);
    options.pacer = pacer;
    return options;
  }
  [[nodiscard]] Client clientFor(const std::string& key) { return Client{optionsFor(key)}; }

  /// Replaces the clients' pacer with a new one.
  void pace(const PacerOptions& options) {
    pacer = exact(options);
    client = clientFor(account.sandboxKey);
  }
  void setBoth(std::string_view limit, std::optional<std::int64_t> number) {
    numbers.push_back({.limit = std::string{limit}, .value = number});
    service.limits().set(numbers.back());
    pace({.limits = numbers});
  }

  /// The time until the last of `count` consecutive calls returns.
  std::chrono::nanoseconds timeOf(int count, const std::function<bool(int)>& call) {
    const Instant start = service.clock()->now();
    for (int n = 0; n < count; ++n)
      EXPECT_TRUE(call(n)) << "call " << n;
    return service.clock()->now() - start;
  }

  /// The limits of all refused requests.
  [[nodiscard]] std::vector<std::string> refusals() const {
    std::vector<std::string> limits;
    for (const fake::LoggedRequest& logged : service.requests().list())
      if (!logged.limit.empty()) limits.push_back(logged.limit);
    return limits;
  }

  [[nodiscard]] PacerUsage usage(std::string_view limit, std::string_view operation = {},
                                 std::string_view connectedAccount = {}) const {
    const auto lines = pacer->usage(account.sandboxKey, service.clock()->now(), connectedAccount);
    const auto found = std::ranges::find_if(lines, [&](const PacerUsage& line) {
      return line.limit == limit && (operation.empty() || line.operation == operation);
    });
    return found == lines.end() ? PacerUsage{} : *found;
  }

  fake::Service service;
  std::vector<LimitOverride> numbers{};
  fake::Account account = service.addAccount();
  std::shared_ptr<Pacer> pacer = exact({});
  Client client = clientFor(account.sandboxKey);
  Id<PaymentRecord> record = service.insert<PaymentRecord>(account.sandboxKey).id;

  /// No margin is needed: the clock is virtual and the latency constant.
  static std::shared_ptr<Pacer> exact(PacerOptions options) {
    options.windowMargin = 0ms;
    return std::make_shared<Pacer>(options);
  }

  bool retrieve(const RequestOptions& options = {}) {
    return client.paymentRecords().retrieve(record, options).has_value();
  }
  bool listed(const Client& by, const RequestOptions& options = {}) {
    for (auto& found : by.paymentRecords().list({.limit = 1}, options))
      return found.has_value();
    return true;
  }
};

}  // namespace tally::test
