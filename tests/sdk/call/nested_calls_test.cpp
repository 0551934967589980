// Calls that observers make during other calls: none waits for its own thread, and no two for each other.

#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/observer.h>

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

class NestedCalls : public Paced {
 protected:
  /// What the observer does at the first event of this kind in a call of that operation.
  struct Reaction {
    EventKind kind{};
    std::string operation{};
    std::function<void(const Event&)> act{};
  };
  struct Reactions final : Observer {
    void on(const Event& event) noexcept override {
      for (Reaction& each : all)
        if (each.kind == event.kind && each.operation == event.operation && each.act)
          return std::exchange(each.act, {})(event);
    }
    std::vector<Reaction> all{};
  };

  [[nodiscard]] ClientOptions observed() {
    ClientOptions options = optionsFor(account.sandboxKey);
    options.observer = reactions;
    return options;
  }
  void react(EventKind kind, std::string operation, std::function<void(const Event&)> act) {
    reactions->all.push_back({kind, std::move(operation), std::move(act)});
  }

  /// Makes calls at once, each in its own thread. If they wait for each other, they are stopped.
  void run(const std::vector<std::function<void()>>& calls) {
    const Instant late = service.clock()->now() + 1h;
    std::stop_source over;
    std::size_t ended = 0;
    service.clock()->runThreads(calls.size() + 1, [&](std::size_t n) {
      if (n == calls.size()) {
        if (service.clock()->sleepUntil(late, over.get_token())) hung.request_stop();
        return;
      }
      calls[n]();
      if (++ended == calls.size()) over.request_stop();
    });
    EXPECT_FALSE(hung.stop_requested());
  }

  /// The outcome of a call that can be stopped.
  std::string retrieval(RequestOptions options = {}) {
    if (!options.stop.stop_possible()) options.stop = hung.get_token();
    return outcomeOf(client.paymentRecords().retrieve(record, options));
  }
  std::string report(const Id<PaymentRecord>& on) {
    return outcomeOf(client.paymentRecords().reportFailed(on, {.failedAt = std::chrono::sys_seconds{1s}},
                                                          {.stop = hung.get_token()}));
  }
  static std::string outcomeOf(const Result<PaymentRecord>& result) {
    if (result) return "success";
    EXPECT_EQ(result.error().effect(), Effect::none);
    EXPECT_EQ(result.error().attemptCount(), 0);
    return std::string{toString(result.error().kind())};
  }
  void pass(std::chrono::nanoseconds time) { service.clock()->sleepUntil(service.clock()->now() + time, {}); }

  static constexpr const char* retrieving = "payment_records.retrieve";
  static constexpr const char* reporting = "payment_records.report_failed";

  std::stop_source hung{};
  std::shared_ptr<Reactions> reactions = std::make_shared<Reactions>();
  std::string nested{};
};

TEST_F(NestedCalls, AreMadeWhenTheirCallIsThrottled) {
  client = Client{observed()};
  react(EventKind::throttled, retrieving, [&](const Event&) { nested = retrieval(); });
  run({[&] {
    for (int n = 0; n < 26; ++n)
      EXPECT_EQ(retrieval(), "success") << n;
  }});
  EXPECT_EQ(nested, "success");
  EXPECT_EQ(service.requests().size(), 27U);
}

TEST_F(NestedCalls, DoNotChangeThePlaceOfTheirCall) {
  setBoth("endpoint_rate", 1);
  client = Client{observed()};
  const auto later = service.insert<PaymentRecord>(account.sandboxKey).id;
  react(EventKind::throttled, retrieving, [&](const Event&) { pass(500ms); });
  EXPECT_EQ(retrieval(), "success");
  run({[&] { EXPECT_EQ(retrieval(), "success"); },
       [&] { EXPECT_TRUE(client.paymentRecords().retrieve(later, {.stop = hung.get_token()})); }});
  EXPECT_EQ(service.requests().list()[1].object, record.str());
  EXPECT_EQ(service.requests().list()[2].object, later.str());
}

TEST_F(NestedCalls, AreMadeWhenTheirCallWouldWaitTooLong) {
  setBoth("endpoint_rate", 1);
  client = Client{observed()};
  EXPECT_EQ(retrieval(), "success");
  react(EventKind::callEnded, retrieving, [&](const Event&) { nested = retrieval(); });
  run({[&] { EXPECT_EQ(retrieval({.totalTimeout = 1s}), "deadline exceeded"); }});
  EXPECT_EQ(nested, "success");
}

TEST_F(NestedCalls, AreMadeWhenTheirCallIsStoppedWhileItWaits) {
  setBoth("endpoint_rate", 1);
  client = Client{observed()};
  std::stop_source stop;
  EXPECT_EQ(retrieval(), "success");
  react(EventKind::callEnded, retrieving, [&](const Event&) { nested = retrieval(); });
  run({[&] { EXPECT_EQ(retrieval({.stop = stop.get_token()}), "canceled"); },
       [&] {
         pass(500ms);
         stop.request_stop();
       }});
  EXPECT_EQ(nested, "success");
}

/// The virtual clock, except that the first sleep fails.
class BrokenSleep final : public Clock {
 public:
  explicit BrokenSleep(std::shared_ptr<Clock> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] Instant now() const override { return inner_->now(); }
  bool sleepUntil(Instant time, std::stop_token stop) override {
    if (!std::exchange(broken_, true)) throw std::runtime_error{"no sleep"};
    return inner_->sleepUntil(time, std::move(stop));
  }
  bool waitUntil(Instant time, std::stop_token stop) override {
    return inner_->waitUntil(time, std::move(stop));
  }

 private:
  std::shared_ptr<Clock> inner_;
  bool broken_ = false;
};

TEST_F(NestedCalls, AreMadeWhenAnExceptionEndsTheWaitOfTheirCall) {
  setBoth("endpoint_rate", 1);
  ClientOptions options = observed();
  options.clock = std::make_shared<BrokenSleep>(service.clock());
  client = Client{options};
  EXPECT_EQ(retrieval(), "success");
  react(EventKind::callEnded, retrieving, [&](const Event&) { nested = retrieval(); });
  run({[&] { EXPECT_THROW((void)retrieval(), std::runtime_error); }});
  EXPECT_EQ(nested, "success");
}

TEST_F(NestedCalls, FailIfOnlyTheirOwnThreadCanEndTheWait) {
  for (const char* limit : {"global_concurrency", "endpoint_rate"}) {
    setBoth(limit, 1);
    service.clock()->advance(1min);
    client = Client{observed()};
    react(EventKind::attemptStarted, retrieving, [&](const Event&) { nested = retrieval(); });
    run({[&] { EXPECT_EQ(retrieval(), "success"); }});
    EXPECT_EQ(nested, "queue full") << limit;
    EXPECT_EQ(pacer->counts().waiting, 0U);
    setBoth(limit, 2);
  }
}

TEST_F(NestedCalls, WaitForTimeToPass) {
  setBoth("endpoint_rate", 2);
  client = Client{observed()};
  EXPECT_EQ(retrieval(), "success");
  const Instant start = service.clock()->now();
  react(EventKind::attemptStarted, retrieving, [&](const Event&) { nested = retrieval(); });
  run({[&] { EXPECT_EQ(retrieval(), "success"); }});
  EXPECT_EQ(nested, "success");
  EXPECT_EQ(service.clock()->now() - start, 1s);
}

/// Each has a turn, and changes the object of the other.
TEST_F(NestedCalls, DoNotWaitForEachOthersTurns) {
  ClientOptions options = observed();
  options.pacer = nullptr;
  client = Client{options};
  const Id<PaymentRecord> ids[] = {record, service.insert<PaymentRecord>(account.sandboxKey).id};
  std::vector<std::string> outcomes;
  for (int n = 0; n < 2; ++n)
    react(EventKind::attemptStarted, reporting, [&](const Event& event) {
      const bool isFirst = event.object == ids[0].str();
      pass(1s);  // until both are here
      outcomes.push_back(report(ids[isFirst ? 1 : 0]));
      pass(1s);
    });
  const Instant start = service.clock()->now();
  run({[&] { EXPECT_EQ(report(ids[0]), "success"); }, [&] { EXPECT_EQ(report(ids[1]), "success"); }});
  EXPECT_EQ(outcomes, (std::vector<std::string>{"queue full", "queue full"}));
  EXPECT_EQ(service.clock()->now() - start, 2s) << "they did not wait";
}

/// The report has the turn and waits for the only unit, which the retrieval has.
TEST_F(NestedCalls, DoNotWaitForTheTurnOfACallThatWaitsForTheirUnit) {
  setBoth("global_concurrency", 1);
  client = Client{observed()};
  react(EventKind::attemptStarted, retrieving, [&](const Event&) {
    pass(1s);  // until the report waits
    nested = report(record);
  });
  run({[&] { EXPECT_EQ(retrieval(), "success"); }, [&] { EXPECT_EQ(report(record), "success"); }});
  EXPECT_EQ(nested, "queue full");
}

/// The nested call waits for time to pass. Then the resolution, which needs two units, takes the unit.
TEST_F(NestedCalls, EndWhenOthersTakeTheUnitsForWhichTheyWait) {
  setBoth("global_rate", 2);
  client = Client{observed()};
  EXPECT_EQ(retrieval(), "success");
  react(EventKind::attemptStarted, retrieving, [&](const Event&) {
    pass(500ms);  // until the resolution waits
    nested = retrieval();
  });
  const PaymentRecordReport lost = PaymentRecordReportFailedParams{.failedAt = std::chrono::sys_seconds{1s}};
  run({[&] { EXPECT_EQ(retrieval(), "success"); },
       [&] {
         pass(100ms);
         EXPECT_TRUE(
             client.paymentRecords().resolveReport(record, lost, {}, {.stop = hung.get_token()}).has_value());
       }});
  EXPECT_EQ(nested, "queue full");
  EXPECT_EQ(pacer->counts().waiting, 0U);
}

/// The resolution has the turn, but reads without it, since it can't wait for the pacer. The nested call is
/// made when that read has ended, too.
TEST_F(NestedCalls, DoNotWaitForATurnThatAResolutionDoesNotUse) {
  setBoth("endpoint_rate", 1);
  client = Client{observed()};
  EXPECT_EQ(retrieval(), "success");
  react(EventKind::callEnded, retrieving, [](const Event&) {});
  react(EventKind::callEnded, retrieving, [&](const Event&) { nested = report(record); });
  const PaymentRecordReport lost = PaymentRecordReportFailedParams{.failedAt = std::chrono::sys_seconds{1s}};
  run({[&] {
    EXPECT_FALSE(
        client.paymentRecords().resolveReport(record, lost, {}, {.totalTimeout = 500ms}).has_value());
  }});
  EXPECT_EQ(nested, "success");
}

/// Its own call has the only unit until its observer returns.
TEST_F(NestedCalls, EndIfAClosingAsyncClientAbortsTheirCall) {
  setBoth("global_concurrency", 1);
  service.durations().set(reporting, 10s);
  react(EventKind::callEnded, reporting, [&](const Event&) { nested = retrieval(); });
  client = Client{observed()};
  run({[&] {
    AsyncClient async{observed()};
    async.paymentRecords()
        .reportFailed(record, {.failedAt = std::chrono::sys_seconds{1s}})
        .then([](const auto& result) { EXPECT_FALSE(result); });
    EXPECT_EQ(async.close(100ms).unknown, 1U);
  }});
  EXPECT_EQ(nested, "queue full");
}

TEST_F(NestedCalls, WaitForTheirTurnsIfNobodyWaitsForTheirThread) {
  client = Client{observed()};
  react(EventKind::attemptStarted, reporting, [&](const Event&) { pass(1s); });
  react(EventKind::callEnded, retrieving, [&](const Event&) { nested = report(record); });
  run({[&] { EXPECT_EQ(report(record), "success"); }, [&] { EXPECT_EQ(retrieval(), "success"); }});
  EXPECT_EQ(nested, "success");
}

TEST_F(NestedCalls, NeedNotWaitForAnAsynchronousCallThatIsThrottled) {
  setBoth("endpoint_rate", 1);
  std::optional<std::size_t> ahead;
  react(EventKind::throttled, retrieving, [&](const Event&) { ahead = pacer->counts().waiting; });
  AsyncClient async{observed()};
  for (int n = 0; n < 2; ++n)
    async.paymentRecords().retrieve(record).then([](const auto& result) { EXPECT_TRUE(result); });
  async.run();
  EXPECT_EQ(ahead, 0U);
}

}  // namespace
}  // namespace tally::test
