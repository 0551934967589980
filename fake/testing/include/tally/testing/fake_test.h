#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <tally/client.h>
#include <tally/fake/request_pattern.h>
#include <tally/fake/service.h>
#include <tally/options.h>
#include <tally/testing/printers.h>

#include <gtest/gtest.h>

namespace tally::testing {

/// A test fixture with its own service. A test fails at its end if an injected fault never occurred, because
/// the test then did not cover that fault.
///
/// Derive from it, with options for the client, the service, or both:
/// `class Reports : public FakeTest { protected: Reports() : FakeTest({.maxNetworkRetries = 3}) {} … };`,
/// `FakeTest({.seed = 7})` or `FakeTest({.seed = 7}, {.maxNetworkRetries = 3})`.
///
/// A fixture that overrides TearDown() must call FakeTest::TearDown() there.
class FakeTest : public ::testing::Test {
  // `{}` converts best to this type, because it needs no constructor.
  enum class Defaults : std::uint8_t {};

 protected:
  FakeTest() : FakeTest(fake::ServiceOptions{}) {}
  /// Completes `options` as fake::Service::clientOptions() does: the key, the base URL, the transport and the
  /// clock need not be set.
  explicit FakeTest(ClientOptions options) : FakeTest(fake::ServiceOptions{}, std::move(options)) {}
  explicit FakeTest(const fake::ServiceOptions& serviceOptions, ClientOptions options = {})
      : service(serviceOptions), client(service.clientOptions(key, std::move(options))) {}
  /// `FakeTest({})` is the same as `FakeTest()`, although `{}` may be the options of either.
  explicit FakeTest(Defaults) : FakeTest() {}

  void TearDown() override {
    if (IsSkipped()) return;
    for (const fake::FaultRule& fault : service.faults().pending())
      ADD_FAILURE() << "an injected fault never occurred: " << fault << "; " << matchesOf(fault);
  }

  /// Runs `work(0)` … `work(count - 1)`, each in a separate thread, as fake::VirtualClock::runThreads()
  /// does: time on the service's clock passes as on a real one, and every run is the same.
  void runThreads(std::size_t count, const std::function<void(std::size_t)>& work) {
    service.clock()->runThreads(count, work);
  }

  fake::Service service;
  fake::Account account = service.addAccount();
  /// The API key of the account's sandbox.
  std::string key = account.sandboxKey;
  /// A client with that key and the options of the fixture; by default, without retries. For another client:
  /// `const Client patient{service.clientOptions(key, {.maxNetworkRetries = 3})};`
  Client client;

 private:
  /// How many requests a fault could have hit, such as `2 logged requests matched, of which 1 hit a fault`.
  [[nodiscard]] std::string matchesOf(const fake::FaultRule& fault) const {
    const fake::RequestPattern pattern = patternOf(fault);
    std::size_t matched = 0;
    std::size_t met = 0;
    for (const fake::LoggedRequest& request : service.requests().list()) {
      if (!matches(pattern, request)) continue;
      ++matched;
      if (request.hasFault()) ++met;
    }
    if (matched == 0) return "no logged request matched";
    return std::to_string(matched) + (matched == 1 ? " logged request" : " logged requests") +
           " matched, of which " + std::to_string(met) + " hit a fault";
  }
};

}  // namespace tally::testing
