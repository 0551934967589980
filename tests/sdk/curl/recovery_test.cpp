// Whatever fails in one call, the next call of the client succeeds: each wire fault and each fault of the
// fake, with each kind of call, on new and on reused connections.

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/async_sends.h"
#include "sdk/support/calls.h"
#include "sdk/support/wire_fault.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::WireFault;

class Recovery : public testing::TestWithParam<WireFault> {
 protected:
  const WireFault& fault = GetParam();

  /// Makes `respondsFirst` successful calls, one that fails, and two successful ones.
  void expectRecovery(const test::Call& call, int respondsFirst) const {
    test::Turns turns;
    turns.respondsFirst = respondsFirst;
    turns.faults = 1;
    turns.response = call.response;
    test::MisbehavingServer server{[&](int connection) { fault.behave(connection, turns); }};
    const Client client{
        {.apiKey = "sk_test_1",
         .baseUrl = server.url(fault.scheme),
         .transport = test::wireTransport(systemClock(), {.caFile = test::authority().caFile(),
                                                          .maxResponseBytes = fault.maxResponseBytes})}};
    for (int i = 0; i < respondsFirst; ++i)
      expectNoError(call, client);
    expectFault(call, client);
    expectNoError(call, client);
    expectNoError(call, client);
    EXPECT_EQ(turns.requests, respondsFirst + (fault.sent ? 1 : 0) + 2);
  }

 private:
  static std::optional<Error> make(const test::Call& call, const Client& client,
                                   const RequestOptions& options) {
    return call.make(client, call.operation.starts_with("payment_intents") ? "pi_1" : "pr_1", options);
  }

  static void expectNoError(const test::Call& call, const Client& client) {
    const auto error = make(call, client, {});
    EXPECT_FALSE(error) << *error;
  }

  void expectFault(const test::Call& call, const Client& client) const {
    RequestOptions options{};
    if (fault.failure == TransportFailure::Kind::timeout) options.timeout = 500ms;
    const auto error = make(call, client, options);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), fault.kind) << *error;
    EXPECT_EQ(error->failure(), fault.failure) << *error;
    EXPECT_EQ(error->effect(), call.changes && fault.sent ? Effect::unknown : Effect::none) << *error;
  }
};

TEST_P(Recovery, SucceedsOnANewConnection) {
  for (const test::Call& call : test::calls) {
    SCOPED_TRACE(call.operation);
    expectRecovery(call, 0);
  }
}

TEST_P(Recovery, SucceedsOnAKeptConnection) {
  for (const test::Call& call : test::calls) {
    SCOPED_TRACE(call.operation);
    expectRecovery(call, 2);
  }
}

std::string nameOfTested(const testing::TestParamInfo<WireFault>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(Plain, Recovery, testing::ValuesIn(test::plainFaults()), nameOfTested);
INSTANTIATE_TEST_SUITE_P(Tls, Recovery, testing::ValuesIn(test::tlsFaults()), nameOfTested);
INSTANTIATE_TEST_SUITE_P(Http2, Recovery, testing::ValuesIn(test::http2Faults()), nameOfTested);

/// A service over HTTP, a client, and an object of each kind.
struct OverHttp {
  fake::Service service{{.limits = false}};
  fake::HttpServer server{service};
  std::string key = service.addAccount().sandboxKey;
  std::string record = service.insert<PaymentRecord>(key).id.str();
  std::string intent = service.insert<PaymentIntent>(key).id.str();
  Client client{{.apiKey = key, .baseUrl = server.url(), .transport = test::wireTransport(systemClock())}};

  [[nodiscard]] std::optional<Error> make(const test::Call& call) const {
    return call.make(client, call.operation == "payment_intents.update" ? intent : record, {});
  }
};

constexpr fake::Fault faults[] = {fake::Fault::connectionRefused, fake::Fault::reset,
                                  fake::Fault::responseLost, fake::Fault::truncatedBody,
                                  fake::Fault::garbledBody};

/// Alternates each fault with successful calls.
void makeInTurns(OverHttp& over, const test::Call& call) {
  EXPECT_FALSE(over.make(call));
  for (const fake::Fault fault : faults) {
    SCOPED_TRACE(fake::toString(fault));
    over.service.faults().inject({.operation = call.operation, .fault = fault});
    EXPECT_TRUE(over.make(call));
    for (int i = 0; i < 2; ++i) {
      const auto error = over.make(call);
      EXPECT_FALSE(error) << *error;
    }
  }
}

TEST(FaultsOfTheFake, DoNotAffectTheNextCall) {
  for (const test::Call& call : test::calls) {
    SCOPED_TRACE(call.operation);
    OverHttp over;
    makeInTurns(over, call);
  }
}

TEST(FaultsOfTheFake, DoNotAffectCallsInOtherThreads) {
  OverHttp over;
  std::vector<std::jthread> threads;
  for (const test::Call& call : test::calls)
    threads.emplace_back([&] { makeInTurns(over, call); });
}

}  // namespace
}  // namespace tally
