// Headers that are added to single attempts, in every way to make a call.

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/observer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/ways.h"

namespace tally::attemptHeadersTest {
namespace {

using namespace std::chrono_literals;
using test::NamedWay;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// What an event says about the attempt and its trace.
struct Seen {
  EventKind kind{};
  int attempt = 0;
  std::string traceparent{};

  explicit Seen(const Event& event)
      : kind(event.kind), attempt(event.attempt), traceparent(event.traceparent) {}
};

class Events final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    all.emplace_back(event);
    calls.push_back(event.call);
  }
  std::vector<Seen> all{};
  std::vector<std::uint64_t> calls{};
};

class AttemptHeaders : public testing::TestWithParam<NamedWay> {
 protected:
  /// Adds `traceparent: NUMBER`, the number of the attempt, unless told otherwise.
  std::vector<Header> next(const Event& attempt) {
    asked.emplace_back(attempt);
    requestsBefore.push_back(transport->requests.size());
    lastCall = attempt.call;
    EXPECT_EQ(attempt.kind, EventKind::attemptStarted);
    if (headersOf) return headersOf(attempt);
    return {{"traceparent", std::to_string(attempt.attempt)}};
  }

  ClientOptions options() {
    return {.apiKey = "sk_test_1",
            .baseUrl = "https://service.test",
            .maxNetworkRetries = 2,
            .attemptHeaders = [this](const Event& attempt) { return next(attempt); },
            .transport = transport,
            .clock = clock,
            .observer = events,
            .jitterSeed = 7};
  }
  [[nodiscard]] static std::unique_ptr<test::Way> way(const ClientOptions& options) {
    return GetParam().of(options);
  }
  void respond(TransportResult response) { transport->responses.push_back(std::move(response)); }
  void respondWithRecord() { respond(test::ok(test::recordJson("pr_1"))); }

  /// The values of a header in the requests; `-` where it is missing.
  [[nodiscard]] std::vector<std::string> sent(const char* name) const {
    std::vector<std::string> values;
    for (const HttpRequest& request : transport->requests) {
      const std::string* const value = test::find(request.headers, name);
      values.push_back(value == nullptr ? "-" : *value);
    }
    return values;
  }

  std::vector<Seen> asked{};
  std::vector<std::size_t> requestsBefore{};
  std::uint64_t lastCall = 0;
  std::function<std::vector<Header>(const Event&)> headersOf{};
  std::shared_ptr<test::TestClock> clock = std::make_shared<test::TestClock>();
  std::shared_ptr<test::CannedTransport> transport = std::make_shared<test::CannedTransport>();
  std::shared_ptr<Events> events = std::make_shared<Events>();
  test::WayCall retrieval{.operation = "payment_records.retrieve", .object = "pr_1"};
  test::WayCall report{.operation = "payment_records.report_failed", .object = "pr_1"};
};

INSTANTIATE_TEST_SUITE_P(Ways, AttemptHeaders, testing::ValuesIn(test::ways),
                         [](const auto& info) { return std::string{info.param.name}; });

TEST_P(AttemptHeaders, AreSentOnlyWithTheirOwnAttempt) {
  headersOf = [](const Event& attempt) {
    return attempt.attempt == 2
               ? std::vector<Header>{}
               : std::vector<Header>{
                     {"X-A", attempt.url.substr(8) == "service.test/v1/payment_records/pr_1" ? "1" : "2"}};
  };
  respond(test::lockTimeout());
  respond(test::lockTimeout());
  respondWithRecord();
  EXPECT_FALSE(way(options())->make(retrieval));
  EXPECT_THAT(sent("X-A"), ElementsAre("1", "-", "1"));
  EXPECT_THAT(requestsBefore, ElementsAre(0, 1, 2)) << "immediately before each request";
}

TEST_P(AttemptHeaders, OverrideTheHeadersOfTheCall) {
  respond(test::lockTimeout());
  respondWithRecord();
  retrieval.options.headers = {{"TraceParent", "call"}, {"tracestate", "a=1"}};
  EXPECT_FALSE(way(options())->make(retrieval));
  EXPECT_THAT(sent("TraceParent"), ElementsAre("1", "2"));
  EXPECT_THAT(sent("traceparent"), ElementsAre("-", "-")) << "sent once";
  EXPECT_THAT(sent("tracestate"), ElementsAre("a=1", "a=1"));
  ASSERT_EQ(asked.size(), 2U);
  for (const Seen& each : asked)
    EXPECT_EQ(each.traceparent, "call") << "not that of an earlier attempt";
}

TEST_P(AttemptHeaders, SetTheTraceparentInTheEventsOfTheirAttempt) {
  respond(test::lockTimeout());
  respondWithRecord();
  retrieval.options.headers = {{"traceparent", "call"}};
  EXPECT_FALSE(way(options())->make(retrieval));
  std::vector<std::string> started;
  for (const Seen& event : events->all) {
    EXPECT_EQ(event.traceparent, std::to_string(event.attempt)) << event.kind;
    if (event.kind == EventKind::attemptStarted) started.push_back(event.traceparent);
  }
  EXPECT_THAT(started, ElementsAre("1", "2"));
  EXPECT_THAT(events->calls, testing::Each(lastCall));
  EXPECT_NE(lastCall, 0U);
}

TEST_P(AttemptHeaders, AreRequestedForEachPage) {
  respond(test::ok(test::pageJson({"pr_1"}, true)));
  respond(test::ok(test::pageJson({"pr_2"}, false)));
  EXPECT_FALSE(way(options())->make({.operation = "payment_records.list"}));
  EXPECT_THAT(sent("traceparent"), ElementsAre("1", "1")) << "each page is a call";
  EXPECT_NE(events->calls.front(), events->calls.back());
}

TEST_P(AttemptHeaders, AreSentWithTheKeysOfAProvider) {
  auto rotating = options();
  rotating.apiKey = {};
  int keys = 0;
  rotating.apiKeyProvider = [&] { return "sk_test_key" + std::to_string(++keys); };
  respond(test::lockTimeout());
  respond(test::lockTimeout());
  respondWithRecord();
  EXPECT_FALSE(way(rotating)->make(retrieval));
  EXPECT_THAT(sent("Authorization"),
              ElementsAre("Bearer sk_test_key1", "Bearer sk_test_key2", "Bearer sk_test_key3"));
  EXPECT_THAT(sent("traceparent"), ElementsAre("1", "2", "3"));
}

TEST_P(AttemptHeaders, AreRefusedIfMalformedOrReserved) {
  const auto made = way(options());
  for (const auto& [header, why] : std::vector<std::pair<Header, std::string>>{
           {{"authorization", "Bearer hush42"}, "can't contain Authorization"},
           {{"Service-Account", "acct_2"}, "can't contain Service-Account"},
           {{"Content-Length", "0"}, "can't contain Content-Length: the transport sets it"},
           {{"transfer-encoding", "chunked"}, "can't contain transfer-encoding: the transport sets it"},
           {{"a b", "1"}, "contains an invalid header name"},
           {{"X-A", "1\r\nX-B: hush42"},
            "contains a line break or a control character in the value of X-A"}}) {
    headersOf = [&bad = header](const Event&) { return std::vector<Header>{{"X-Good", "1"}, bad}; };
    const auto outcome = made->make(report);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(outcome->param(), "attemptHeaders");
    EXPECT_EQ(outcome->message(), "attemptHeaders " + why);
    EXPECT_EQ(outcome->effect(), Effect::none);
    EXPECT_EQ(outcome->attemptCount(), 0);
  }
  EXPECT_TRUE(transport->requests.empty());
  headersOf = nullptr;
  respondWithRecord();
  EXPECT_FALSE(made->make(report)) << "the turn at the object is free";
}

TEST_P(AttemptHeaders, EndTheCallIfTheFunctionThatReturnsThemThrows) {
  headersOf = [](const Event& attempt) -> std::vector<Header> {
    if (attempt.attempt == 2) throw std::runtime_error{"hush42"};
    return {{"X-A", "1"}};
  };
  respond(test::lockTimeout());
  const auto outcome = way(options())->make(report);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->kind(), ErrorKind::invalidParameter);
  EXPECT_THAT(outcome->message(), HasSubstr("attemptHeaders threw an exception; last attempt: "));
  EXPECT_THAT(outcome->message(), Not(HasSubstr("hush42")));
  EXPECT_EQ(outcome->attemptCount(), 1);
  EXPECT_EQ(transport->requests.size(), 1U);
}

TEST_P(AttemptHeaders, AreSentEvenIfThereIsNoObserver) {
  auto alone = options();
  alone.observer = nullptr;
  respondWithRecord();
  EXPECT_FALSE(way(alone)->make(retrieval));
  EXPECT_NE(lastCall, 0U);
  EXPECT_THAT(sent("traceparent"), ElementsAre("1"));
}

}  // namespace
}  // namespace tally::attemptHeadersTest
