// Reports may be lost, late, or mixed with other clients' reports: resolveReport() always matches what the
// service did.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sdk/support/lost_reports.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using fake::Fault;

bool oneIn(int number) {
  return *rc::gen::inRange(0, number) == 0;
}

MetadataEdit anyEdit() {
  const int what = *rc::gen::inRange(0, 5);
  if (what == 0) return MetadataEdit::unsetAll();
  MetadataEdit edit;
  if (what == 1 || what == 2) edit.set("order", oneIn(2) ? "1" : "2");
  if (what == 2 || what == 3) edit.unset("till");
  return edit;
}

fake::FaultRule anyFaultRule() {
  return *rc::gen::elementOf(std::vector<fake::FaultRule>{{.fault = Fault::responseLost},
                                                          {.fault = Fault::errorAfterProcessing},
                                                          {.fault = Fault::reset},
                                                          {.fault = Fault::truncatedBody},
                                                          {.fault = Fault::connectionRefused},
                                                          {.error = "api_error"},
                                                          {.error = "lock_timeout"},
                                                          {.latency = 31s}});
}

/// One record, a client whose requests are lost or delayed, and another client that reports in between.
class World {
 public:
  World() {
    transport_->beforeSend = [this] {
      if (inTurn_ || !oneIn(4)) return;
      inTurn_ = true;
      somebodyElse();
      inTurn_ = false;
    };
  }

  void step() {
    if (oneIn(3)) return somebodyElse();
    const AnyReport report = anyReport();
    AnyReport::Check check;
    if (oneIn(2)) check.before = truth();
    if (oneIn(2)) check.attempt = truth().latestPaymentAttemptRecord;
    disturb();
    const auto sent = report.send(records_, id_);
    if (!sent) checkError(report, sent.error());
    if (sent) RC_ASSERT(timesApplied(report) >= 1);
    if (sent || sent.error().effect() == Effect::none) return;
    const std::size_t first = transport_->reports;
    if (oneIn(2)) disturb();
    const auto told =
        report.resolveReport(records_, id_, check, {.maxNetworkRetries = *rc::gen::inRange(0, 3)});
    if (told.has_error()) {
      RC_ASSERT(told.error().effect() == Effect::unknown);
    } else {
      checkStatus(report, told.value(), check.before.has_value());
      checkSent(report, told.value(), first);
    }
  }

 private:
  [[nodiscard]] AnyReport anyReport() {
    const Outcome outcome = *rc::gen::weightedElement<Outcome>(
        {{4, Outcome::canceled}, {4, Outcome::failed}, {1, Outcome::guaranteed}});
    return {outcome, anyEdit(), std::chrono::sys_seconds{std::chrono::seconds{++reports_}}};
  }

  /// Delivers a late report, or sends one from another client.
  void somebodyElse() {
    if (!transport_->late.empty() && oneIn(2)) return transport_->arrive();
    (void)anyReport().send(others_, id_);
  }

  /// Injects a fault into the next requests of the first client.
  void disturb() {
    if (oneIn(3)) {
      transport_->holdBack = *rc::gen::inRange(1, 3);
    } else {
      service_.faults().inject(anyFaultRule());
    }
  }

  /// The record in the store, read without faults.
  [[nodiscard]] PaymentRecord truth() const {
    const fake::Service copy = service_.fork();
    ClientOptions options{.apiKey = key_,
                          .baseUrl = "https://service.test",
                          .transport = copy.transport(),
                          .clock = copy.clock()};
    const PaymentRecords records = Client{options}.paymentRecords();
    while (true)
      if (const auto read = records.retrieve(id_)) return read.value();
  }

  /// Whether the request sends the report and has the number `first` or higher. `at` is unique to the report.
  [[nodiscard]] static bool isOf(const AnyReport& report, const HttpRequest& request, std::size_t first) {
    const std::string time = "ed_at=" + std::to_string(report.at.time_since_epoch().count());
    const auto at = request.body.find(time);
    if (at == std::string::npos) return false;
    if (at + time.size() != request.body.size() && request.body[at + time.size()] != '&') return false;
    return std::ranges::any_of(request.headers, [&](const Header& header) {
      return header.name == LateTransport::numberHeader && std::stoull(header.value) >= first;
    });
  }

  /// How often the service applied the report in requests with the number `first` or higher.
  [[nodiscard]] std::ptrdiff_t timesApplied(const AnyReport& report, std::size_t first = 0) const {
    return std::ranges::count_if(service_.requests().list(), [&](const fake::LoggedRequest& logged) {
      return logged.processed && isOf(report, logged.request, first);
    });
  }

  /// Checks the error of the report's requests with the number `first` or higher: effect `none` means that
  /// none of them had an effect, including those still to arrive.
  void checkError(const AnyReport& report, const Error& error, std::size_t first = 0) {
    RC_ASSERT(error.attempts().size() == static_cast<std::size_t>(error.attemptCount()));
    if (error.effect() != Effect::none) return;
    RC_ASSERT(timesApplied(report, first) == 0);
    RC_ASSERT(std::ranges::none_of(transport_->late,
                                   [&](const HttpRequest& request) { return isOf(report, request, first); }));
  }

  void checkStatus(const AnyReport& report, const ReportCheck<PaymentRecord>& told, bool knewBefore) {
    const PaymentRecord now = truth();
    const bool asLeft = service_.objects().stateOf(key_, id_.str()) == nameOf(report.outcome) &&
                        report.isVisibleIn(now.metadata);
    RC_ASSERT(told.status != ReportStatus::indeterminate);
    RC_ASSERT((told.status == ReportStatus::applied) == asLeft);
    RC_ASSERT((told.noResendReason == NoResendReason::applied) == asLeft);
    RC_ASSERT(told.noResendReason != NoResendReason::checkOnly);
    RC_ASSERT(told.object == now);
    RC_ASSERT(told.isFinal == (service_.objects().stateOf(key_, id_.str()) == "guaranteed"));
    if (told.status == ReportStatus::notApplied && !knewBefore) RC_ASSERT(timesApplied(report) == 0);
    if (report.outcome == Outcome::guaranteed) RC_ASSERT(timesApplied(report) <= 1);
  }

  /// Checks what resolveReport() says about the requests that it sent, with the number `first` or higher.
  void checkSent(const AnyReport& report, const ReportCheck<PaymentRecord>& told, std::size_t first) {
    const auto sent = static_cast<int>(transport_->reports - first);
    RC_ASSERT(told.resends == sent);
    RC_ASSERT(told.error.has_value() == (sent != 0 && told.status != ReportStatus::applied));
    RC_ASSERT(told.error || told.noResendReason != NoResendReason::failed);
    if (!told.error) return;
    RC_ASSERT(told.error->attemptCount() == sent);
    checkError(report, *told.error, first);
  }

  fake::Service service_{{.limits = false}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::shared_ptr<LateTransport> transport_ = std::make_shared<LateTransport>(service_);
  PaymentRecords records_ = recordsOver(transport_, service_, key_);
  PaymentRecords others_ = Client{service_.clientOptions(key_)}.paymentRecords();
  Id<PaymentRecord> id_ = service_.insert<PaymentRecord>(key_).id;
  int reports_ = 0;
  bool inTurn_ = false;
};

RC_GTEST_PROP(RandomlyLostReports, AreResolvedInAgreementWithTheService, ()) {
  World world;
  const int steps = *rc::gen::inRange(1, 12);
  for (int i = 0; i < steps; ++i)
    world.step();
}

}  // namespace
}  // namespace tally::test
