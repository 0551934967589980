// Whatever is lost, late or reported by others: what settle() says is what the service did.

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lost_reports.h"

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

fake::Script anyScript() {
  return *rc::gen::elementOf(std::vector<fake::Script>{{.fault = Fault::answerLost},
                                                       {.fault = Fault::reset},
                                                       {.fault = Fault::truncatedBody},
                                                       {.fault = Fault::connectionRefused},
                                                       {.error = "api_error"},
                                                       {.error = "lock_timeout"},
                                                       {.latency = 31s}});
}

/// One record, a client whose requests are lost or late, and another that reports in between.
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
    const std::optional<PaymentRecord> before = oneIn(2) ? std::optional{truth()} : std::nullopt;
    const std::size_t logged = service_.requests().size();
    disturb();
    const auto sent = report.send(records_, id_);
    if (sent || sent.error().effect() == Effect::none) return;
    if (oneIn(2)) disturb();
    const RequestOptions options{.maxNetworkRetries = *rc::gen::inRange(0, 3)};
    const auto told =
        before ? report.settle(records_, *before, options) : report.settle(records_, id_, options);
    if (!told) {
      RC_ASSERT(told.error().effect() == Effect::unknown);
    } else {
      check(report, told.value(), before.has_value(), logged);
    }
  }

 private:
  [[nodiscard]] AnyReport anyReport() {
    const Outcome outcome = *rc::gen::weightedElement<Outcome>(
        {{4, Outcome::canceled}, {4, Outcome::failed}, {1, Outcome::guaranteed}});
    return {outcome, anyEdit(), std::chrono::sys_seconds{std::chrono::seconds{++reports_}}};
  }

  /// A late report arrives, or another client reports.
  void somebodyElse() {
    if (!transport_->late.empty() && oneIn(2)) return transport_->arrive();
    (void)anyReport().send(others_, id_);
  }

  /// Something goes wrong with the next requests of the first client.
  void disturb() {
    if (oneIn(3)) {
      transport_->holdBack = *rc::gen::inRange(1, 3);
    } else {
      service_.script(anyScript());
    }
  }

  /// The record as it is in the store, past all that disturbs.
  [[nodiscard]] PaymentRecord truth() const {
    const fake::Service copy = service_.fork();
    ClientOptions options{.key = key_, .transport = copy.transport(), .clock = copy.clock()};
    const PaymentRecords records = Client{options}.paymentRecords();
    while (true)
      if (const auto read = records.retrieve(id_)) return read.value();
  }

  /// How often the service applied the report: `at` is nobody else's.
  [[nodiscard]] std::ptrdiff_t timesApplied(const AnyReport& report, std::size_t from) const {
    const auto log = service_.requests();
    const std::string time = "ed_at=" + std::to_string(report.at.time_since_epoch().count());
    return std::count_if(log.begin() + static_cast<std::ptrdiff_t>(from), log.end(), [&](const auto& entry) {
      const std::string& body = entry.request.body;
      const auto at = body.find(time);
      const bool same =
          at != std::string::npos && (at + time.size() == body.size() || body[at + time.size()] == '&');
      const bool reached = entry.status == 200 || entry.fault == Fault::answerLost;
      return same && reached && entry.errorCode.empty();
    });
  }

  void check(const AnyReport& report, const ReportFate<PaymentRecord>& told, bool knewBefore,
             std::size_t from) {
    const PaymentRecord now = truth();
    const bool asLeft =
        service_.stateOf(key_, id_.str()) == nameOf(report.outcome) && report.isVisibleIn(now.metadata);
    RC_ASSERT(told.fate != Fate::undecided);
    RC_ASSERT((told.fate == Fate::applied) == asLeft);
    RC_ASSERT(told.object == now);
    RC_ASSERT(told.isFinal == (service_.stateOf(key_, id_.str()) == "guaranteed"));
    if (told.fate == Fate::notApplied && !knewBefore) RC_ASSERT(timesApplied(report, from) == 0);
    if (report.outcome == Outcome::guaranteed) RC_ASSERT(timesApplied(report, from) <= 1);
  }

  fake::Service service_{{.limits = false}};
  std::string key_ = service_.addAccount().sandboxKey;
  std::shared_ptr<LateTransport> transport_ = std::make_shared<LateTransport>(service_);
  PaymentRecords records_ = recordsOver(transport_, service_, key_);
  PaymentRecords others_ = Client{service_.clientOptions(key_)}.paymentRecords();
  Id<PaymentRecord> id_ = service_.seed<PaymentRecord>(key_).id;
  int reports_ = 0;
  bool inTurn_ = false;
};

RC_GTEST_PROP(LostReportsModel, AreSettledByTheTruth, ()) {
  World world;
  const int steps = *rc::gen::inRange(1, 12);
  for (int i = 0; i < steps; ++i)
    world.step();
}

}  // namespace
}  // namespace tally::test
