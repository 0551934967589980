// Every way in which a call can end in an error, and the effect that the error tells.

#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "support.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::Harness;
using FailureKind = TransportFailure::Kind;

constexpr std::chrono::sys_seconds at{1'730'000'000s};

/// A way for a call to end. Its effect is that of a call that changes something: one that reads has none.
struct Way {
  std::string name{};
  ErrorKind kind = ErrorKind::invalidRequest;
  Effect effect = Effect::none;
  std::function<void(Harness&, RequestOptions&)> arrange{};  // before the call
  bool once = true;                                          // nothing is sent twice
};

/// The service answers that, or nothing comes of the request but that.
Way answered(std::string name, ErrorKind kind, Effect effect, const test::Answer& answer) {
  return {std::move(name), kind, effect, [answer](Harness& h, RequestOptions&) { h.answer(answer); }};
}

/// The attempt fails like that, and at most one more is made, which fails like the other.
Way twice(std::string name, ErrorKind kind, Effect effect, const test::Answer& first,
          const test::Answer& second) {
  const auto arrange = [=](Harness& h, RequestOptions& options) {
    options.maxNetworkRetries = 1;
    h.answer(first);
    h.answer(second);
  };
  return {std::move(name), kind, effect, arrange, false};
}

struct Failure {
  FailureKind failure;
  ErrorKind kind;
};

const Failure failures[] = {
    {FailureKind::forbidden, ErrorKind::invalidParameter},
    {FailureKind::couldNotResolve, ErrorKind::connection},
    {FailureKind::couldNotConnect, ErrorKind::connection},
    {FailureKind::tls, ErrorKind::connection},
    {FailureKind::connection, ErrorKind::connection},
    {FailureKind::truncated, ErrorKind::connection},
    {FailureKind::malformed, ErrorKind::malformedAnswer},
    {FailureKind::tooLarge, ErrorKind::answerTooLarge},
    {FailureKind::timeout, ErrorKind::timeout},
    {FailureKind::canceled, ErrorKind::canceled},
};

std::vector<Way> failureWays() {
  std::vector<Way> ways;
  for (const Failure& one : failures)
    for (const bool sent : {false, true})
      ways.push_back(answered(std::string{toString(one.failure)} + (sent ? ", sent" : ", not sent"), one.kind,
                              sent ? Effect::unknown : Effect::none,
                              TransportFailure{one.failure, sent, "no answer"}));
  return ways;
}

std::vector<Way> answerWays() {
  const std::vector<Header> reason{{"Service-Rate-Limited-Reason", "global-rate"}};
  return {
      answered("400", ErrorKind::invalidRequest, Effect::none, test::refused(400, "parameter_invalid")),
      answered("401", ErrorKind::authentication, Effect::none, test::refused(401, "")),
      answered("403", ErrorKind::permission, Effect::none, test::refused(403, "")),
      answered("404", ErrorKind::notFound, Effect::none, test::refused(404, "resource_missing")),
      answered("422", ErrorKind::invalidRequest, Effect::none, test::refused(422, "")),
      answered("429 of a limit", ErrorKind::rateLimited, Effect::none,
               test::refused(429, "rate_limit", reason)),
      answered("429 of a lock", ErrorKind::lockTimeout, Effect::none, test::lockTimeout()),
      answered("429 of something else", ErrorKind::tooManyRequests, Effect::none, test::refused(429, "")),
      answered("500", ErrorKind::server, Effect::unknown, test::refused(500, "api_error")),
      answered("503 that holds no error", ErrorKind::server, Effect::unknown,
               HttpResponse{.status = 503, .body = "<html>"}),
      answered("a redirect", ErrorKind::malformedAnswer, Effect::unknown, HttpResponse{.status = 302}),
      answered("200 that cannot be read", ErrorKind::malformedAnswer, Effect::unknown, test::ok("{")),
      answered("200 without a body", ErrorKind::malformedAnswer, Effect::unknown, test::ok("")),
  };
}

std::vector<Way> waysWithoutAnAnswer() {
  return {
      {"a wrong option", ErrorKind::invalidParameter, Effect::none,
       [](Harness&, RequestOptions& options) { options.key = ""; }},
      {"stopped before", ErrorKind::canceled, Effect::none,
       [](Harness&, RequestOptions& options) {
         std::stop_source source;
         source.request_stop();
         options.stop = source.get_token();
       }},
      {"past the deadline", ErrorKind::deadlineExceeded, Effect::none,
       [](Harness& h, RequestOptions& options) { options.deadline = h.clock->now(); }},
      {"late at the deadline", ErrorKind::deadlineExceeded, Effect::unknown,
       [](Harness& h, RequestOptions& options) {
         options.deadline = h.clock->now() + 1s;
         h.transport->onSend = [&h] { h.clock->advance(1s); };
         h.answer(TransportFailure{FailureKind::timeout, true, "no answer came in time"});
       }},
  };
}

std::vector<Way> waysOfSeveralAttempts() {
  std::vector<Way> ways{
      twice("lost the second time", ErrorKind::connection, Effect::unknown, test::notSent(),
            test::lostAnswer()),
      twice("lost after a lock", ErrorKind::connection, Effect::unknown, test::lockTimeout(),
            test::lostAnswer()),
      twice("not sent twice", ErrorKind::connection, Effect::none, test::notSent(), test::notSent()),
      {"no time to try again", ErrorKind::deadlineExceeded, Effect::none,
       [](Harness& h, RequestOptions& options) {
         options.maxNetworkRetries = 1;
         options.deadline = h.clock->now() + 1ms;
         h.answer(test::lockTimeout());
       },
       false},
  };
  ways.push_back({"stopped in a wait", ErrorKind::canceled, Effect::none,
                  [](Harness& h, RequestOptions& options) {
                    options.maxNetworkRetries = 1;
                    std::stop_source source;
                    options.stop = source.get_token();
                    h.clock->onSleep = [source]() mutable { source.request_stop(); };
                    h.answer(test::lockTimeout());
                  },
                  false});
  return ways;
}

std::vector<Way> allWays() {
  std::vector<Way> ways;
  for (const auto& some : {failureWays(), answerWays(), waysWithoutAnAnswer(), waysOfSeveralAttempts()})
    ways.insert(ways.end(), some.begin(), some.end());
  return ways;
}

/// A kind of call, as its error tells of it.
struct Call {
  const char* name;
  Error (*error)(const Client& client, const RequestOptions& options);
};

const Call changes[] = {
    {"a report",
     [](const Client& client, const RequestOptions& options) {
       return client.paymentRecords().reportFailed("pr_1", {.failedAt = at}, options).error();
     }},
    {"a creation",
     [](const Client& client, const RequestOptions& options) {
       return client.paymentIntents().create({.amount = 1, .currency = "eur"}, options).error();
     }},
};

const Call reads[] = {
    {"a retrieval",
     [](const Client& client, const RequestOptions& options) {
       return client.paymentRecords().retrieve("pr_1", options).error();
     }},
    {"a page",
     [](const Client& client, const RequestOptions& options) {
       return client.paymentRecords().list({}, options).begin()->error();
     }},
};

Error errorOf(const Call& call, const Way& way) {
  Harness h;
  RequestOptions options;
  way.arrange(h, options);
  return call.error(h.client, options);
}

TEST(Effects, AreThoseOfTheRequestForWhatChangesSomething) {
  for (const Way& way : allWays()) {
    for (const Call& call : changes) {
      const Error error = errorOf(call, way);
      EXPECT_EQ(error.kind(), way.kind) << call.name << ": " << way.name;
      EXPECT_EQ(error.effect(), way.effect) << call.name << ": " << way.name;
      EXPECT_EQ(error.trail().size(), static_cast<std::size_t>(error.attempts()))
          << call.name << ": " << way.name;
    }
  }
}

TEST(Effects, AreNoneForWhatReads) {
  for (const Way& way : allWays()) {
    // A read is sent again where a change would not be.
    if (!way.once) continue;
    for (const Call& call : reads)
      EXPECT_EQ(errorOf(call, way).effect(), Effect::none) << call.name << ": " << way.name;
  }
}

/// A record of which nobody has reported anything.
test::Answer unreported() {
  std::string json = test::recordJson("pr_1");
  const std::string_view amount = R"("amount_failed":{"currency":"usd","value":1000})";
  json.replace(json.find(amount), amount.size(), R"("amount_failed":{"currency":"usd","value":0})");
  return test::ok(json);
}

Result<ReportCheck<PaymentRecord>> resolveReport(const Harness& h, const RequestOptions& options) {
  return h.client.paymentRecords().resolveReport("pr_1", PaymentRecordReportFailedParams{.failedAt = at}, {},
                                                 options);
}

TEST(Effects, AreUnknownWhereNobodyCouldReadWhatBecameOfAReport) {
  for (const Way& way : allWays()) {
    if (!way.once) continue;
    Harness h;
    RequestOptions options;
    way.arrange(h, options);
    const auto told = resolveReport(h, options);
    ASSERT_FALSE(told) << way.name;
    EXPECT_EQ(told.error().kind(), way.kind) << way.name;
    EXPECT_EQ(told.error().effect(), Effect::unknown) << way.name;
  }
}

TEST(Effects, AreThoseOfWhatResolveReportHasSent) {
  std::vector<Way> ways = failureWays();
  for (const Way& way : answerWays())
    ways.push_back(way);
  for (const Way& way : ways) {
    Harness h;
    RequestOptions options;
    h.answer(unreported());
    way.arrange(h, options);
    h.answer(unreported());
    const auto told = resolveReport(h, options).value();
    EXPECT_EQ(told.status, ReportStatus::notApplied) << way.name;
    EXPECT_EQ(told.stopReason, StopReason::failed) << way.name;
    ASSERT_TRUE(told.error) << way.name;
    EXPECT_EQ(told.error->kind(), way.kind) << way.name;
    EXPECT_EQ(told.error->effect(), way.effect) << way.name;
    EXPECT_EQ(told.error->attempts(), 1) << way.name;
  }
}

Error errorInLine() {
  Harness h{{.mutationQueue = {.maxWaiting = 0}}};
  std::optional<Error> inner;
  h.transport->onSend = [&] { inner = changes[0].error(h.client, {}); };
  h.answer(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = at}));
  return inner.value();
}

Error errorOfPages() {
  Harness h;
  h.answer(test::ok(test::pageJson({}, true)));
  return h.client.paymentRecords().list().begin()->error();
}

TEST(Effects, AreKnownForErrorsOfEveryKind) {
  std::set<ErrorKind> kinds;
  for (const Way& way : allWays())
    kinds.insert(way.kind);
  for (const Error& error : {errorInLine(), errorOfPages()}) {
    EXPECT_EQ(error.effect(), Effect::none) << error;
    kinds.insert(error.kind());
  }
  std::set<ErrorKind> all;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::server); ++kind)
    all.insert(static_cast<ErrorKind>(kind));
  EXPECT_EQ(kinds, all) << "ErrorKind::server is the last one";
}

}  // namespace
}  // namespace tally
