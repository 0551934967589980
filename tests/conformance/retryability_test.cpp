// Error::isRetryable() and isPermanent(), checked by repeating the call: after the cause has passed, or, for
// a cause that does not pass by itself, a month later.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;
using fake::Fault;

class Retryability : public Conformance {
 public:
  using Call = std::function<std::optional<Error>()>;
  using Conformance::key;
  using Conformance::records;
  using Conformance::service;

  Id<PaymentRecord> id = insert().id;
  fake::Hold hold{};

  template <class T>
  static std::optional<Error> errorOf(const Result<T>& result) {
    return result ? std::nullopt : std::optional{result.error()};
  }

  std::optional<Error> retrieve(const RequestOptions& options = {}) {
    return errorOf(records.retrieve(id, options));
  }
  std::optional<Error> report(const RequestOptions& options = {}) {
    return errorOf(records.reportFailed(id, {.failedAt = reportTime}, options));
  }

  /// Lets one more call reach the limit.
  void allowOne(const std::string& limit) {
    service.limits().set({.limit = limit, .value = 1});
    ASSERT_FALSE(retrieve());
  }

  std::size_t processed() {
    std::size_t count = 0;
    for (const fake::LoggedRequest& request : service.requests().list())
      if (request.processed && request.operation == "payment_records.report_failed") ++count;
    return count;
  }
};

using ReportWithAnUnknownOutcome = Retryability;
using CanceledCall = Retryability;

/// Makes a call fail. `passes` ends the cause; a cause without it lasts.
struct Cause {
  std::string name{};
  ErrorKind kind = ErrorKind::connection;
  std::function<Retryability::Call(Retryability&)> arrange{};
  std::function<void(Retryability&)> passes{};
};

void PrintTo(const Cause& cause, std::ostream* out) {
  *out << cause.name;
}

void nothing(Retryability&) {}

void release(Retryability& test) {
  test.hold.release();
}

void anHourPasses(Retryability& test) {
  test.service.clock()->advance(1h);
}

/// A fault of one request passes by itself.
Cause faultOnARead(std::string name, ErrorKind kind, const fake::FaultRule& rule) {
  return {std::move(name), kind,
          [rule](Retryability& test) -> Retryability::Call {
            test.service.faults().inject(rule);
            return [&test] { return test.retrieve(); };
          },
          nothing};
}

Cause limited(const std::string& limit) {
  return {limit, ErrorKind::rateLimited,
          [limit](Retryability& test) -> Retryability::Call {
            test.allowOne(limit);
            return [&test] { return test.retrieve(); };
          },
          anHourPasses};
}

Cause concurrency(const std::string& limit, const std::string& operation) {
  return {limit, ErrorKind::rateLimited,
          [=](Retryability& test) -> Retryability::Call {
            test.service.limits().set({.limit = limit, .value = 1});
            test.hold = test.service.holds().takeConcurrency(test.key, operation);
            return [&test] { return test.report(); };
          },
          release};
}

ErrorKind brokenConnection() {
  return throughAFront() ? ErrorKind::server : ErrorKind::connection;
}

std::vector<Cause> causesThatPass() {
  return {
      {"lock", ErrorKind::lockTimeout,
       [](Retryability& test) -> Retryability::Call {
         test.hold = test.service.holds().lockObject(test.key, test.id.str());
         return [&test] { return test.report(); };
       },
       release},
      limited("global_rate"),
      limited("endpoint_rate"),
      concurrency("global_concurrency", ""),
      concurrency("endpoint_concurrency", "payment_records.report_failed"),
      {"deadline", ErrorKind::deadlineExceeded,
       [](Retryability& test) -> Retryability::Call {
         test.service.faults().inject({.latency = 2s});
         return [&test] { return test.retrieve({.totalTimeout = 1s}); };
       },
       nothing},
      faultOnARead("refused", brokenConnection(), {.fault = Fault::connectionRefused}),
      faultOnARead("reset", brokenConnection(), {.fault = Fault::reset}),
      faultOnARead("response_lost", brokenConnection(), {.fault = Fault::responseLost}),
      faultOnARead("truncated", ErrorKind::malformedResponse, {.fault = Fault::truncatedBody}),
      faultOnARead("garbled", ErrorKind::malformedResponse, {.fault = Fault::garbledBody}),
      faultOnARead("error_after_processing", ErrorKind::server, {.fault = Fault::errorAfterProcessing}),
      faultOnARead("timeout", ErrorKind::timeout, {.latency = 31s}),
      faultOnARead("api_error", ErrorKind::server, {.error = "api_error"}),
      faultOnARead("read_allocation", ErrorKind::tooManyRequests, {.error = "read_allocation_exceeded"}),
      faultOnARead("request_timeout", ErrorKind::timeout, {.response = HttpResponse{.status = 408}}),
      faultOnARead("closed_request", ErrorKind::malformedResponse, {.response = HttpResponse{.status = 499}}),
      faultOnARead("page_of_a_gateway", ErrorKind::malformedResponse,
                   {.response = HttpResponse{.status = 404, .body = "<html>"}}),
      {"empty_page", ErrorKind::pagination,
       [](Retryability& test) -> Retryability::Call {
         test.service.faults().inject({.fault = Fault::emptyPage});
         return [&test] { return firstError(test.records.list()); };
       },
       nothing},
  };
}

/// A call that the service or the client refuses again and again.
Cause lasting(std::string name, ErrorKind kind, std::optional<Error> (*call)(Retryability& test)) {
  return {std::move(name), kind,
          [call](Retryability& test) -> Retryability::Call { return [&test, call] { return call(test); }; }};
}

/// An error of requests that this client never makes.
Cause refusedAgain(const std::string& error) {
  return {error, ErrorKind::invalidRequest, [error](Retryability& test) -> Retryability::Call {
            test.service.faults().inject({.times = 2, .error = error});
            return [&test] { return test.report(); };
          }};
}

std::vector<Cause> causesThatLast() {
  using Test = Retryability;
  return {
      lasting("unknown_key", ErrorKind::authentication,
              [](Test& test) { return test.report({.apiKey = "sk_test_nobody"}); }),
      lasting("not_connected", ErrorKind::permission,
              [](Test& test) { return test.report({.connectedAccount = "acct_nobody"}); }),
      lasting("missing_object", ErrorKind::notFound,
              [](Test& test) { return Test::errorOf(test.records.retrieve("pr_nobody")); }),
      lasting("missing_cursor", ErrorKind::invalidRequest,
              [](Test& test) { return firstError(test.records.list({.startingAfter = "pr_nobody"})); }),
      lasting("unreadable_query", ErrorKind::invalidRequest,
              [](Test& test) { return firstError(test.records.search({.query = "?"})); }),
      lasting("missing_parameter", ErrorKind::invalidParameter,
              [](Test& test) { return Test::errorOf(test.records.reportFailed(test.id, {})); }),
      lasting("empty_key", ErrorKind::invalidParameter,
              [](Test& test) { return test.report({.apiKey = ""}); }),
      {"guaranteed", ErrorKind::invalidRequest,
       [](Test& test) -> Test::Call {
         EXPECT_TRUE(test.records.reportGuaranteed(test.id, {.guaranteedAt = reportTime}));
         return [&test] { return test.report(); };
       }},
      refusedAgain("parameter_unknown"),
      refusedAgain("body_invalid"),
      refusedAgain("method_not_allowed"),
  };
}

std::string causeName(const testing::TestParamInfo<Cause>& cause) {
  return cause.param.name;
}

class TransientFailures : public Retryability, public testing::WithParamInterface<Cause> {};

TEST_P(TransientFailures, AreRetryableAndDoNotRecur) {
  const Call call = GetParam().arrange(*this);
  const std::optional<Error> error = call();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), GetParam().kind) << *error;
  EXPECT_TRUE(error->isRetryable()) << *error;
  EXPECT_FALSE(error->isPermanent()) << *error;
  GetParam().passes(*this);
  EXPECT_EQ(call(), std::nullopt);
  EXPECT_LE(processed(), 1U);
}

INSTANTIATE_TEST_SUITE_P(, TransientFailures, testing::ValuesIn(causesThatPass()), causeName);

class PermanentFailures : public Retryability, public testing::WithParamInterface<Cause> {};

TEST_P(PermanentFailures, RecurAndAreNotRetryable) {
  const Call call = GetParam().arrange(*this);
  for (int month = 0; month < 2; ++month) {
    const std::optional<Error> error = call();
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), GetParam().kind) << *error;
    EXPECT_TRUE(error->isPermanent()) << *error;
    EXPECT_FALSE(error->isRetryable()) << *error;
    service.clock()->advance(31 * 24h);
  }
}

INSTANTIATE_TEST_SUITE_P(, PermanentFailures, testing::ValuesIn(causesThatLast()), causeName);

TEST_F(ReportWithAnUnknownOutcome, IsNeitherRetryableNorPermanent) {
  for (const Fault fault : {Fault::reset, Fault::responseLost, Fault::truncatedBody, Fault::garbledBody,
                            Fault::errorAfterProcessing}) {
    service.faults().inject({.fault = fault});
    const Error error = report().value();
    EXPECT_FALSE(error.isRetryable()) << error;
    EXPECT_FALSE(error.isPermanent()) << error;
  }
}

TEST_F(CanceledCall, IsNeitherRetryableNorPermanent) {
  std::stop_source source;
  source.request_stop();
  const Error error = report({.stop = source.get_token()}).value();
  EXPECT_FALSE(error.isRetryable()) << error;
  EXPECT_FALSE(error.isPermanent()) << error;
}

}  // namespace
}  // namespace tally::conformance
