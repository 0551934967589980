#pragma once

#include <string>
#include <utility>

#include <tally/client.h>
#include <tally/fake/service.h>

#include <gtest/gtest.h>

namespace tally::testing {

/// A test that owns the service. It fails at its end where a fault that it arranged never happened, since
/// such a test has tested nothing.
///
/// Derive from it, with other options if need be:
/// `class Settling : public FakeTest { protected: Settling() : FakeTest{{.seed = 7}} {} … };`
/// A fixture with a TearDown() of its own calls FakeTest::TearDown() there.
class FakeTest : public ::testing::Test {
 protected:
  explicit FakeTest(const fake::ServiceOptions& options = {}) : service(options) {}

  void TearDown() override {
    if (IsSkipped()) return;
    for (const std::string& fault : service.verifyFaultsFired())
      ADD_FAILURE() << "the test arranged a fault that never happened: " << fault;
  }

  fake::Service service;
  fake::Account account = service.addAccount();
  /// That of the account's sandbox.
  std::string key = account.sandboxKey;
  /// A client with that key, which sends every request once. For one with other options, change what
  /// `service.clientOptions(key)` gives.
  Client client{service.clientOptions(key)};
};

}  // namespace tally::testing
