#include <functional>
#include <optional>
#include <sstream>
#include <utility>

#include <tally/observer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// Writes a line per event.
class Notes final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    std::ostringstream line;
    line << toString(event.kind) << ' ' << event.attempt;
    if (event.status != 0) line << " status " << event.status;
    if (event.error != nullptr) line << ' ' << toString(event.error->kind());
    if (!event.requestId.empty()) line << ' ' << event.requestId;
    lines.push_back(line.str());
    operations.emplace_back(event.operation);
    objects.emplace_back(event.object);
    traces.emplace_back(event.traceparent);
    traceStates.emplace_back(event.tracestate);
    durations.push_back(event.duration);
    times.push_back(event.time);
  }

  std::vector<std::string> lines{};
  std::vector<std::string> operations{};
  std::vector<std::string> objects{};
  std::vector<std::string> traces{};
  std::vector<std::string> traceStates{};
  std::vector<std::chrono::nanoseconds> durations{};
  std::vector<Instant> times{};
};

struct Observed : Harness {
  explicit Observed(const std::shared_ptr<Notes>& observer = std::make_shared<Notes>())
      : Harness({.maxNetworkRetries = 1, .observer = observer}), notes(observer) {
    transport->onSend = [this] { clock->advance(30ms); };
  }

  void respondWithId(int status, const std::string& id) {
    HttpResponse response = status == 200 ? ok(recordJson("pr_1")) : refused(status, "lock_timeout");
    response.headers.push_back({"Request-Id", id});
    respond(response);
  }
  Result<PaymentRecord> report(const RequestOptions& options = {}) {
    return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{1s}}, options);
  }

  std::shared_ptr<Notes> notes;
};

TEST(Observer, ReceivesTheEventsOfASuccessfulCall) {
  Observed call;
  call.respondWithId(200, "req_1");
  ASSERT_TRUE(call.report());
  EXPECT_THAT(call.notes->lines,
              ElementsAre("attempt_started 1", "attempt_ended 1 status 200 req_1", "call_ended 1"));
  EXPECT_THAT(call.notes->operations, testing::Each("payment_records.report_failed"));
  EXPECT_THAT(call.notes->objects, testing::Each("pr_1"));
  EXPECT_THAT(call.notes->durations, ElementsAre(0ms, 30ms, 30ms));
}

TEST(Observer, ReceivesWaitsAndRetries) {
  Observed call;
  call.respondWithId(429, "");
  call.respondWithId(200, "req_2");
  ASSERT_TRUE(call.report());
  EXPECT_THAT(call.notes->lines, ElementsAre("attempt_started 1", "attempt_ended 1 status 429 lock timeout",
                                             "backoff_started 1", "backoff_ended 1", "attempt_started 2",
                                             "attempt_ended 2 status 200 req_2", "call_ended 2"));
  EXPECT_EQ(call.notes->durations[2], call.clock->sleeps[0]);
  EXPECT_EQ(call.notes->durations[3], call.clock->sleeps[0]);
  EXPECT_EQ(call.notes->durations.back(), 60ms + call.clock->sleeps[0]);
  EXPECT_EQ(call.notes->times[3], call.notes->times[2] + call.clock->sleeps[0]);
}

TEST(Observer, ReceivesTheFailureWhenAResponseIsLost) {
  Observed call;
  call.respond(lostResponse());
  ASSERT_FALSE(call.report());
  EXPECT_THAT(call.notes->lines, ElementsAre("attempt_started 1", "attempt_ended 1 connection failure",
                                             "call_ended 1 connection failure"));
}

TEST(Observer, ReceivesACountOfZeroAttemptsWhenTheTransportRefusesTheRequest) {
  Observed call;
  call.respond(TransportFailure{TransportFailure::Kind::forbidden, false, "plain HTTP"});
  ASSERT_FALSE(call.report());
  EXPECT_THAT(call.notes->lines, ElementsAre("attempt_started 1", "attempt_ended 1 invalid parameter",
                                             "call_ended 0 invalid parameter"));
}

TEST(Observer, ReceivesNothingForAnInvalidCall) {
  Observed call;
  EXPECT_EQ(call.client.paymentRecords().retrieve("po_1").error().kind(), ErrorKind::invalidParameter);
  EXPECT_THAT(call.notes->lines, IsEmpty());
}

TEST(Observer, ReceivesTheEventsOfEachPage) {
  Observed call;
  call.respond(ok(pageJson({"pr_1"}, true)));
  call.respond(ok(pageJson({"pr_2"}, false)));
  for (auto& record : call.client.paymentRecords().list())
    EXPECT_TRUE(record);
  EXPECT_EQ(std::ranges::count(call.notes->lines, "call_ended 1"), 2);
  EXPECT_THAT(call.notes->objects, testing::Each(""));
}

/// The trace of a call, from its options.
struct Trace {
  std::string parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  std::string state = "shop=1,till=b";
  RequestOptions options{.headers = {{"Traceparent", parent}, {"tracestate", state}}};

  void expectToldBy(const Observed& call, std::size_t requests) const {
    EXPECT_THAT(call.notes->traces, testing::Each(parent));
    EXPECT_THAT(call.notes->traceStates, testing::Each(state));
    ASSERT_EQ(call.transport->requests.size(), requests);
    for (const HttpRequest& request : call.transport->requests) {
      EXPECT_THAT(request.headers, testing::Contains(Header{"Traceparent", parent}));
      EXPECT_THAT(request.headers, testing::Contains(Header{"tracestate", state}));
    }
  }
};

TEST(Observer, ReceivesTheTraceThatEachAttemptSends) {
  Observed call;
  call.respondWithId(429, "");
  call.respondWithId(200, "req_1");
  const Trace trace;
  ASSERT_TRUE(call.report(trace.options));
  trace.expectToldBy(call, 2);
}

TEST(Observer, ReceivesTheTraceThatEachPageSends) {
  Observed call;
  call.respond(ok(pageJson({"pr_1"}, true)));
  call.respond(refused(500, "api_error"));
  call.respond(ok(pageJson({"pr_2"}, false)));
  const Trace trace;
  for (auto& record : call.client.paymentRecords().list({}, trace.options))
    EXPECT_TRUE(record);
  trace.expectToldBy(call, 3);
}

/// Makes a call from within another.
class Meddler final : public Observer {
 public:
  explicit Meddler(EventKind at) : at_(at) {}

  void on(const Event& event) noexcept override {
    if (event.kind == at_ && !std::exchange(done_, true)) call();
  }

  std::function<void()> call{};

 private:
  EventKind at_;
  bool done_ = false;
};

TEST(Observer, CannotChangeTheObjectOfTheCurrentCall) {
  for (const EventKind at : {EventKind::attemptStarted, EventKind::attemptEnded, EventKind::callEnded}) {
    const auto meddler = std::make_shared<Meddler>(at);
    Harness h{{.observer = meddler}};
    const PaymentRecordReportFailedParams failed{.failedAt = std::chrono::sys_seconds{1s}};
    std::optional<Error> same;
    bool another = false;
    meddler->call = [&] {
      const Client copy = h.client;
      const auto refused = copy.paymentRecords().reportFailed("pr_1", failed);
      if (refused.has_error()) same = refused.error();
      another = copy.paymentRecords().reportFailed("pr_2", failed).has_value();
    };
    const bool isFirst = at == EventKind::attemptStarted;
    h.respond(ok(recordJson(isFirst ? "pr_2" : "pr_1")));
    h.respond(ok(recordJson(isFirst ? "pr_1" : "pr_2")));
    EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", failed));
    ASSERT_TRUE(same) << toString(at);
    EXPECT_EQ(same->kind(), ErrorKind::queueFull) << *same;
    EXPECT_EQ(same->effect(), Effect::none);
    EXPECT_EQ(same->attemptCount(), 0);
    EXPECT_THAT(same->message(), testing::HasSubstr("made during another call"));
    EXPECT_TRUE(another) << "other objects are unaffected";
    EXPECT_EQ(h.client.mutations().inProgress, 0U);
    h.respond(ok(recordJson("pr_1")));
    EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", failed)) << "the call has ended";
  }
}

TEST(Observer, CannotChangeTheObjectThroughANestedCall) {
  const auto first = std::make_shared<Meddler>(EventKind::attemptStarted);
  const auto second = std::make_shared<Meddler>(EventKind::attemptStarted);
  Harness h{{.observer = combineObservers({first, second})}};
  const PaymentRecordReportFailedParams failed{.failedAt = std::chrono::sys_seconds{1s}};
  std::optional<Error> refused;
  first->call = [&] { EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_2", failed)); };
  second->call = [&] {
    const auto same = h.client.paymentRecords().reportFailed("pr_1", failed, {.deadline = Instant{}});
    if (same.has_error()) refused = same.error();
  };
  h.respond(ok(recordJson("pr_2")));
  h.respond(ok(recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", failed));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->kind(), ErrorKind::queueFull) << "instead of waiting for itself: " << *refused;
}

/// Calls that create objects never wait for each other.
TEST(Observer, MayCreateAnObjectDuringACreateCall) {
  const auto meddler = std::make_shared<Meddler>(EventKind::attemptStarted);
  Harness h{{.observer = meddler}};
  const auto create = [&] { return h.client.payouts().create({.amount = 1, .currency = "eur"}); };
  std::optional<ErrorKind> inIts;
  meddler->call = [&] { inIts = create().error().kind(); };
  h.respond(refused(400, "parameter_invalid"));
  h.respond(refused(400, "parameter_invalid"));
  EXPECT_EQ(create().error().kind(), ErrorKind::invalidRequest);
  EXPECT_EQ(inIts, ErrorKind::invalidRequest) << "it was sent";
}

TEST(Observer, MayChangeTheObjectThroughAnotherClient) {
  const auto meddler = std::make_shared<Meddler>(EventKind::attemptStarted);
  Harness h{{.observer = meddler}};
  Harness other;
  const PaymentRecordReportFailedParams failed{.failedAt = std::chrono::sys_seconds{1s}};
  other.respond(ok(recordJson("pr_1")));
  h.respond(ok(recordJson("pr_1")));
  bool went = false;
  meddler->call = [&] { went = other.client.paymentRecords().reportFailed("pr_1", failed).has_value(); };
  EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", failed));
  EXPECT_TRUE(went);
}

TEST(AttemptsOfACall, AreCompleteInAnError) {
  Observed call;
  const Instant start = call.clock->now();
  call.respondWithId(429, "req_1");
  call.respond(lostResponse());
  const Error error = call.report().error();
  ASSERT_EQ(error.attempts().size(), 2U);
  EXPECT_EQ(error.attempts()[0].sent, start);
  EXPECT_EQ(error.attempts()[0].duration, 30ms);
  EXPECT_EQ(error.attempts()[0].status, 429);
  EXPECT_EQ(error.attempts()[0].requestId, "req_1");
  EXPECT_EQ(error.attempts()[0].failure, "No.");
  EXPECT_EQ(error.attempts()[1].sent, start + 30ms + call.clock->sleeps[0]);
  EXPECT_EQ(error.attempts()[1].status, 0);
  EXPECT_EQ(error.attempts()[1].failure, "connection reset");
}

TEST(AttemptsOfACall, AreAvailableAfterASuccessfulCall) {
  Observed call;
  call.respondWithId(429, "req_1");
  call.respondWithId(200, "req_2");
  std::vector<Attempt> attempts;
  ASSERT_TRUE(call.report({.attempts = &attempts}));
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_EQ(attempts[0].failure, "No.");
  EXPECT_EQ(attempts[1].status, 200);
  EXPECT_EQ(attempts[1].requestId, "req_2");
  EXPECT_EQ(attempts[1].failure, "");
}

TEST(AttemptsOfACall, AreEachPrintedOnOneLine) {
  const auto printed = [](const Attempt& attempt) {
    std::ostringstream out;
    out << attempt;
    return out.str();
  };
  const Attempt refused{.duration = 50ms, .status = 429, .requestId = "req_1", .failure = "No.\nNever."};
  EXPECT_EQ(printed(refused), "1970-01-01T00:00:00Z: 429 after 0.05s, request req_1: No.\\nNever.");
  EXPECT_EQ(printed({.duration = 30s, .failure = "late"}),
            "1970-01-01T00:00:00Z: no response after 30s: late");
  EXPECT_EQ(printed({.duration = 1ns, .status = 200}), "1970-01-01T00:00:00Z: 200 after 0.000000001s");
}

TEST(AttemptsOfACall, IncludeThoseForAllPagesOfAList) {
  Observed call;
  call.respond(ok(pageJson({"pr_1"}, true)));
  call.respond(ok(pageJson({"pr_2"}, false)));
  std::vector<Attempt> attempts;
  for (auto& record : call.client.paymentRecords().list({}, {.attempts = &attempts}))
    EXPECT_TRUE(record);
  EXPECT_EQ(attempts.size(), 2U);
}

}  // namespace
}  // namespace tally::test
