// Spec: "Errors", applied to transport faults. For each fault: the error of a write and of a read, whether
// the object changed, and how often the request was sent.

#include <functional>

#include "conformance/support/limit_conformance.h"

namespace tally::conformance {
namespace {

using namespace std::chrono_literals;
using fake::Fault;

/// The error of a call with up to three attempts if the fault occurs each time.
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
  return {error.kind(), error.effect(), error.attemptCount()};
}

struct Case {
  std::string name{};
  fake::FaultRule rule{};
  Outcome write{};
  bool changes = false;  // whether the write was processed
  Outcome read{};
};

void PrintTo(const Case& fault, std::ostream* out) {
  *out << fault.name;
}

Case refusal(std::string name, std::string error, ErrorKind kind) {
  return {.name = std::move(name),
          .rule = {.error = std::move(error)},
          .write = {.kind = kind},
          .read = {.kind = kind}};
}

/// The kind of error for a broken connection.
ErrorKind broken() {
  return throughAFront() ? ErrorKind::server : ErrorKind::connection;
}

/// A listening server can only break a connection after a request has arrived. The client can't distinguish
/// this from a later break.
Outcome connectionRefused() {
  if (overAWire()) return {.kind = broken(), .effect = Effect::unknown};
  return {.kind = ErrorKind::connection, .attempts = 3};
}

std::vector<Case> cases() {
  constexpr Effect unknown = Effect::unknown;
  return {
      {.name = "ConnectionRefused",
       .rule = {.fault = Fault::connectionRefused},
       .write = connectionRefused(),
       .read = {.kind = broken(), .attempts = 3}},
      {.name = "Reset",
       .rule = {.fault = Fault::reset},
       .write = {.kind = broken(), .effect = unknown},
       .read = {.kind = broken(), .attempts = 3}},
      {.name = "ResponseLost",
       .rule = {.fault = Fault::responseLost},
       .write = {.kind = broken(), .effect = unknown},
       .changes = true,
       .read = {.kind = broken(), .attempts = 3}},
      {.name = "TruncatedBody",
       .rule = {.fault = Fault::truncatedBody},
       .write = {.kind = ErrorKind::malformedResponse, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::malformedResponse}},
      {.name = "GarbledBody",
       .rule = {.fault = Fault::garbledBody},
       .write = {.kind = ErrorKind::malformedResponse, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::malformedResponse}},
      {.name = "ErrorAfterProcessing",
       .rule = {.fault = Fault::errorAfterProcessing},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "AnyServerErrorAfterProcessing",
       .rule = {.fault = Fault::errorAfterProcessing,
                .response = HttpResponse{.status = 504, .headers = {}, .body = "<html>"}},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "LatencyLongerThanTheTimeout",
       .rule = {.latency = 31s},
       .write = {.kind = ErrorKind::timeout, .effect = unknown},
       .changes = true,
       .read = {.kind = ErrorKind::timeout, .attempts = 3}},
      {.name = "ServerError",
       .rule = {.error = "api_error"},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "AnyResponse",
       .rule = {.response = HttpResponse{.status = 503, .headers = {}, .body = "<html>"}},
       .write = {.kind = ErrorKind::server, .effect = unknown},
       .read = {.kind = ErrorKind::server, .attempts = 3}},
      {.name = "Redirect",
       .rule = {.response = HttpResponse{.status = 302, .headers = {{"Location", "/"}}, .body = {}}},
       .write = {.kind = ErrorKind::malformedResponse, .effect = unknown},
       .read = {.kind = ErrorKind::malformedResponse}},
      {.name = "LockTimeout",
       .rule = {.error = "lock_timeout"},
       .write = {.kind = ErrorKind::lockTimeout, .attempts = 3},
       .read = {.kind = ErrorKind::lockTimeout, .attempts = 3}},
      {.name = "RateLimitWithoutReason",
       .rule = {.error = "rate_limit", .rateLimitedReason = ""},
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
  Id<PaymentRecord> id = service.insert<PaymentRecord>(account.sandboxKey).id;

  Result<PaymentRecord> report(const RequestOptions& options = {}) {
    return records.reportFailed(id, {.failedAt = reportTime}, options);
  }
  bool changed() { return service.objects().stateOf(account.sandboxKey, id.str()) != "unreported"; }

  /// Injects the fault into the next `times` requests.
  void arrange(fake::FaultRule rule, int times) {
    rule.times = times;
    service.faults().inject(std::move(rule));
  }

  std::vector<int> statuses() {
    std::vector<int> all;
    for (const auto& request : service.requests().list())
      all.push_back(request.status);
    return all;
  }
};

using InjectedRateLimit = Faults;
using InjectedLatency = Faults;

class EachFault : public Faults, public testing::WithParamInterface<Case> {};

TEST_P(EachFault, EndsAWriteWithTheExpectedErrorAndEffect) {
  const Case& fault = GetParam();
  arrange(fault.rule, fault.write.attempts);
  const auto result = report();
  ASSERT_FALSE(result);
  EXPECT_EQ(outcomeOf(result.error()), fault.write) << result.error();
  EXPECT_EQ(changed(), fault.changes);
  EXPECT_EQ(service.requests().size(), static_cast<std::size_t>(fault.write.attempts));
  EXPECT_EQ(service.requests().list().back().fault, fault.rule.fault);
  EXPECT_EQ(service.requests().list().back().processed, fault.changes);
}

TEST_P(EachFault, EndsAReadWithTheExpectedError) {
  const Case& fault = GetParam();
  arrange(fault.rule, fault.read.attempts);
  const auto result = records.retrieve(id);
  ASSERT_FALSE(result);
  EXPECT_EQ(outcomeOf(result.error()), fault.read) << result.error();
  EXPECT_FALSE(changed());
}

/// Calls that certainly had no effect are retried until they succeed; others are sent only once.
TEST_P(EachFault, CausesRetriesOnlyIfTheWriteHadNoEffect) {
  const Case& fault = GetParam();
  const bool again = fault.write.attempts == 3;
  arrange(fault.rule, again ? 2 : 1);
  EXPECT_EQ(report().has_value(), again);
  EXPECT_EQ(service.requests().size(), again ? 3U : 1U);
  EXPECT_EQ(changed(), again || fault.changes);
}

TEST_P(EachFault, AffectsOnlyOneRequestIfInjectedOnce) {
  arrange(GetParam().rule, 1);
  (void)records.retrieve(id, {.maxNetworkRetries = 0});
  EXPECT_TRUE(records.retrieve(id, {.maxNetworkRetries = 0}));
  EXPECT_TRUE(report({.maxNetworkRetries = 0}));
}

/// What is processed is never called retryable, and what is called retryable succeeds once, and happens once.
TEST_P(EachFault, IsRetryableOnlyIfResendingIsSafe) {
  const Case& fault = GetParam();
  arrange(fault.rule, 1);
  const Error error = report({.maxNetworkRetries = 0}).error();
  EXPECT_EQ(error.isRetryable() || error.isPermanent(), fault.write.effect == Effect::none) << error;
  if (!error.isRetryable()) return;
  EXPECT_FALSE(changed()) << error;
  EXPECT_TRUE(report({.maxNetworkRetries = 0})) << error;
  EXPECT_TRUE(changed());
}

INSTANTIATE_TEST_SUITE_P(, EachFault, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

TEST_F(Faults, EndAListWithAnErrorAfterAnEmptyPageWithHasMore) {
  service.faults().inject({.operation = "payment_records.list", .fault = Fault::emptyPage});
  EXPECT_EQ(outcomeOf(firstError(records.list()).value()), (Outcome{.kind = ErrorKind::pagination}));
  EXPECT_EQ(idsOf(records.list()), (Ids{id.str()}));
}

TEST_F(Faults, EndASearchWithAnErrorAfterAnEmptyPageWithHasMore) {
  service.faults().inject({.operation = "payment_records.search", .fault = Fault::emptyPage});
  EXPECT_EQ(outcomeOf(firstError(records.search({.query = "created>0"})).value()),
            (Outcome{.kind = ErrorKind::pagination}));
  EXPECT_EQ(idsOf(records.search({.query = "created>0"})), (Ids{id.str()}));
}

TEST_F(Faults, HappenInTheOrderOfInjection) {
  service.faults().inject({.fault = Fault::reset});
  service.faults().inject({.error = "lock_timeout"});
  EXPECT_TRUE(records.retrieve(id));
  EXPECT_EQ(statuses(), (std::vector<int>{0, 429, 200}));
}

TEST_F(Faults, HappenAfterTheRequestsThatAnEmptyRuleLetsThrough) {
  service.faults().inject({.times = 2});
  service.faults().inject({.error = "api_error"});
  for (int i = 0; i < 4; ++i)
    (void)records.retrieve(id, {.maxNetworkRetries = 0});
  EXPECT_EQ(statuses(), (std::vector<int>{200, 200, 500, 200}));
}

TEST_F(Faults, AffectOnlyTheirOperationAndObject) {
  const auto other = service.insert<PaymentRecord>(account.sandboxKey).id;
  service.faults().inject(
      {.operation = "payment_records.report_failed", .object = other.str(), .error = "api_error"});
  EXPECT_TRUE(report());
  EXPECT_TRUE(records.retrieve(other));
  EXPECT_EQ(records.reportFailed(other, {.failedAt = reportTime}).error().kind(), ErrorKind::server);
}

TEST_F(InjectedRateLimit, HasTheGivenReasonAndIsRetriedOnlyIfConfigured) {
  for (const char* reason : {"endpoint-rate", "moon-phase"}) {
    service.faults().inject({.error = "rate_limit", .rateLimitedReason = reason});
    const Error error = report().error();
    EXPECT_EQ(error.kind(), ErrorKind::rateLimited);
    EXPECT_EQ(error.rateLimitedReason()->str(), reason);
  }
  arrange({.error = "rate_limit"}, 2);
  EXPECT_TRUE(report({.retryRateLimited = true}));
}

TEST_F(Faults, AddTheHeadersOfTheirRuleToTheResponse) {
  arrange({.error = "lock_timeout", .headers = {{"Retry-After", "20"}}}, 2);
  const HttpResponse response = service.handle(listRecords(account.sandboxKey));
  ASSERT_NE(response.header("Retry-After"), nullptr);
  EXPECT_EQ(*response.header("Retry-After"), "20");
  EXPECT_TRUE(report());
  ASSERT_EQ(service.clock()->sleepDurations().size(), 1U);
  EXPECT_GE(service.clock()->sleepDurations()[0], 20s);
  EXPECT_LE(service.clock()->sleepDurations()[0], 20s + 500ms);
}

TEST_F(InjectedLatency, DelaysTheResponse) {
  service.faults().inject({.latency = 3s});
  EXPECT_TRUE(report());
  EXPECT_EQ(service.clock()->now(), start + 3s + 50ms);
}

TEST_F(InjectedLatency, BeyondTheTimeoutEndsTheCall) {
  arrange({.latency = 150ms}, 2);
  EXPECT_TRUE(records.retrieve(id, {.timeout = 200ms, .maxNetworkRetries = 0}));
  EXPECT_EQ(service.clock()->now(), start + 200ms);
  EXPECT_EQ(records.retrieve(id, {.timeout = 199ms, .maxNetworkRetries = 0}).error().kind(),
            ErrorKind::timeout);
  if (!overAWire()) {
    EXPECT_EQ(service.clock()->now(), start + 399ms);
  }
}

TEST_F(Faults, ArePendingUntilTheyHappen) {
  service.faults().inject(
      {.operation = "payment_records.retrieve", .object = id.str(), .times = 2, .error = "api_error"});
  service.faults().inject({.times = 1, .fault = Fault::responseLost});
  (void)records.retrieve(id, {.maxNetworkRetries = 0});
  const auto printed = [](const fake::FaultRule& rule) { return ::testing::PrintToString(rule); };
  EXPECT_THAT(
      service.faults().pending(),
      ::testing::ElementsAre(::testing::ResultOf(printed, "payment_records.retrieve of " + id.str() +
                                                              ": error api_error (1 time left)"),
                             ::testing::ResultOf(printed, "any operation: response lost (1 time left)")));
  (void)records.retrieve(id, {.maxNetworkRetries = 0});
  (void)report();
}

TEST_F(Faults, LeaveLimitsUnusedUnlessTheRequestIsProcessed) {
  arrange({.error = "api_error"}, 30);
  EXPECT_EQ(admitted(30, listRecords(account.sandboxKey)), 30);
  EXPECT_EQ(usageOf(account, "global_rate", false).used, 0);
  service.faults().inject({.fault = Fault::responseLost});
  (void)service.handle(createIntent(account.sandboxKey));
  EXPECT_EQ(usageOf(account, "global_rate", false).used, 1);
}

}  // namespace
}  // namespace tally::conformance
