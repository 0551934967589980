// Faults of real connections and the client's reactions: a matrix of faults and of a report, a list and a
// search.

#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/async_sends.h"
#include "sdk/support/wire_fault.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::MisbehavingServer;
using test::WireFault;

class WireFaults : public testing::TestWithParam<WireFault> {
 protected:
  const WireFault& fault = GetParam();
  test::Turns turns{};
  MisbehavingServer server{[this](int connection) { fault.behave(connection, turns); }};
  Client client{clientOptions()};

  [[nodiscard]] ClientOptions clientOptions() const {
    const auto clock = systemClock();
    return {.apiKey = "sk_test_1",
            .baseUrl = server.url(fault.scheme),
            .maxNetworkRetries = 2,
            .backoff = {.initial = 1ms, .cap = 1ms},
            .timeout = fault.failure == TransportFailure::Kind::timeout ? 500ms : 30'000ms,
            .transport = test::wireTransport(
                clock, {.caFile = test::authority().caFile(), .maxResponseBytes = fault.maxResponseBytes}),
            .clock = clock};
  }

  /// A write is retried only if it certainly had no effect.
  void expect(const Error& error, Effect effect) const {
    const int attempts = fault.repeated && effect == Effect::none ? 3 : 1;
    EXPECT_EQ(error.kind(), fault.kind) << error;
    EXPECT_EQ(error.failure(), fault.failure) << error;
    EXPECT_EQ(error.effect(), effect) << error;
    EXPECT_EQ(error.attemptCount(), attempts) << error;
    EXPECT_EQ(turns.requests, fault.sent ? attempts : 0) << error;
    EXPECT_THAT(error.message(), testing::HasSubstr(fault.says));
    EXPECT_THAT(error.toString(), testing::Not(testing::HasSubstr("sk_test_1")));
  }
};

TEST_P(WireFaults, LeaveTheEffectOfAReportUnknownOnlyIfItWasSent) {
  const auto reported =
      client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  ASSERT_TRUE(reported.has_error());
  expect(reported.error(), fault.sent ? Effect::unknown : Effect::none);
}

TEST_P(WireFaults, EndAListAfterTheExpectedNumberOfAttempts) {
  for (const auto& record : client.paymentRecords().list()) {
    ASSERT_TRUE(record.has_error());
    expect(record.error(), Effect::none);
  }
}

TEST_P(WireFaults, EndASearchAfterTheExpectedNumberOfAttempts) {
  for (const auto& record : client.paymentRecords().search({.query = "created>0"})) {
    ASSERT_TRUE(record.has_error());
    expect(record.error(), Effect::none);
  }
}

std::string nameOfFault(const testing::TestParamInfo<WireFault>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(Plain, WireFaults, testing::ValuesIn(test::plainFaults()), nameOfFault);
INSTANTIATE_TEST_SUITE_P(Tls, WireFaults, testing::ValuesIn(test::tlsFaults()), nameOfFault);
INSTANTIATE_TEST_SUITE_P(Http2, WireFaults, testing::ValuesIn(test::http2Faults()), nameOfFault);

}  // namespace
}  // namespace tally
