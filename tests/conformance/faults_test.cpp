// Spec: "Errors", for what no document can show: what goes wrong on the way. For each fault, what a call
// that writes and a call that reads tell of it, whether the object changed, and how often they were sent.

#include <functional>

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;
using fake::Fault;

/// What a call that may be sent three times tells of a fault that happens each time.
struct Outcome {
  ErrorKind kind = ErrorKind::connection;
  Effect effect = Effect::none;
  int attempts = 1;

  bool operator==(const Outcome&) const = default;
};

void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << toString(outcome.kind) << ", effect " << toString(outcome.effect) << ", attempts "
       << outcome.attempts;
}

Outcome outcomeOf(const Error& error) {
  return {error.kind(), error.effect(), error.attempts()};
}

struct Case {
  std::string name{};
  fake::Script script{};
  Outcome write{};
  bool changes = false;  // whether the write was processed
  Outcome read{};
};

void PrintTo(const Case& fault, std::ostream* out) {
  *out << fault.name;
}

Case refusal(std::string name, std::string error, ErrorKind kind) {
  return {.name = std::move(name),
          .script = {.error = std::move(error)},
          .write = {.kind = kind},
          .read = {.kind = kind}};
}

/// What a call tells of a connection that broke.
ErrorKind broken() {
  return throughAFront() ? ErrorKind::server : ErrorKind::connection;
}

/// A server that listens can only break a connection on which a request has come, and who sent it can't tell
/// that from one that breaks later.
Outcome connectionRefused() {
  if (overAWire()) return {.kind = broken(), .effect = Effect::unknown};
  return {.kind = ErrorKind::connection, .attempts = 3};
}

std::vector<Case> cases() {
  constexpr Effect unknown = Effect::unknown;
  return {
      {.name = "ConnectionRefused",
       .script = {.fault = Fault::connectionRefused},
       .write = connectionRefused(),
       .read = {.kind = broken(), .attempts = 3}},
      {.name = "Reset",
       .script = {.fault = Fault::reset},
       .write = {.kind = broken(), .effect = unknown},
       .read = {.kind = broken(), .attempts = 3}},
      {.name = "AnswerLost",
       .script = {.fault = Fault::answerLost},
       .write = {.kind = broken(), .effect = unknown},
       .changes = true,
       .read = {.kind = broken(), .attempts = 3}},
      {.name = "TruncatedBody",
       .script = {.fault = Fault::truncatedBody},
       .write = {.kind = ErrorKind::malformedAnswer, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::malformedAnswer}},
      {.name = "GarbledBody",
       .script = {.fault = Fault::garbledBody},
       .write = {.kind = ErrorKind::malformedAnswer, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::malformedAnswer}},
      {.name = "ErrorAfterProcessing",
       .script = {.fault = Fault::errorAfterProcessing},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "AnyServerErrorAfterProcessing",
       .script = {.fault = Fault::errorAfterProcessing,
                  .answer = HttpResponse{.status = 504, .headers = {}, .body = "<html>"}},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "LatencyLongerThanTheTimeout",
       .script = {.latency = 31s},
       .write = {.kind = ErrorKind::timeout, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::timeout, .attempts = 3}},
      {.name = "ServerError",
       .script = {.error = "api_error"},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "AnyAnswer",
       .script = {.answer = HttpResponse{.status = 503, .headers = {}, .body = "<html>"}},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "Redirect",
       .script = {.answer = HttpResponse{.status = 302, .headers = {{"Location", "/"}}, .body = {}}},
       .write = {.kind = ErrorKind::malformedAnswer, .effect = unknown},
       .read = {.kind = ErrorKind::malformedAnswer}},
      {.name = "LockTimeout",
       .script = {.error = "lock_timeout"},
       .write = {.kind = ErrorKind::lockTimeout, .attempts = 3},
       .read = {.kind = ErrorKind::lockTimeout, .attempts = 3}},
      {.name = "RateLimitWithoutReason",
       .script = {.error = "rate_limit", .rateLimitedReason = ""},
       .write = {.kind = ErrorKind::tooManyRequests},
       .read = {.kind = ErrorKind::tooManyRequests}},
      refusal("RateLimit", "rate_limit", ErrorKind::rateLimited),
      refusal("ReadAllocationExceeded", "read_allocation_exceeded", ErrorKind::tooManyRequests),
      refusal("KeyUnknown", "key_unknown", ErrorKind::authentication),
      refusal("AccountNotConnected", "account_not_connected", ErrorKind::permission),
      refusal("ResourceMissing", "resource_missing", ErrorKind::notFound),
      refusal("ParameterInvalid", "parameter_invalid", ErrorKind::invalidRequest),
  };
}

class Faults : public LimitConformance {
 protected:
  Faults() : LimitConformance(fake::ServiceOptions{}) {}

  Client client{[this] {
    ClientOptions options = service.clientOptions(account.sandboxKey);
    options.maxNetworkRetries = 2;
    return options;
  }()};
  PaymentRecords records = client.paymentRecords();
  Id<PaymentRecord> id = service.seed<PaymentRecord>(account.sandboxKey).id;

  Result<PaymentRecord> report(const RequestOptions& options = {}) {
    return records.reportFailed(id, {.failedAt = reportTime}, options);
  }
  bool changed() { return service.stateOf(account.sandboxKey, id.str()) != "unreported"; }

  /// Has it happen to the next `times` requests.
  void arrange(fake::Script script, int times) {
    script.times = times;
    service.script(std::move(script));
  }

  std::vector<int> statuses() {
    std::vector<int> all;
    for (const auto& request : service.requests())
      all.push_back(request.status);
    return all;
  }
};

class EachFault : public Faults, public testing::WithParamInterface<Case> {};

TEST_P(EachFault, OnAWrite) {
  const Case& fault = GetParam();
  arrange(fault.script, fault.write.attempts);
  const auto result = report();
  ASSERT_FALSE(result);
  EXPECT_EQ(outcomeOf(result.error()), fault.write) << result.error();
  EXPECT_EQ(changed(), fault.changes);
  EXPECT_EQ(service.requests().size(), static_cast<std::size_t>(fault.write.attempts));
  EXPECT_EQ(service.requests().back().fault, fault.script.fault);
  EXPECT_EQ(service.requests().back().processed, fault.changes);
}

TEST_P(EachFault, OnARead) {
  const Case& fault = GetParam();
  arrange(fault.script, fault.read.attempts);
  const auto result = records.retrieve(id);
  ASSERT_FALSE(result);
  EXPECT_EQ(outcomeOf(result.error()), fault.read) << result.error();
  EXPECT_FALSE(changed());
}

/// What had no effect for certain is sent again until it succeeds; nothing else is sent twice.
TEST_P(EachFault, TwiceAndThenSuccess) {
  const Case& fault = GetParam();
  const bool again = fault.write.attempts == 3;
  arrange(fault.script, again ? 2 : 1);
  EXPECT_EQ(report().has_value(), again);
  EXPECT_EQ(service.requests().size(), again ? 3U : 1U);
  EXPECT_EQ(changed(), again || fault.changes);
}

TEST_P(EachFault, HappensAsOftenAsArrangedAndThenTheServiceWorks) {
  arrange(GetParam().script, 1);
  (void)records.retrieve(id, {.maxNetworkRetries = 0});
  EXPECT_TRUE(records.retrieve(id, {.maxNetworkRetries = 0}));
  EXPECT_TRUE(report({.maxNetworkRetries = 0}));
}

INSTANTIATE_TEST_SUITE_P(, EachFault, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

TEST_F(Faults, AnEmptyPageThatClaimsMoreEndsAListInAnError) {
  service.script({.operation = "payment_records.list", .fault = Fault::emptyPage});
  EXPECT_EQ(outcomeOf(firstError(records.list()).value()), (Outcome{.kind = ErrorKind::pagination}));
  EXPECT_EQ(idsOf(records.list()), (Ids{id.str()}));
}

TEST_F(Faults, AnEmptyPageThatClaimsMoreEndsASearchInAnError) {
  service.script({.operation = "payment_records.search", .fault = Fault::emptyPage});
  EXPECT_EQ(outcomeOf(firstError(records.search({.query = "created>0"})).value()),
            (Outcome{.kind = ErrorKind::pagination}));
  EXPECT_EQ(idsOf(records.search({.query = "created>0"})), (Ids{id.str()}));
}

TEST_F(Faults, HappenInTheOrderInWhichTheyWereArranged) {
  service.script({.fault = Fault::reset});
  service.script({.error = "lock_timeout"});
  EXPECT_TRUE(records.retrieve(id));
  EXPECT_EQ(statuses(), (std::vector<int>{0, 429, 200}));
}

TEST_F(Faults, LetPassWhatTheySayNothingAbout) {
  service.script({.times = 2});
  service.script({.error = "api_error"});
  for (int i = 0; i < 4; ++i)
    (void)records.retrieve(id, {.maxNetworkRetries = 0});
  EXPECT_EQ(statuses(), (std::vector<int>{200, 200, 500, 200}));
}

TEST_F(Faults, HappenToTheOperationAndTheObjectThatTheyName) {
  const auto other = service.seed<PaymentRecord>(account.sandboxKey).id;
  service.script({.operation = "payment_records.report_failed", .object = other.str(), .error = "api_error"});
  EXPECT_TRUE(report());
  EXPECT_TRUE(records.retrieve(other));
  EXPECT_EQ(records.reportFailed(other, {.failedAt = reportTime}).error().kind(), ErrorKind::server);
}

TEST_F(Faults, ARateLimitTellsItsReasonAndIsTriedAgainOnRequestOnly) {
  for (const char* reason : {"endpoint-rate", "moon-phase"}) {
    service.script({.error = "rate_limit", .rateLimitedReason = reason});
    const Error error = report().error();
    EXPECT_EQ(error.kind(), ErrorKind::rateLimited);
    EXPECT_EQ(error.rateLimitedReason()->str(), reason);
  }
  arrange({.error = "rate_limit"}, 2);
  EXPECT_TRUE(report({.retryRateLimited = true}));
}

TEST_F(Faults, BearTheHeadersOfTheScript) {
  arrange({.error = "lock_timeout", .headers = {{"Retry-After", "20"}}}, 2);
  const HttpResponse response = service.handle(listRecords(account.sandboxKey));
  ASSERT_NE(response.header("Retry-After"), nullptr);
  EXPECT_EQ(*response.header("Retry-After"), "20");
  EXPECT_TRUE(report());
  ASSERT_EQ(service.clock()->slept().size(), 1U);
  EXPECT_GE(service.clock()->slept()[0], 20s);
  EXPECT_LE(service.clock()->slept()[0], 20s + 500ms);
}

TEST_F(Faults, LatencyDelaysTheAnswer) {
  service.script({.latency = 3s});
  EXPECT_TRUE(report());
  EXPECT_EQ(service.clock()->now(), start + 3s + 50ms);
}

TEST_F(Faults, LatencyIsWaitedForUpToTheTimeoutAndNoLonger) {
  arrange({.latency = 150ms}, 2);
  EXPECT_TRUE(records.retrieve(id, {.timeout = 200ms, .maxNetworkRetries = 0}));
  EXPECT_EQ(service.clock()->now(), start + 200ms);
  EXPECT_EQ(records.retrieve(id, {.timeout = 199ms, .maxNetworkRetries = 0}).error().kind(),
            ErrorKind::timeout);
  if (!overAWire()) {
    EXPECT_EQ(service.clock()->now(), start + 399ms);
  }
}

TEST_F(Faults, ThatNeverHappenedAreNamed) {
  service.script(
      {.operation = "payment_records.retrieve", .object = id.str(), .times = 2, .error = "api_error"});
  service.script({.times = 1, .fault = Fault::answerLost});
  (void)records.retrieve(id, {.maxNetworkRetries = 0});
  EXPECT_EQ(
      service.verifyFaultsFired(),
      (std::vector<std::string>{"payment_records.retrieve of " + id.str() + ": error api_error (1 time left)",
                                "any operation: answer lost (1 time left)"}));
  (void)records.retrieve(id, {.maxNetworkRetries = 0});
  (void)report();
}

TEST_F(Faults, DoNotCountAgainstLimitsWhereTheRequestIsNotAdmitted) {
  arrange({.error = "api_error"}, 30);
  EXPECT_EQ(admitted(30, listRecords(account.sandboxKey)), 30);
  EXPECT_EQ(usageOf(account, "global_rate", false).used, 0);
  service.script({.fault = Fault::answerLost});
  (void)service.handle(createIntent(account.sandboxKey));
  EXPECT_EQ(usageOf(account, "global_rate", false).used, 1);
}

}  // namespace
}  // namespace tally::conformance
