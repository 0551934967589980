// resolveReport() with a client whose calls wait for a pacer or for other calls on the record. Meanwhile,
// newer attempt begins begins.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sdk/support/any_report.h"
#include "sdk/support/paced.h"

namespace tally::test {
namespace {

/// A transport to a service where a record has a newer attempt from some time on. Another record takes its
/// place under its identifier.
class NewerAttempt final : public Transport {
 public:
  NewerAttempt(fake::Service& service, PaymentRecord now, PaymentRecord newer)
      : clock_(service.clock()),
        inner_(service.transport()),
        now_(std::move(now.id)),
        newer_(std::move(newer.id)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    if (const auto first = std::exchange(beforeFirst, nullptr)) first();
    if (clock_->now() < begins) return inner_->send(request, limits);
    HttpRequest other = request;
    replace(other.url, now_, newer_);
    auto result = inner_->send(other, limits);
    if (auto* response = std::get_if<HttpResponse>(&result)) replace(response->body, newer_, now_);
    return result;
  }

  Instant begins = Instant::max();
  std::function<void()> beforeFirst{};

 private:
  static void replace(std::string& text, const Id<PaymentRecord>& from, const Id<PaymentRecord>& to) {
    if (const auto at = text.find(from.str()); at != std::string::npos)
      text.replace(at, from.str().size(), to.str());
  }

  std::shared_ptr<Clock> clock_;
  std::shared_ptr<Transport> inner_;
  Id<PaymentRecord> now_;
  Id<PaymentRecord> newer_;
};

class ResolveInTurn : public Paced {
 protected:
  using Paced::Paced;

  [[nodiscard]] PaymentRecord inserted() { return service.insert<PaymentRecord>(account.sandboxKey); }

  [[nodiscard]] PaymentRecords records() {
    ClientOptions options = optionsFor(account.sandboxKey);
    options.transport = transport;
    return Client{options}.paymentRecords();
  }

  [[nodiscard]] std::string stateOf(const PaymentRecord& of) {
    return service.objects().stateOf(account.sandboxKey, of.id.str()).value_or("none");
  }

  /// Uses `times` units of the report's endpoint limit.
  void report(const AnyReport& kind, int times) {
    const PaymentRecord another = inserted();
    for (int n = 0; n < times; ++n)
      (void)kind.send(client.paymentRecords(), another.id);
  }

  void setBegins(std::chrono::nanoseconds in) { transport->begins = service.clock()->now() + in; }

  /// The requests sent for `of`: `r` for a report, `g` for a read.
  [[nodiscard]] std::string sentFor(const PaymentRecord& of) const {
    std::string all;
    for (const fake::LoggedRequest& logged : service.requests().list())
      if (logged.request.url.find(of.id.str()) != std::string::npos)
        all += logged.request.method == Method::post ? 'r' : 'g';
    return all;
  }

  static std::vector<AnyReport> kinds() {
    return {{.outcome = Outcome::canceled}, {.outcome = Outcome::failed}, {.outcome = Outcome::guaranteed}};
  }

  PaymentRecord now = inserted();
  PaymentRecord newer = inserted();
  std::shared_ptr<NewerAttempt> transport = std::make_shared<NewerAttempt>(service, now, newer);

  /// The two ways to specify the attempt.
  [[nodiscard]] std::vector<AnyReport::Check> namings() const {
    return {{.attempt = now.latestPaymentAttemptRecord}, {.before = now}};
  }

  /// New records, without reports on either attempt.
  void beginAnew() {
    now = inserted();
    newer = inserted();
    transport = std::make_shared<NewerAttempt>(service, now, newer);
    service.clock()->advance(1min);
  }
};

TEST_F(ResolveInTurn, SendsNothingToAnAttemptThatBeginsDuringThePacerWait) {
  setBoth("global_rate", 100);
  for (const AnyReport& kind : kinds())
    for (const AnyReport::Check& naming : namings()) {
      service.clock()->advance(1min);
      report(kind, 25);
      setBegins(500ms);
      const auto told = kind.resolveReport(records(), now.id, naming).value();
      EXPECT_EQ(told.noResendReason, NoResendReason::otherAttempt);
      EXPECT_EQ(told.resends, 0);
      EXPECT_EQ(service.clock()->now(), transport->begins + 500ms) << "then the endpoint admits it";
      EXPECT_EQ(stateOf(newer), "unreported");
    }
  EXPECT_EQ(sentFor(now), "");
  EXPECT_EQ(sentFor(newer), "gggggg");
}

TEST_F(ResolveInTurn, ReadsAndSendsAtTheSameInstantWhenItsTurnComes) {
  setBoth("global_rate", 100);
  for (const AnyReport& kind : kinds()) {
    now = inserted();
    service.clock()->advance(1min);
    report(kind, 25);
    const Instant turn = service.clock()->now() + 1s;
    const std::size_t sent = service.requests().size();
    EXPECT_EQ(kind.resolveReport(client.paymentRecords(), now.id).value().status, ReportStatus::applied);
    EXPECT_EQ(sentFor(now), "gr");
    const auto requests = service.requests().list();
    for (const fake::LoggedRequest& logged : requests | std::views::drop(sent))
      EXPECT_EQ(logged.time, turn);
  }
  EXPECT_EQ(refusals(), std::vector<std::string>{});
}

/// Limits that apply to both the read and the report have room for both, or resolveReport() waits.
TEST_F(ResolveInTurn, TakesSlotsForTheReadAndTheReport) {
  for (const std::string_view limit : {"global_rate", "global_concurrency"}) {
    setBoth("global_rate", 25);
    for (const std::int64_t number : {5, 2, 1}) {
      setBoth(limit, number);
      service.clock()->advance(1min);
      for (int n = 0; n < number - 1; ++n)
        EXPECT_TRUE(retrieve());
      const PaymentRecord fresh = inserted();
      const AnyReport kind{.outcome = Outcome::failed};
      const Instant began = service.clock()->now();
      EXPECT_EQ(kind.resolveReport(client.paymentRecords(), fresh.id).value().status, ReportStatus::applied);
      EXPECT_EQ(sentFor(fresh), "gr");
      EXPECT_EQ(service.requests().list()[service.requests().size() - 2].time,
                began + (limit == "global_rate" && number > 1 ? 1s : 0s))
          << "the read waits for the report's unit too, unless that is pointless";
    }
  }
  EXPECT_EQ(refusals(), std::vector<std::string>{});
}

/// A lowered limit may have only one unit where two are needed; it rises again.
TEST_F(ResolveInTurn, WaitsUntilALoweredLimitAdmitsBothRequests) {
  setBoth("global_rate", 2);
  service.clock()->advance(1min);
  for (int n = 0; n < 2; ++n) {
    service.faults().inject({.error = "rate_limit", .rateLimitedReason = "global-rate"});
    EXPECT_FALSE(retrieve());
    service.clock()->advance(1s);
  }
  ASSERT_EQ(usage("global_rate").allowed, 1);
  const AnyReport kind{.outcome = Outcome::failed};
  EXPECT_EQ(kind.resolveReport(client.paymentRecords(), now.id).value().status, ReportStatus::applied);
  EXPECT_EQ(sentFor(now), "gr");
}

TEST_F(ResolveInTurn, ReturnsTheSlotsOfAnUnsentReport) {
  const AnyReport kind{.outcome = Outcome::failed};
  ASSERT_TRUE(kind.send(client.paymentRecords(), now.id));
  service.clock()->advance(1min);
  for (int n = 0; n < 20; ++n)
    EXPECT_EQ(kind.resolveReport(client.paymentRecords(), now.id).value().resends, 0);
  EXPECT_EQ(usage("endpoint_rate", "payment_records.report_failed").used, 0);
  EXPECT_EQ(usage("endpoint_rate", "payment_records.retrieve").used, 20);
  EXPECT_EQ(pacer->counts().inFlight, 0U);
}

TEST_F(ResolveInTurn, TakesNewSlotsWhenTheReadIsRetried) {
  const AnyReport kind{.outcome = Outcome::failed};
  service.faults().inject({.times = 2, .fault = fake::Fault::connectionRefused});
  EXPECT_EQ(kind.resolveReport(client.paymentRecords(), now.id, {}, {.maxNetworkRetries = 2}).value().resends,
            1);
  EXPECT_EQ(usage("endpoint_rate", "payment_records.report_failed").used, 1);
  service.clock()->advance(1min);
  EXPECT_EQ(usage("endpoint_rate", "payment_records.report_failed").used, 0);
  EXPECT_EQ(usage("global_rate").used, 0);
}

TEST_F(ResolveInTurn, ReadsEvenIfItsTurnComesAfterTheDeadline) {
  setBoth("global_rate", 100);
  for (const AnyReport& kind : kinds()) {
    service.clock()->advance(1min);
    report(kind, 25);
    const auto told = kind.resolveReport(records(), now.id, {}, {.totalTimeout = 100ms}).value();
    EXPECT_EQ(told.status, ReportStatus::notApplied);
    EXPECT_EQ(told.noResendReason, NoResendReason::failed);
    ASSERT_TRUE(told.error);
    EXPECT_EQ(told.error->kind(), ErrorKind::deadlineExceeded);
    EXPECT_EQ(told.error->effect(), Effect::none);
    EXPECT_TRUE(told.error->operation().starts_with("payment_records.report_")) << told.error->operation();
  }
  EXPECT_EQ(sentFor(now), "ggg");
}

/// No other call of the client intervenes between what resolveReport()'s read and its report.
TEST_F(ResolveInTurn, KeepsItsPlaceInTheMutationQueueWhileReading) {
  for (const AnyReport& kind : kinds()) {
    now = inserted();
    transport = std::make_shared<NewerAttempt>(service, now, newer);
    std::optional<Error> refused;
    const PaymentRecords resolved = records();
    transport->beforeFirst = [&] {
      const auto other = AnyReport{.outcome = Outcome::canceled}.send(resolved, now.id);
      if (!other) refused = other.error();
    };
    EXPECT_EQ(kind.resolveReport(resolved, now.id).value().status, ReportStatus::applied);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->kind(), ErrorKind::queueFull);
    EXPECT_EQ(sentFor(now), "gr");
  }
}

/// A service where the record is locked while another client changes it.
class ResolveInQueue : public ResolveInTurn {
 protected:
  ResolveInQueue() : ResolveInTurn({.duration = 0ns, .lockWait = 1h}) {}
};

TEST_F(ResolveInQueue, SendsNothingToAnAttemptThatBeginsDuringAnotherCall) {
  for (const AnyReport& kind : kinds())
    for (const bool byAttempt : {false, true}) {
      beginAnew();
      const AnyReport::Check naming = namings()[byAttempt ? 0 : 1];
      service.clock()->freeze();
      auto lock = service.holds().lockObject(account.sandboxKey, now.id.str());
      const PaymentRecords both = records();
      std::jthread first{[&] { (void)AnyReport{.outcome = Outcome::canceled}.send(both, now.id); }};
      service.clock()->waitForSleepers(1);
      std::optional<Result<ReportCheck<PaymentRecord>>> told;
      std::jthread second{[&] { told = kind.resolveReport(both, now.id, naming); }};
      service.clock()->waitForSleepers(2);
      setBegins(0ns);
      lock.release();
      service.clock()->thaw();
      first.join();
      second.join();
      EXPECT_EQ(told->value().noResendReason, NoResendReason::otherAttempt);
      EXPECT_EQ(sentFor(newer), "g");
      EXPECT_EQ(stateOf(newer), "unreported");
    }
}

RC_GTEST_FIXTURE_PROP(ResolveInTurn, NeverSendsToAnAttemptOtherThanTheNamedOne, ()) {
  std::vector<LimitOverride> limits;
  for (const char* limit : {"global_rate", "endpoint_rate", "global_concurrency"})
    limits.push_back({.limit = limit, .value = *rc::gen::inRange<std::int64_t>(2, 12)});
  pace({.limits = limits});
  const AnyReport kind = *rc::gen::elementOf(kinds());
  for (int n = *rc::gen::inRange(0, 30); n > 0; --n) {
    service.clock()->advance(*rc::gen::element<std::chrono::nanoseconds>(0ms, 0ms, 100ms, 700ms));
    if (*rc::gen::arbitrary<bool>()) {
      report(kind, 1);
    } else {
      RC_ASSERT(retrieve());
    }
  }
  // Never coincides with a request.
  setBegins(std::chrono::milliseconds{*rc::gen::inRange(0, 3'000)} + 1ns);
  const auto told = kind.resolveReport(records(), now.id, *rc::gen::elementOf(namings())).value();
  RC_ASSERT(stateOf(newer) == "unreported");
  const bool sent = told.noResendReason == NoResendReason::applied;
  RC_ASSERT(sent || told.noResendReason == NoResendReason::otherAttempt);
  RC_ASSERT(told.resends == (sent ? 1 : 0));
  RC_ASSERT(stateOf(now) == (sent ? nameOf(kind.outcome) : "unreported"));
  RC_ASSERT(pacer->counts().inFlight == 0U && pacer->counts().waiting == 0U);
}

}  // namespace
}  // namespace tally::test
