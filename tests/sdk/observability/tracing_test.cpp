// Spans of calls and attempts, and the `traceparent` of each request, compared with the log of the service.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/fake/service.h>
#include <tally/report_all.h>
#include <tally/tally.h>
#include <tally/tracing.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/ways.h"

namespace tally::tracingTest {
namespace {

using namespace std::chrono_literals;
using test::NamedWay;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;

using Attributes = std::vector<std::pair<std::string, std::string>>;

Attributes copied(std::span<const TraceAttribute> attributes) {
  Attributes copies;
  for (const auto& [name, value] : attributes) {
    const auto* number = std::get_if<std::int64_t>(&value);
    copies.emplace_back(
        name, number == nullptr ? std::string{std::get<std::string_view>(value)} : std::to_string(*number));
  }
  return copies;
}

/// A span as it was started and ended.
struct Recorded {
  std::string name{};
  SpanKind kind{};
  std::string id{};
  std::string parent{};  // the id of the parent, or its traceparent
  Instant begin{};
  std::optional<Instant> end{};
  bool isError = false;
  Attributes attributes{};

  [[nodiscard]] std::string value(std::string_view attribute) const {
    const auto found = std::ranges::find(attributes, attribute, [](const auto& each) { return each.first; });
    return found == attributes.end() ? "" : found->second;
  }
};

/// Keeps all spans, whose ids are their traceparents.
class Recorder final : public Tracer {
 public:
  std::unique_ptr<TraceSpan> start(const SpanStart& start) override {
    const std::scoped_lock lock{mutex_};
    if (fails) throw std::runtime_error{"out of spans"};
    if (sparse) return nullptr;
    std::string id = "00-" + std::string(32, '7') + "-" + std::to_string(1'000'000 + spans_.size()) + "-01";
    spans_.push_back(
        {.name = std::string{start.name},
         .kind = start.kind,
         .id = id,
         .parent = start.parent == nullptr ? std::string{start.traceparent} : start.parent->traceparent(),
         .begin = start.time,
         .attributes = copied(start.attributes)});
    return std::make_unique<Span>(*this, spans_.size() - 1, std::move(id));
  }

  void record(const TraceMeasurement& measurement) override {
    const std::scoped_lock lock{mutex_};
    EXPECT_EQ(measurement.metric, "http.client.request.duration");
    durations.push_back(measurement.value);
    measured.push_back(copied(measurement.attributes));
  }

  /// Those of that kind, in the order in which they began.
  [[nodiscard]] std::vector<Recorded> spans(SpanKind kind) const {
    std::vector<Recorded> found;
    std::ranges::copy_if(spans_, std::back_inserter(found),
                         [&](const Recorded& span) { return span.kind == kind; });
    return found;
  }

  bool fails = false;
  bool sparse = false;
  std::vector<double> durations{};
  std::vector<Attributes> measured{};

 private:
  class Span final : public TraceSpan {
   public:
    Span(Recorder& recorder, std::size_t index, std::string id)
        : recorder_(recorder), index_(index), id_(std::move(id)) {}

    [[nodiscard]] std::string traceparent() const override { return id_; }
    [[nodiscard]] std::string tracestate() const override { return "shop=" + std::to_string(index_); }
    void end(const SpanEnd& end) override {
      const std::scoped_lock lock{recorder_.mutex_};
      Recorded& span = recorder_.spans_.at(index_);
      EXPECT_FALSE(span.end) << "ended twice";
      span.end = end.time;
      span.isError = end.isError;
      std::ranges::move(copied(end.attributes), std::back_inserter(span.attributes));
    }

   private:
    Recorder& recorder_;
    std::size_t index_;
    std::string id_;
  };

  std::mutex mutex_{};
  std::vector<Recorded> spans_{};
};

class TracedClient : public testing::TestWithParam<NamedWay> {
 protected:
  [[nodiscard]] ClientOptions options() {
    ClientOptions options = service.clientOptions(key);
    options.maxNetworkRetries = 2;
    return traced(std::move(options), tracer);
  }
  [[nodiscard]] std::unique_ptr<test::Way> way() { return GetParam().of(options()); }

  std::string addRecord() { return service.insert<PaymentRecord>(key).id.str(); }

  /// The values of that header in the log of the service.
  [[nodiscard]] std::vector<std::string> logged(std::string_view name) const {
    std::vector<std::string> values;
    for (const fake::LoggedRequest& request : service.requests().list()) {
      const auto& headers = request.request.headers;
      EXPECT_EQ(std::ranges::count(headers, name, &Header::name), 1);
      values.push_back(std::ranges::find(headers, name, &Header::name)->value);
    }
    return values;
  }

  /// Each request names the span of its attempt, whose parent is that of its call; and all spans have ended.
  void expectTheLogToMatch() const {
    std::vector<std::string> ids;
    std::vector<std::string> calls;
    for (const Recorded& span : tracer->spans(SpanKind::internal)) {
      calls.push_back(span.id);
      EXPECT_TRUE(span.end) << span.name;
    }
    for (const Recorded& span : tracer->spans(SpanKind::client)) {
      ids.push_back(span.id);
      EXPECT_TRUE(span.end) << span.name;
      EXPECT_THAT(calls, Contains(span.parent));
    }
    EXPECT_THAT(logged("traceparent"), UnorderedElementsAreArray(ids));
    EXPECT_EQ(tracer->durations.size(), ids.size());
  }

  fake::Service service;
  std::string key = service.addAccount().sandboxKey;
  std::shared_ptr<Recorder> tracer = std::make_shared<Recorder>();
};

INSTANTIATE_TEST_SUITE_P(Ways, TracedClient, testing::ValuesIn(test::ways),
                         [](const auto& info) { return std::string{info.param.name}; });

TEST_P(TracedClient, CreatesASpanForACallAndOneForItsAttempt) {
  const std::string id = addRecord();
  const Instant begin = service.clock()->now();
  EXPECT_FALSE(way()->make({.operation = "payment_records.retrieve", .object = id}));
  const auto calls = tracer->spans(SpanKind::internal);
  ASSERT_THAT(calls, SizeIs(1));
  EXPECT_EQ(calls[0].name, "payment_records.retrieve");
  EXPECT_EQ(calls[0].parent, "");
  EXPECT_EQ(calls[0].begin, begin);
  EXPECT_EQ(calls[0].end, begin + 50ms);
  EXPECT_FALSE(calls[0].isError);
  EXPECT_THAT(calls[0].attributes,
              ElementsAre(std::pair{"tally.object", id}, std::pair{"tally.attempts", "1"}));
  const auto attempts = tracer->spans(SpanKind::client);
  ASSERT_THAT(attempts, SizeIs(1));
  EXPECT_EQ(attempts[0].name, "GET");
  EXPECT_EQ(attempts[0].parent, calls[0].id);
  EXPECT_EQ(attempts[0].begin, begin);
  EXPECT_EQ(attempts[0].end, begin + 50ms);
  EXPECT_FALSE(attempts[0].isError);
  EXPECT_THAT(attempts[0].attributes,
              ElementsAre(std::pair{"http.request.method", "GET"},
                          std::pair{"server.address", "api.example.com"}, std::pair{"server.port", "443"},
                          std::pair{"url.full", "https://api.example.com/v1/payment_records/" + id},
                          std::pair{"http.response.status_code", "200"},
                          std::pair{"tally.request_id", service.requests().list().at(0).requestId}));
  expectTheLogToMatch();
  EXPECT_THAT(tracer->durations, ElementsAre(0.05));
  EXPECT_THAT(tracer->measured,
              ElementsAre(ElementsAre(
                  std::pair{"http.request.method", "GET"}, std::pair{"server.address", "api.example.com"},
                  std::pair{"server.port", "443"}, std::pair{"http.response.status_code", "200"})));
  EXPECT_THAT(logged("tracestate"), ElementsAre("shop=1"));
}

TEST_P(TracedClient, DescribesEachAttemptInItsOwnSpan) {
  service.faults().inject({.error = "lock_timeout"});
  service.faults().inject({.fault = fake::Fault::connectionRefused});
  EXPECT_FALSE(way()->make({.operation = "payment_records.report_failed", .object = addRecord()}));
  const auto attempts = tracer->spans(SpanKind::client);
  ASSERT_THAT(attempts, SizeIs(3));
  EXPECT_EQ(attempts[0].name, "POST");
  EXPECT_EQ(attempts[0].value("error.type"), "429");
  EXPECT_EQ(attempts[0].value("http.request.resend_count"), "");
  EXPECT_EQ(attempts[1].value("error.type"), "could_not_connect");
  EXPECT_EQ(attempts[1].value("http.request.resend_count"), "1");
  EXPECT_EQ(attempts[1].value("http.response.status_code"), "");
  EXPECT_EQ(attempts[2].value("error.type"), "");
  EXPECT_EQ(attempts[2].value("http.request.resend_count"), "2");
  EXPECT_TRUE(attempts[0].isError && attempts[1].isError && !attempts[2].isError);
  EXPECT_LT(*attempts[0].end, attempts[1].begin) << "the wait between them is in neither";
  EXPECT_EQ(tracer->spans(SpanKind::internal).at(0).value("tally.attempts"), "3");
  const auto sent = logged("traceparent");
  EXPECT_EQ(sent.front(), attempts[0].id);
  EXPECT_EQ(sent.back(), attempts[2].id);
}

TEST_P(TracedClient, MarksTheSpansOfFailedCalls) {
  EXPECT_TRUE(way()->make({.operation = "payment_records.retrieve", .object = "pr_none"}));
  const auto calls = tracer->spans(SpanKind::internal);
  EXPECT_TRUE(calls.at(0).isError);
  EXPECT_EQ(calls[0].value("error.type"), "not_found");
  EXPECT_EQ(calls[0].value("tally.effect"), "none");
  service.faults().inject({.fault = fake::Fault::responseLost});
  EXPECT_TRUE(way()->make({.operation = "payment_records.report_failed", .object = addRecord()}));
  EXPECT_EQ(tracer->spans(SpanKind::internal).at(1).value("tally.effect"), "unknown");
  EXPECT_EQ(tracer->spans(SpanKind::client).at(1).value("error.type"), "connection_lost");
  expectTheLogToMatch();
}

TEST_P(TracedClient, ContinuesTheTraceOfTheCaller) {
  const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  service.faults().inject({.error = "lock_timeout"});
  EXPECT_FALSE(way()->make({.operation = "payment_records.report_failed",
                            .object = addRecord(),
                            .options = {.headers = {{"traceparent", parent}, {"tracestate", "shop=x"}}}}));
  EXPECT_EQ(tracer->spans(SpanKind::internal).at(0).parent, parent);
  EXPECT_THAT(tracer->spans(SpanKind::client), SizeIs(2));
  expectTheLogToMatch();
}

TEST_P(TracedClient, CreatesACallSpanForEachPage) {
  for (int i = 0; i < 12; ++i)
    addRecord();
  EXPECT_FALSE(way()->make({.operation = "payment_records.list"}));
  EXPECT_FALSE(way()->make({.operation = "payment_records.search"}));
  EXPECT_THAT(tracer->spans(SpanKind::internal), SizeIs(4));
  for (const Recorded& span : tracer->spans(SpanKind::client))
    EXPECT_THAT(span.value("url.full"), Not(HasSubstr("?"))) << "a query may have metadata";
  expectTheLogToMatch();
}

TEST_P(TracedClient, CompletesACallWhenTheTracerThrows) {
  tracer->fails = true;
  const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  EXPECT_FALSE(way()->make({.operation = "payment_records.retrieve",
                            .object = addRecord(),
                            .options = {.headers = {{"traceparent", parent}}}}));
  EXPECT_THAT(logged("traceparent"), ElementsAre(parent));
}

TEST_P(TracedClient, SendsTheContextOfTheCallerIfTheAttemptHasNoSpan) {
  tracer->sparse = true;
  const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  EXPECT_FALSE(way()->make({.operation = "payment_records.retrieve",
                            .object = addRecord(),
                            .options = {.headers = {{"traceparent", parent}}}}));
  EXPECT_THAT(logged("traceparent"), ElementsAre(parent));
  EXPECT_THAT(tracer->durations, SizeIs(1));
}

TEST_P(TracedClient, EndsTheSpanOfARequestThatIsNotSent) {
  auto refusing = options();
  refusing.attemptHeaders = [traced = refusing.attemptHeaders](const Event& attempt) {
    auto headers = traced(attempt);
    headers.push_back({"Content-Length", "0"});
    return headers;
  };
  EXPECT_TRUE(
      GetParam().of(refusing)->make({.operation = "payment_records.retrieve", .object = addRecord()}));
  ASSERT_THAT(tracer->spans(SpanKind::client), SizeIs(1));
  EXPECT_TRUE(tracer->spans(SpanKind::client)[0].isError);
  EXPECT_TRUE(tracer->spans(SpanKind::client)[0].end);
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(TracedClient, CreatesASpanForACallThatIsCanceledImmediately) {
  StopSource stop;
  stop.request_stop();
  const auto result = Client{options()}.paymentRecords().retrieve("pr_1", {.stop = stop.get_token()});
  EXPECT_EQ(result.error().kind(), ErrorKind::canceled);
  const auto calls = tracer->spans(SpanKind::internal);
  ASSERT_THAT(calls, SizeIs(1));
  EXPECT_EQ(calls[0].end, calls[0].begin);
  EXPECT_EQ(calls[0].value("error.type"), "canceled");
}

TEST_F(TracedClient, BeginsTheSpanOfACallWithItsFirstEventUnlessThatIsItsEnd) {
  const Instant now = service.clock()->now();
  const auto observer = options().observer;
  for (const EventKind kind : {EventKind::queued, EventKind::callEnded})
    observer->on({.kind = kind,
                  .time = now,
                  .operation = "payment_records.retrieve",
                  .duration = 2s,
                  .call = static_cast<std::uint64_t>(kind)});
  const auto calls = tracer->spans(SpanKind::internal);
  ASSERT_THAT(calls, SizeIs(2));
  EXPECT_EQ(calls[0].begin, now);
  EXPECT_EQ(calls[1].begin, now - 2s);
  EXPECT_EQ(calls[1].end, now);
}

TEST_F(TracedClient, CreatesSpansForBulkReportsAndResolutions) {
  std::vector<Report> reports;
  for (int i = 0; i < 30; ++i)
    reports.push_back({.id = addRecord(), .outcome = "failed", .time = test::wayFailedAt});
  service.faults().inject(
      {.operation = "payment_records.report_failed", .times = 3, .fault = fake::Fault::responseLost});
  const auto summary = reportAll(Client{options()}, reports, {}, [](const ReportResult&) {});
  EXPECT_EQ(summary.progress.applied, 30U);
  EXPECT_GT(tracer->spans(SpanKind::internal).size(), 60U) << "each is read before, and three afterwards";
  expectTheLogToMatch();
}

TEST_F(TracedClient, KeepsTheSpansOfDifferentThreadsApart) {
  const Client client{options()};
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i)
    ids.push_back(addRecord());
  std::vector<std::jthread> threads;
  for (const std::string& id : ids)
    threads.emplace_back([&client, id] {
      for (int i = 0; i < 20; ++i)
        (void)client.paymentRecords().retrieve(id);
    });
  threads.clear();
  const auto calls = tracer->spans(SpanKind::internal);
  EXPECT_THAT(calls, SizeIs(80));
  for (const Recorded& attempt : tracer->spans(SpanKind::client)) {
    const auto call = std::ranges::find(calls, attempt.parent, &Recorded::id);
    ASSERT_NE(call, calls.end());
    EXPECT_THAT(attempt.value("url.full"), testing::EndsWith(call->value("tally.object")));
  }
  expectTheLogToMatch();
}

TEST_F(TracedClient, KeepsTheObserverAndTheHeadersOfTheOptions) {
  ClientOptions own = service.clientOptions(key);
  const auto observer = std::make_shared<test::FirstReport>();
  own.observer = observer;
  own.attemptHeaders = [](const Event&) { return std::vector<Header>{{"X-Attempt", "1"}}; };
  const Client client{traced(own, tracer)};
  EXPECT_TRUE(client.paymentRecords().reportFailed(addRecord(), {.failedAt = test::wayFailedAt}));
  EXPECT_TRUE(observer->ended);
  EXPECT_THAT(logged("X-Attempt"), ElementsAre("1"));
  expectTheLogToMatch();
}

/// The server that the attributes of a request to `baseUrl` name, and its URL.
std::string serverIn(const std::string& baseUrl) {
  class Answer final : public Transport {
   public:
    TransportResult send(const HttpRequest&, const SendLimits&) override {
      return HttpResponse{.status = 500};
    }
    [[nodiscard]] bool inProcess() const noexcept override { return true; }
  };
  const auto tracer = std::make_shared<Recorder>();
  const Client client{
      traced({.apiKey = "sk_test_1", .baseUrl = baseUrl, .transport = std::make_shared<Answer>()}, tracer)};
  (void)client.send({.path = "/v1/x"});
  const Recorded span = tracer->spans(SpanKind::client).at(0);
  return span.value("server.address") + ' ' + span.value("server.port") + ' ' + span.value("url.full");
}

TEST(TraceAttributes, IdentifyTheServer) {
  EXPECT_EQ(serverIn("https://a.example"), "a.example 443 https://a.example/v1/x");
  EXPECT_EQ(serverIn("http://a.example/base/"), "a.example 80 http://a.example/base/v1/x");
  EXPECT_EQ(serverIn("https://a.example:8443"), "a.example 8443 https://a.example:8443/v1/x");
  EXPECT_EQ(serverIn("http://[::1]:7878"), "::1 7878 http://[::1]:7878/v1/x");
  EXPECT_EQ(serverIn("https://[2001:db8::1]"), "2001:db8::1 443 https://[2001:db8::1]/v1/x");
  EXPECT_EQ(serverIn("https://user:hush42@a.example"), "a.example 443 https://a.example/v1/x");
}

TEST(TracingValues, CanBePrinted) {
  const TraceAttribute attributes[] = {{"server.port", std::int64_t{443}}, {"error.type", "429"}};
  std::ostringstream out;
  out << SpanStart{.name = "GET", .kind = SpanKind::client, .attributes = attributes} << '\n'
      << SpanEnd{.isError = true} << '\n'
      << TraceMeasurement{.metric = "m", .value = 0.5};
  EXPECT_EQ(out.str(),
            "SpanStart{name: GET, kind: client, time: 1970-01-01T00:00:00Z, attributes: [{name: server.port, "
            "value: "
            "443}, {name: error.type, value: 429}]}\n"
            "SpanEnd{time: 1970-01-01T00:00:00Z, isError: true}\n"
            "TraceMeasurement{metric: m, value: 0.5}");
}

}  // namespace
}  // namespace tally::tracingTest
