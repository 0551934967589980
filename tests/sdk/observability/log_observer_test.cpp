#include <atomic>
#include <map>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <tally/log_observer.h>
#include <tally/metrics_observer.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

using Lines = std::vector<std::string>;

LogSink into(Lines& lines) {
  return [&lines](std::string_view line) { lines.emplace_back(line); };
}

bool anyEvent(const Event& /*event*/) {
  return true;
}

std::string printed(const Event& event) {
  std::ostringstream out;
  out << event;
  return out.str();
}

/// The key-value pairs of a line. Throws if the line is malformed.
std::map<std::string, std::string> pairsOf(const std::string& line) {
  std::map<std::string, std::string> pairs;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::size_t equals = line.find('=', at);
    const std::string name = line.substr(at, equals - at);
    std::size_t end = equals + 1;
    const bool quoted = line.at(end) == '"';
    if (quoted) ++end;
    while (end < line.size() && line[end] != (quoted ? '"' : ' '))
      end += line[end] == '\\' ? 2U : 1U;
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos ||
        (quoted && line.at(end) != '"') || !pairs.emplace(name, line.substr(equals + 1, end - equals)).second)
      throw std::runtime_error{"not key-value pairs: " + line};
    at = quoted ? end + 1 : end;
  }
  return pairs;
}

/// A client with a logger, and a call that reports a failure with metadata.
struct Logged : Harness {
  explicit Logged(LogOptions log = {}) : Logged(std::make_shared<Lines>(), std::move(log)) {}

  Result<PaymentRecord> report(const RequestOptions& options = {}) {
    return client.paymentRecords().reportFailed(
        "pr_1", {.failedAt = std::chrono::sys_seconds{1s}, .metadata = {{"nickname", "Adalbert"}}}, options);
  }

  std::shared_ptr<Lines> lines;

 private:
  Logged(const std::shared_ptr<Lines>& written, LogOptions log)
      : Harness({.apiKey = "sk_live_Tell0Nobody",
                 .maxNetworkRetries = 1,
                 .observer = logObserver(into(*written), std::move(log))}),
        lines(written) {
    transport->onSend = [this] { clock->advance(30ms); };
  }
};

TEST(Logger, WritesOneLineForASuccessfulCall) {
  Logged call;
  call.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  EXPECT_THAT(
      *call.lines,
      ElementsAre("time=2026-01-01T00:00:00.03Z event=call_ended operation=payment_records.report_failed "
                  "object=pr_1 attempt=1 duration=0.03s"));
}

TEST(Logger, WritesFailuresAndBackoffs) {
  Logged call;
  call.respond(lockTimeout());
  call.respond(lostResponse());
  ASSERT_FALSE(call.report());
  ASSERT_THAT(*call.lines, SizeIs(4));
  EXPECT_THAT((*call.lines)[0],
              HasSubstr("event=attempt_ended operation=payment_records.report_failed object=pr_1 "
                        "attempt=1 duration=0.03s status=429 error=\"lock timeout\" "
                        "effect=none code=lock_timeout"));
  EXPECT_THAT((*call.lines)[1], HasSubstr("event=backoff_started"));
  EXPECT_THAT((*call.lines)[2],
              HasSubstr(R"(error="connection failure" failure="connection lost" effect=unknown)"));
  EXPECT_THAT((*call.lines)[3], HasSubstr("event=call_ended"));
}

TEST(Logger, WritesTheLastResponseWhenTheCallEnds) {
  Logged call;
  call.respond(refused(404, "resource_missing", {{"Request-Id", "req_1"}}));
  ASSERT_FALSE(call.report());
  EXPECT_THAT(call.lines->back(), HasSubstr("event=call_ended"));
  EXPECT_THAT(call.lines->back(),
              HasSubstr(" status=404 error=\"not found\" effect=none code=resource_missing request=req_1"));
}

TEST(Logger, WritesOnlyTheSelectedEvents) {
  Logged call{{.select = [](const Event& event) { return event.kind == EventKind::attemptStarted; }}};
  call.respond(lockTimeout());
  call.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  ASSERT_THAT(*call.lines, SizeIs(2));
  EXPECT_THAT(*call.lines, testing::Each(HasSubstr("event=attempt_started")));
}

TEST(Logger, WritesTheNameOfEveryKindOfEvent) {
  int kinds = 0;
  for (; toString(static_cast<EventKind>(kinds)) != "unknown event"; ++kinds) {
    const auto kind = static_cast<EventKind>(kinds);
    EXPECT_EQ(pairsOf(printed({.kind = kind}))["event"], toString(kind));
  }
  EXPECT_GE(kinds, 7);
}

TEST(Logger, WritesEveryMemberOfAnEvent) {
  const Error error{{.kind = ErrorKind::rateLimited,
                     .status = 429,
                     .code = "rate_limit",
                     .rateLimitedReason = RateLimitedReason::globalRate}};
  EXPECT_EQ(
      printed({.kind = EventKind::attemptEnded,
               .operation = "files.list",
               .attempt = 2,
               .duration = 1'000'000'001ns,
               .status = 429,
               .error = &error,
               .requestId = "req_1",
               .traceparent = "00-0af7-b7ad-01"}),
      "time=1970-01-01T00:00:00Z event=attempt_ended operation=files.list attempt=2 duration=1.000000001s "
      "status=429 error=\"rate limited\" effect=none code=rate_limit reason=global-rate request=req_1 "
      "traceparent=00-0af7-b7ad-01");
}

TEST(Logger, WritesParsableLinesForAnyResponse) {
  const std::string nasty = "a=\"b\\\" \r\n\x1b[2Jtime=0 \xff\xe2\x80\xae";
  const Error error{{.kind = ErrorKind::rateLimited,
                     .code = nasty,
                     .message = nasty,
                     .param = nasty,
                     .rateLimitedReason = OpenEnum<RateLimitedReason>{nasty}}};
  Lines lines;
  logObserver(into(lines), {.messages = true})
      ->on({.kind = EventKind::attemptEnded,
            .object = nasty,
            .error = &error,
            .requestId = nasty,
            .traceparent = nasty});
  auto pairs = pairsOf(lines.at(0));
  for (const char* name : {"object", "code", "reason", "request", "traceparent", "param", "message"})
    EXPECT_EQ(pairs[name], R"("a=\"b\\\" \r\n\x1b[2Jtime=0 \xff\u{202e}")") << name;
  for (const char c : lines[0])
    EXPECT_TRUE(c >= ' ' && c < '\x7F');
}

/// A service that echoes the request.
HttpResponse echo(const HttpRequest& request) {
  return refused(400, "refused", {{"Request-Id", *find(request.headers, "Authorization")}});
}

TEST(Logger, DoesNotShowKeysBodiesOrMetadata) {
  Logged call{{.select = anyEvent}};
  call.respond(echo({.headers = {{"Authorization", "Bearer sk_live_Tell0Nobody"}}}));
  std::get<HttpResponse>(call.transport->responses.back()).body =
      R"({"error":{"type":"x","code":"x","message":"nickname=Adalbert","param":"metadata[nickname]"}})";
  ASSERT_FALSE(call.report({.headers = {{"X-Secret", "hidden"}}}));
  call.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(call.report());
  ASSERT_THAT(*call.lines, SizeIs(6));
  for (const char* secret : {"Tell0Nobody", "Adalbert", "nickname", "hidden", "Tea", "ref_1"})
    EXPECT_THAT(*call.lines, testing::Each(Not(HasSubstr(secret))));
}

TEST(Logger, CanShowMessagesFromTheService) {
  Logged call{{.messages = true}};
  call.respond(refused(400, "x"));
  std::get<HttpResponse>(call.transport->responses.back()).body =
      R"({"error":{"type":"invalid_request_error","message":"No nickname for sk_live_Tell0Nobody",)"
      R"("param":"metadata[nickname]"}})";
  ASSERT_FALSE(call.report());
  EXPECT_THAT(*call.lines,
              testing::Each(HasSubstr(R"( param="metadata[nickname]" message="No nickname for [key]")")));
}

TEST(Logger, DoesNotInterleaveLinesFromDifferentThreads) {
  std::atomic<int> inside = 0;
  std::atomic<int> lines = 0;
  std::atomic<bool> together = false;
  const auto log = logObserver(
      [&](std::string_view) {
        if (++inside != 1) together = true;
        std::this_thread::yield();
        --inside;
        ++lines;
      },
      {.select = anyEvent});
  {
    std::vector<std::jthread> threads(4);
    for (std::jthread& thread : threads)
      thread = std::jthread{[&] {
        for (int i = 0; i < 500; ++i)
          log->on({});
      }};
  }
  EXPECT_FALSE(together);
  EXPECT_EQ(lines, 4 * 500);
}

TEST(Logger, EndsEachLineInAStreamWithALineBreak) {
  std::ostringstream out;
  const auto log = logObserver(out, {.select = anyEvent});
  log->on({.attempt = 1});
  log->on({.attempt = 2});
  EXPECT_EQ(out.str(), printed({.attempt = 1}) + '\n' + printed({.attempt = 2}) + '\n');
}

TEST(Logger, DoesNotFailACallWhenItCannotWrite) {
  Harness h{{.observer = logObserver([](std::string_view) { throw std::runtime_error{"disk full"}; })}};
  h.respond(ok(recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
}

TEST(Observers, ReceiveAnEventInTheOrderOfTheirCombination) {
  Lines lines;
  const auto named = [&](const std::string& name) {
    return logObserver(
        [&lines, name](std::string_view line) { lines.push_back(name + std::string{line.substr(0, 5)}); });
  };
  const auto counters = std::make_shared<MetricsObserver>();
  Harness h{{.observer = combineObservers({named("first "), nullptr, named("second "), counters})}};
  h.respond(ok(recordJson("pr_1")));
  ASSERT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
  EXPECT_THAT(lines, ElementsAre("first time=", "second time="));
  EXPECT_THAT(counters->prometheusText(), HasSubstr("tally_calls_total"));
}

TEST(Observers, MayBeCombinedEvenIfThereAreNone) {
  Harness h{{.observer = combineObservers({})}};
  h.respond(ok(recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
}

}  // namespace
}  // namespace tally::test
