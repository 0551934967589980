#pragma once

#include <string>
#include <utility>

#include <tally/client.h>
#include <tally/fake/service.h>

#include <gtest/gtest.h>

namespace tally::testing {

/// A test fixture with a service of its own. A test fails at its end if an injected fault never happened,
/// because such a test has tested nothing.
///
/// Derive from it, with other options if necessary:
/// `class Reports : public FakeTest { protected: Reports() : FakeTest{{.seed = 7}} {} … };`
/// A fixture that overrides TearDown() calls FakeTest::TearDown() there.
class FakeTest : public ::testing::Test {
 protected:
  explicit FakeTest(const fake::ServiceOptions& options = {}) : service(options) {}

  void TearDown() override {
    if (IsSkipped()) return;
    for (const fake::FaultRule& fault : service.pendingFaults())
      ADD_FAILURE() << "an injected fault never occurred: " << fault;
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
