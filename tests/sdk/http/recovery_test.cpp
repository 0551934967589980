// Whatever goes wrong with one call, the next one of the same client goes well: each fault of the wire, and
// each that the fake can be told of, with each kind of call, on a connection that is new and on one that was
// kept.

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/calls.h"
#include "sdk/support/wire_fault.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Call;
using test::WireFault;

class Recovery : public testing::TestWithParam<WireFault> {
 protected:
  const WireFault& fault = GetParam();

  /// So many calls that go well, one that does not, and two that do.
  void expectRecovery(const Call& call, int answersFirst) const {
    test::Turns turns;
    turns.answersFirst = answersFirst;
    turns.faults = 1;
    turns.answer = call.answer;
    test::MisbehavingServer server{[&](int connection) { fault.behave(connection, turns); }};
    const Client client{
        {.key = "sk_test_1",
         .baseUrl = server.url(fault.scheme),
         .transport = curlTransport(
             systemClock(), {.caFile = test::authority().caFile(), .maxAnswerBytes = test::maxAnswerBytes})}};
    for (int i = 0; i < answersFirst; ++i)
      expectNoError(call, client);
    expectFault(call, client);
    expectNoError(call, client);
    expectNoError(call, client);
    EXPECT_EQ(turns.requests, answersFirst + (fault.sent ? 1 : 0) + 2);
  }

 private:
  static std::optional<Error> make(const Call& call, const Client& client, const RequestOptions& options) {
    return call.make(client, call.operation.starts_with("payment_intents") ? "pi_1" : "pr_1", options);
  }

  static void expectNoError(const Call& call, const Client& client) {
    const auto error = make(call, client, {});
    EXPECT_FALSE(error) << *error;
  }

  void expectFault(const Call& call, const Client& client) const {
    RequestOptions options{};
    if (fault.failure == TransportFailure::Kind::timeout) options.timeout = 500ms;
    const auto error = make(call, client, options);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), fault.kind) << *error;
    EXPECT_EQ(error->failure(), fault.failure) << *error;
    EXPECT_EQ(error->effect(), call.changes && fault.sent ? Effect::unknown : Effect::none) << *error;
  }
};

TEST_P(Recovery, OfANewConnection) {
  for (const Call& call : test::calls) {
    SCOPED_TRACE(call.operation);
    expectRecovery(call, 0);
  }
}

TEST_P(Recovery, OfAKeptConnection) {
  for (const Call& call : test::calls) {
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
  std::string record = service.seed<PaymentRecord>(key).id.str();
  std::string intent = service.seed<PaymentIntent>(key).id.str();
  Client client{{.key = key, .baseUrl = server.url()}};

  [[nodiscard]] std::optional<Error> make(const Call& call) const {
    return call.make(client, call.operation == "payment_intents.update" ? intent : record, {});
  }
};

constexpr fake::Fault faults[] = {fake::Fault::connectionRefused, fake::Fault::reset, fake::Fault::answerLost,
                                  fake::Fault::truncatedBody, fake::Fault::garbledBody};

/// A fault, and a call that goes well, time after time.
void makeInTurns(OverHttp& over, const Call& call) {
  EXPECT_FALSE(over.make(call));
  for (const fake::Fault fault : faults) {
    SCOPED_TRACE(fake::toString(fault));
    over.service.script({.operation = call.operation, .fault = fault});
    EXPECT_TRUE(over.make(call));
    for (int i = 0; i < 2; ++i) {
      const auto error = over.make(call);
      EXPECT_FALSE(error) << *error;
    }
  }
}

TEST(FaultsOfTheFake, LeaveTheNextCallAlone) {
  for (const Call& call : test::calls) {
    SCOPED_TRACE(call.operation);
    OverHttp over;
    makeInTurns(over, call);
  }
}

TEST(FaultsOfTheFake, LeaveCallsOfOtherThreadsAlone) {
  OverHttp over;
  std::vector<std::jthread> threads;
  for (const Call& call : test::calls)
    threads.emplace_back([&] { makeInTurns(over, call); });
}

}  // namespace
}  // namespace tally
