#include <tally/fake/transport.h>

#include <gtest/gtest.h>

#include "fake/support/requests.h"

namespace tally::test {

namespace {

using Kind = TransportFailure::Kind;

class FakeTransport : public testing::Test {
 protected:
  TransportResult send(const SendLimits& limits) {
    return one.service.transport()->send(test::get(one.key, "https://any.host/v1/payment_records"), limits);
  }

  OneAccount one{};
  Instant now = one.service.clock()->now();
};

TEST_F(FakeTransport, ReturnsTheResponseOfTheService) {
  const auto response = send({.deadline = now + std::chrono::milliseconds{50}, .stop = {}});
  EXPECT_EQ(std::get<HttpResponse>(response).status, 200);
  EXPECT_EQ(one.service.requests().size(), 1U);
}

TEST_F(FakeTransport, SendsNothingAfterTheDeadline) {
  const auto response = send({.deadline = now, .stop = {}});
  EXPECT_EQ(std::get<TransportFailure>(response).kind, Kind::timeout);
  EXPECT_FALSE(std::get<TransportFailure>(response).mayHaveBeenSent);
  EXPECT_TRUE(one.service.requests().list().empty());
}

TEST_F(FakeTransport, DoesNotSendCanceledRequests) {
  std::stop_source stop;
  stop.request_stop();
  const auto response = send({.deadline = now + std::chrono::seconds{1}, .stop = stop.get_token()});
  EXPECT_EQ(std::get<TransportFailure>(response).kind, Kind::canceled);
  EXPECT_FALSE(std::get<TransportFailure>(response).mayHaveBeenSent);
  EXPECT_TRUE(one.service.requests().list().empty());
}

TEST_F(FakeTransport, WaitsForTheResponseUntilTheTimeout) {
  one.service.durations().set("payment_records.list", std::chrono::seconds{2});
  const auto response = send({.deadline = now + std::chrono::seconds{1}, .stop = {}});
  EXPECT_EQ(std::get<TransportFailure>(response).kind, Kind::timeout);
  EXPECT_TRUE(std::get<TransportFailure>(response).mayHaveBeenSent);
  EXPECT_EQ(one.service.clock()->now(), now + std::chrono::seconds{1});
}

TEST_F(FakeTransport, DoesNotSendARequestThatAFaultRefusesEvenIfTheCallerGivesUpFirst) {
  one.service.faults().inject(
      {.times = 2, .fault = fake::Fault::connectionRefused, .latency = std::chrono::seconds{2}});
  auto response = send({.deadline = now + std::chrono::seconds{1}, .stop = {}});
  EXPECT_EQ(std::get<TransportFailure>(response).kind, Kind::timeout);
  EXPECT_FALSE(std::get<TransportFailure>(response).mayHaveBeenSent);

  std::stop_source stop;
  const auto watching = one.service.onChange([&] { stop.request_stop(); });
  response = send({.deadline = now + std::chrono::seconds{9}, .stop = stop.get_token()});
  EXPECT_EQ(std::get<TransportFailure>(response).kind, Kind::canceled);
  EXPECT_FALSE(std::get<TransportFailure>(response).mayHaveBeenSent);
}

TEST_F(FakeTransport, LogsNoResponseAfterTheTimeout) {
  one.service.durations().set("payment_records.list", std::chrono::seconds{2});
  one.service.durations().set("payment_records.search", std::chrono::seconds{2});
  for (const std::string path : {"/v1/payment_records", "/v1/payment_records/search?query=created%3E0"}) {
    one.service.requests().clear();
    (void)one.service.transport()->send(
        test::get(one.key, "https://any.host" + path),
        {.deadline = one.service.clock()->now() + std::chrono::seconds{1}, .stop = {}});
    const fake::LoggedRequest logged = one.service.requests().list().back();
    EXPECT_EQ(logged.status, 0) << path;
    EXPECT_EQ(outcomeOf(logged), fake::RequestOutcome::unanswered) << path;
    EXPECT_FALSE(logged.response) << path;
    EXPECT_TRUE(logged.processed) << path;
  }
}

TEST_F(FakeTransport, AdvancesTheClockByTheDurationOfARequest) {
  one.service.durations().set("payment_records.list", std::chrono::seconds{2});
  const auto response = send({.deadline = now + std::chrono::seconds{2}, .stop = {}});
  EXPECT_EQ(std::get<HttpResponse>(response).status, 200);
  EXPECT_EQ(one.service.clock()->now(), now + std::chrono::seconds{2});
  EXPECT_EQ(one.service.requests().list().back().respondedAt, now + std::chrono::seconds{2});
}

// Other threads advance the clock while an attempt is in flight.
TEST_F(FakeTransport, StartsTheTimeoutWhenTheRequestArrives) {
  const SendLimits limits{.deadline = now + std::chrono::seconds{1}, .stop = {}, .startedAt = now};
  one.service.clock()->advance(std::chrono::hours{1});
  EXPECT_EQ(std::get<HttpResponse>(send(limits)).status, 200);
  one.service.durations().set("payment_records.list", std::chrono::seconds{2});
  EXPECT_EQ(std::get<TransportFailure>(send(limits)).kind, Kind::timeout);
}

TEST_F(FakeTransport, TakesNoTimeWhileTheClockIsFrozen) {
  one.service.clock()->freeze();
  EXPECT_EQ(std::get<HttpResponse>(send({.deadline = now + std::chrono::seconds{1}, .stop = {}})).status,
            200);
  EXPECT_EQ(one.service.clock()->now(), now);
}

TEST(Transport, ReturnsAResponseAfterItsServiceIsDestroyed) {
  auto one = std::make_unique<OneAccount>();
  const std::string url = "/v1/payment_records/" + one->insert();
  const auto transport = one->service.transport();
  const HttpRequest request = test::get(one->key, url);
  const SendLimits limits{.deadline = one->service.clock()->now() + std::chrono::seconds{1}, .stop = {}};
  one.reset();
  EXPECT_EQ(std::get<HttpResponse>(transport->send(request, limits)).status, 200);
}

}  // namespace

}  // namespace tally::test
