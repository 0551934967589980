// Every way in which a call can fail, and the effect in its error.

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

#include "http/response_reader.h"
#include "sdk/support/harness.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using detail::wasRefusedUnsent;
using test::Harness;
using FailureKind = TransportFailure::Kind;

constexpr std::chrono::sys_seconds at{1'730'000'000s};

/// A way for a call to fail. The effect is for calls that change something; for reads it is `none`.
struct Way {
  std::string name{};
  ErrorKind kind = ErrorKind::invalidRequest;
  Effect effect = Effect::none;
  std::function<void(Harness&, RequestOptions&)> arrange{};  // before the call
  bool once = true;                                          // only one request is sent
};

/// A call with one attempt, which gets this response or failure.
Way responded(std::string name, ErrorKind kind, Effect effect, const TransportResult& response) {
  return {std::move(name), kind, effect, [response](Harness& h, RequestOptions&) { h.respond(response); }};
}

/// A call with up to two attempts, which get these responses or failures.
Way twice(std::string name, ErrorKind kind, Effect effect, const TransportResult& first,
          const TransportResult& second) {
  const auto arrange = [=](Harness& h, RequestOptions& options) {
    options.maxNetworkRetries = 1;
    h.respond(first);
    h.respond(second);
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
    {FailureKind::malformed, ErrorKind::malformedResponse},
    {FailureKind::tooLarge, ErrorKind::responseTooLarge},
    {FailureKind::timeout, ErrorKind::timeout},
    {FailureKind::canceled, ErrorKind::canceled},
};

std::vector<Way> failureWays() {
  std::vector<Way> ways;
  for (const Failure& one : failures)
    for (const bool sent : {false, true})
      ways.push_back(responded(std::string{toString(one.failure)} + (sent ? ", sent" : ", not sent"),
                               one.kind, sent ? Effect::unknown : Effect::none,
                               TransportFailure{one.failure, sent, "no response"}));
  return ways;
}

std::vector<Way> responseWays() {
  const std::vector<Header> reason{{"Service-Rate-Limited-Reason", "global-rate"}};
  return {
      responded("400", ErrorKind::invalidRequest, Effect::none, test::refused(400, "parameter_invalid")),
      responded("401", ErrorKind::authentication, Effect::none, test::refused(401, "")),
      responded("403", ErrorKind::permission, Effect::none, test::refused(403, "")),
      responded("404", ErrorKind::notFound, Effect::none, test::refused(404, "resource_missing")),
      responded("422", ErrorKind::invalidRequest, Effect::none, test::refused(422, "")),
      responded("429 of a limit", ErrorKind::rateLimited, Effect::none,
                test::refused(429, "rate_limit", reason)),
      responded("429 of a lock", ErrorKind::lockTimeout, Effect::none, test::lockTimeout()),
      responded("429 of something else", ErrorKind::tooManyRequests, Effect::none, test::refused(429, "")),
      responded("500", ErrorKind::server, Effect::unknown, test::refused(500, "api_error")),
      responded("503 that holds no error", ErrorKind::server, Effect::unknown,
                HttpResponse{.status = 503, .body = "<html>"}),
      responded("404 of a gateway", ErrorKind::malformedResponse, Effect::unknown,
                HttpResponse{.status = 404, .body = "<html>"}),
      responded("409 of a gateway in JSON", ErrorKind::malformedResponse, Effect::unknown,
                HttpResponse{.status = 409, .body = R"({"message":"no route"})"}),
      responded("400 without a body", ErrorKind::malformedResponse, Effect::unknown,
                HttpResponse{.status = 400}),
      responded("401 of a gateway", ErrorKind::authentication, Effect::none,
                HttpResponse{.status = 401, .body = "<html>"}),
      responded("403 of a gateway", ErrorKind::permission, Effect::unknown,
                HttpResponse{.status = 403, .body = "<html>"}),
      responded("407 of a proxy", ErrorKind::authentication, Effect::none, HttpResponse{.status = 407}),
      responded("429 of a gateway", ErrorKind::tooManyRequests, Effect::none,
                HttpResponse{.status = 429, .body = "<html>"}),
      responded("a redirect", ErrorKind::malformedResponse, Effect::unknown, HttpResponse{.status = 302}),
      responded("200 that cannot be read", ErrorKind::malformedResponse, Effect::unknown, test::ok("{")),
      responded("200 without a body", ErrorKind::malformedResponse, Effect::unknown, test::ok("")),
  };
}

std::vector<Way> waysWithoutAResponse() {
  return {
      {"a wrong option", ErrorKind::invalidParameter, Effect::none,
       [](Harness&, RequestOptions& options) { options.apiKey = ""; }},
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
         h.respond(TransportFailure{FailureKind::timeout, true, "no response in time"});
       }},
  };
}

std::vector<Way> waysOfSeveralAttempts() {
  std::vector<Way> ways{
      twice("lost the second time", ErrorKind::connection, Effect::unknown, test::notSent(),
            test::lostResponse()),
      twice("lost after a lock", ErrorKind::connection, Effect::unknown, test::lockTimeout(),
            test::lostResponse()),
      twice("not sent twice", ErrorKind::connection, Effect::none, test::notSent(), test::notSent()),
      {"no time to retry", ErrorKind::deadlineExceeded, Effect::none,
       [](Harness& h, RequestOptions& options) {
         options.maxNetworkRetries = 1;
         options.deadline = h.clock->now() + 1ms;
         h.respond(test::lockTimeout());
       },
       false},
  };
  ways.push_back({"stopped in a wait", ErrorKind::canceled, Effect::none,
                  [](Harness& h, RequestOptions& options) {
                    options.maxNetworkRetries = 1;
                    std::stop_source source;
                    options.stop = source.get_token();
                    h.clock->onSleep = [source]() mutable { source.request_stop(); };
                    h.respond(test::lockTimeout());
                  },
                  false});
  return ways;
}

std::vector<Way> allWays() {
  std::vector<Way> ways;
  for (const auto& some : {failureWays(), responseWays(), waysWithoutAResponse(), waysOfSeveralAttempts()})
    ways.insert(ways.end(), some.begin(), some.end());
  return ways;
}

/// A kind of call, as described by its error.
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

TEST(Effects, OfWritesDependOnTheFailure) {
  for (const Way& way : allWays()) {
    for (const Call& call : changes) {
      const Error error = errorOf(call, way);
      EXPECT_EQ(error.kind(), way.kind) << call.name << ": " << way.name;
      EXPECT_EQ(error.effect(), way.effect) << call.name << ": " << way.name;
      EXPECT_EQ(error.attempts().size(), static_cast<std::size_t>(error.attemptCount()))
          << call.name << ": " << way.name;
    }
  }
}

TEST(Effects, OfReadsAreNone) {
  for (const Way& way : allWays()) {
    // Reads are retried where changes are not.
    if (!way.once) continue;
    for (const Call& call : reads)
      EXPECT_EQ(errorOf(call, way).effect(), Effect::none) << call.name << ": " << way.name;
  }
}

/// A record without reports.
TransportResult unreported() {
  std::string json = test::recordJson("pr_1");
  const std::string_view amount = R"("amount_failed":{"currency":"usd","value":1000})";
  json.replace(json.find(amount), amount.size(), R"("amount_failed":{"currency":"usd","value":0})");
  return test::ok(json);
}

Result<ReportCheck<PaymentRecord>> resolveReport(const Harness& h, const RequestOptions& options) {
  return h.client.paymentRecords().resolveReport("pr_1", PaymentRecordReportFailedParams{.failedAt = at}, {},
                                                 options);
}

TEST(Effects, AreUnknownWhenAReportCannotBeChecked) {
  for (const Way& way : allWays()) {
    if (!way.once) continue;
    Harness h;
    RequestOptions options;
    way.arrange(h, options);
    const auto told = resolveReport(h, options);
    ASSERT_TRUE(told.has_error()) << way.name;
    EXPECT_EQ(told.error().kind(), way.kind) << way.name;
    EXPECT_EQ(told.error().effect(), Effect::unknown) << way.name;
  }
}

TEST(Effects, OfResentReportsDependOnTheFailure) {
  std::vector<Way> ways = failureWays();
  for (const Way& way : responseWays())
    ways.push_back(way);
  for (const Way& way : ways) {
    Harness h;
    RequestOptions options;
    h.respond(unreported());
    way.arrange(h, options);
    h.respond(unreported());
    const auto told = resolveReport(h, options).value();
    EXPECT_EQ(told.status, ReportStatus::notApplied) << way.name;
    EXPECT_EQ(told.noResendReason, NoResendReason::failed) << way.name;
    ASSERT_TRUE(told.error) << way.name;
    EXPECT_EQ(told.error->kind(), way.kind) << way.name;
    EXPECT_EQ(told.error->effect(), way.effect) << way.name;
    EXPECT_EQ(told.error->attemptCount(), wasRefusedUnsent(*told.error) ? 0 : 1) << way.name;
    EXPECT_EQ(told.resends, told.error->attemptCount()) << way.name;
  }
}

Error errorInLine() {
  Harness h{{.mutationQueue = {.maxWaiting = 0}}};
  std::optional<Error> inner;
  h.transport->onSend = [&] { inner = changes[0].error(h.client, {}); };
  h.respond(test::ok(test::recordJson("pr_1")));
  EXPECT_TRUE(h.client.paymentRecords().reportFailed("pr_1", {.failedAt = at}));
  return inner.value();
}

Error errorOfPages() {
  Harness h;
  h.respond(test::ok(test::pageJson({}, true)));
  return h.client.paymentRecords().list().begin()->error();
}

TEST(Effects, AreDefinedForErrorsOfEveryKind) {
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
  EXPECT_EQ(kinds, all) << "ErrorKind::server is the last enumerator";
}

}  // namespace
}  // namespace tally
