#pragma once

#include <tally/detail/cpp20.h>

#include <cstddef>
#include <functional>
#include <string>

#include <tally/client.h>
#include <tally/fake/service.h>

#include <gtest/gtest.h>

namespace tally::testing {

/// A test fixture with its own service. A test fails at its end if an injected fault never happened, because
/// it has then tested nothing.
///
/// Derive from it, with other options if necessary:
/// `class Reports : public FakeTest { protected: Reports() : FakeTest{{.seed = 7}} {} … };`
/// A fixture that overrides TearDown() calls FakeTest::TearDown() there.
class FakeTest : public ::testing::Test {
 protected:
  explicit FakeTest(const fake::ServiceOptions& options = {}) : service(options) {}

  void TearDown() override {
    if (IsSkipped()) return;
    for (const fake::FaultRule& fault : service.faults().pending())
      ADD_FAILURE() << "an injected fault never occurred: " << fault;
  }

  /// Runs `work(0)` … `work(count - 1)`, each in a thread of its own, as fake::VirtualClock::runThreads()
  /// does: time on the service's clock passes as on a real one, and every run is the same.
  void runThreads(std::size_t count, const std::function<void(std::size_t)>& work) {
    service.clock()->runThreads(count, work);
  }

  fake::Service service;
  fake::Account account = service.addAccount();
  /// The API key of the account's sandbox.
  std::string key = account.sandboxKey;
  /// A client with that key and without retries. For other options, change the result of
  /// `service.clientOptions(key)`.
  Client client{service.clientOptions(key)};
};

}  // namespace tally::testing
