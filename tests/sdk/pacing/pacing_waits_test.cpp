// How calls wait for a pacer: in what order, for how long, and what ends the wait.

#include <thread>

#include <tally/observer.h>

#include "sdk/support/paced.h"

namespace tally::test {
namespace {

/// The clock is frozen, so the test decides when waits end.
class PacingWaits : public Paced {
 protected:
  PacingWaits() {
    setBoth("endpoint_rate", 1);
    service.clock()->freeze();
  }

  /// Starts a call in a new thread, and returns once it waits.
  void begin(const std::function<void()>& call) {
    threads.emplace_back(call);
    service.clock()->waitForSleepers(++sleeping);
  }
  void beginRetrieval(const RequestOptions& options = {}) {
    begin([this, options] { EXPECT_TRUE(retrieve(options)); });
  }
  void finish() {
    service.clock()->thaw();
    threads.clear();
  }
  std::size_t sent() { return service.requests().size(); }

  Instant start = service.clock()->now();
  std::size_t sleeping = 0;
  std::vector<std::jthread> threads{};
};

TEST_F(PacingWaits, PreserveTheOrderOfCalls) {
  std::vector<Id<PaymentRecord>> ids(6);
  for (auto& id : ids)
    id = service.insert<PaymentRecord>(account.sandboxKey).id;
  EXPECT_TRUE(retrieve());
  for (const auto& id : ids)
    begin([&, id] { EXPECT_TRUE(client.paymentRecords().retrieve(id)); });
  EXPECT_EQ(pacer->counts().waiting, 6U);
  finish();
  for (std::size_t n = 0; n < ids.size(); ++n) {
    EXPECT_EQ(service.requests().list()[n + 1].object, ids[n].str());
    EXPECT_EQ(service.requests().list()[n + 1].time, start + std::chrono::seconds{n + 1});
  }
  EXPECT_EQ(pacer->counts().waiting, 0U);
  EXPECT_EQ(pacer->counts().inFlight, 0U);
}

TEST_F(PacingWaits, DoNotDelayCallsToOtherEndpoints) {
  EXPECT_TRUE(retrieve());
  beginRetrieval();
  beginRetrieval();
  EXPECT_TRUE(listed(client));
  EXPECT_EQ(sent(), 2U);
  EXPECT_EQ(usage("endpoint_rate", "payment_records.retrieve").waiting, 2U);
  finish();
}

TEST_F(PacingWaits, FailImmediatelyIfTheyWouldExceedTheDeadline) {
  EXPECT_TRUE(retrieve());
  beginRetrieval();
  const Error late = client.paymentRecords().retrieve(record, {.deadline = start + 2s}).error();
  EXPECT_EQ(late.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late.effect(), Effect::none);
  EXPECT_EQ(late.attemptCount(), 0);
  EXPECT_EQ(late.message(), "waiting for the limit endpoint_rate would overrun the deadline");
  EXPECT_EQ(pacer->counts().waiting, 1U) << "it no longer blocks others";
  beginRetrieval({.deadline = start + 2s + 1ns});
  finish();
  EXPECT_EQ(service.requests().list().back().time, start + 2s);
}

TEST_F(PacingWaits, FailImmediatelyIfALaterLimitWouldExceedTheDeadline) {
  setBoth("endpoint_rate", std::nullopt);
  setBoth("new_invoices_per_minute", 1);
  setBoth("new_invoices_per_day", 1);
  const auto id = service.insert<Subscription>(account.sandboxKey).id;
  const auto create = [&](const RequestOptions& options) {
    return client.invoices().create({.subscription = id}, options);
  };
  EXPECT_TRUE(create({}));
  const Error late = create({.deadline = start + 24h}).error();
  EXPECT_EQ(late.kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late.message(), "waiting for the limit new_invoices_per_day would overrun the deadline");
  EXPECT_EQ(pacer->counts().waiting, 0U);
  begin([&] { EXPECT_TRUE(create({.deadline = start + 24h + 1ns})); });
  finish();
  EXPECT_EQ(service.requests().list().back().time, start + 24h);
}

TEST_F(PacingWaits, EndAtTheDeadline) {
  EXPECT_TRUE(retrieve());
  beginRetrieval();
  std::optional<Error> late;
  begin([&] { late = client.paymentRecords().retrieve(record, {.deadline = start + 3s}).error(); });
  service.clock()->advance(3s);  // by another thread, while both sleep
  threads.clear();
  ASSERT_TRUE(late);
  EXPECT_EQ(late->kind(), ErrorKind::deadlineExceeded);
  EXPECT_EQ(late->attemptCount(), 0);
  EXPECT_EQ(sent(), 2U);
}

TEST_F(PacingWaits, EndWhenStoppedAndLetTheNextCallAdvance) {
  EXPECT_TRUE(retrieve());
  std::stop_source source;
  std::optional<Error> canceled;
  begin([&] { canceled = client.paymentRecords().retrieve(record, {.stop = source.get_token()}).error(); });
  begin([&] { EXPECT_TRUE(retrieve({.deadline = start + 2s + 1ns})); });
  source.request_stop();
  threads[0].join();
  ASSERT_TRUE(canceled);
  EXPECT_EQ(canceled->kind(), ErrorKind::canceled);
  EXPECT_EQ(canceled->effect(), Effect::none);
  EXPECT_EQ(canceled->attemptCount(), 0);
  EXPECT_EQ(pacer->counts().waiting, 1U);
  service.clock()->advance(1s);
  threads[1].join();
  EXPECT_EQ(service.requests().list().back().time, start + 1s);
}

TEST_F(PacingWaits, StartOnlyWhenACallHasItsTurnOnTheObject) {
  const auto report = [this] {
    EXPECT_TRUE(client.paymentRecords().reportFailed(record, {.failedAt = std::chrono::sys_seconds{1s}}));
  };
  report();
  begin(report);
  begin(report);
  EXPECT_EQ(client.mutations().waiting, 1U);
  EXPECT_EQ(pacer->counts().waiting, 1U) << "the other call waits for its turn";
  finish();
  EXPECT_EQ(service.requests().list()[2].time, start + 2s);
}

TEST_F(PacingWaits, ShareOneQueueAcrossClients) {
  const Client other = clientFor(account.sandboxKey);
  EXPECT_TRUE(retrieve());
  beginRetrieval();
  begin([&] { EXPECT_TRUE(other.paymentRecords().retrieve(record)); });
  beginRetrieval();
  EXPECT_EQ(pacer->counts().waiting, 3U);
  finish();
  EXPECT_EQ(service.requests().list().back().time, start + 3s);
}

TEST_F(PacingWaits, EndWhenTheCallAheadBacksOff) {
  struct Director final : Observer {
    void on(const Event& event) noexcept override {
      if (event.kind == EventKind::attemptStarted && event.attempt == 1) whenSent();
      if (event.kind == EventKind::backoffStarted) whenItWaits();
    }
    std::function<void()> whenSent{};
    std::function<void()> whenItWaits{};
  };
  setBoth("payouts_in_progress", 1);
  service.clock()->thaw();
  service.faults().inject({.error = "lock_timeout"});
  const auto create = [](const Client& by) {
    return by.payouts().create({.amount = 1, .currency = "eur"}).has_value();
  };
  const auto director = std::make_shared<Director>();
  director->whenSent = [&] { begin([&] { EXPECT_TRUE(create(client)); }); };
  director->whenItWaits = [&] { threads.clear(); };  // the other call has ended
  ClientOptions options = optionsFor(account.sandboxKey);
  options.observer = director;
  options.maxNetworkRetries = 1;
  EXPECT_TRUE(create(Client{options}));
  EXPECT_EQ(service.requests().list()[1].time, start);
  EXPECT_GT(service.requests().list()[2].time, start);
}

TEST_F(PacingWaits, DelayARetryBeyondItsBackoff) {
  service.faults().inject({.error = "lock_timeout"});
  service.clock()->thaw();
  EXPECT_TRUE(retrieve({.maxNetworkRetries = 1}));
  EXPECT_EQ(service.requests().list()[1].time, start + 1s) << "the backoff was shorter";
}

/// A sleep first lets other threads use the pacer, and resumes once they are done.
class NosyClock final : public Clock {
 public:
  explicit NosyClock(std::shared_ptr<Clock> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] Instant now() const override { return inner_->now(); }
  bool sleepUntil(Instant time, std::stop_token stop) override {
    if (onSleep) std::jthread{std::exchange(onSleep, {})}.join();
    return inner_->sleepUntil(time, std::move(stop));
  }
  bool waitUntil(Instant time, std::stop_token stop) override {
    return inner_->waitUntil(time, std::move(stop));
  }

  std::function<void()> onSleep{};

 private:
  std::shared_ptr<Clock> inner_;
};

TEST_F(PacingWaits, LeaveThePacerAvailableToOtherThreads) {
  service.clock()->thaw();
  const auto nosy = std::make_shared<NosyClock>(service.clock());
  ClientOptions options = optionsFor(account.sandboxKey);
  options.clock = nosy;
  client = Client{options};
  EXPECT_TRUE(retrieve());
  bool looked = false;
  nosy->onSleep = [&] {
    looked = pacer->counts().waiting == 1 && usage("endpoint_rate").waiting == 1 && listed(client);
  };
  EXPECT_TRUE(retrieve());
  EXPECT_TRUE(looked);
}

TEST_F(PacingWaits, AreReportedToObservers) {
  struct Notes final : Observer {
    void on(const Event& event) noexcept override {
      text += std::string{toString(event.kind)} + ' ';
      if (event.kind == EventKind::unthrottled) waited = event.duration;
    }
    std::string text{};
    std::chrono::nanoseconds waited{0};
  };
  service.clock()->thaw();
  const auto notes = std::make_shared<Notes>();
  ClientOptions options = optionsFor(account.sandboxKey);
  options.observer = notes;
  client = Client{options};
  EXPECT_TRUE(retrieve());
  EXPECT_TRUE(retrieve());
  EXPECT_EQ(notes->text,
            "attempt_started attempt_ended call_ended throttled unthrottled attempt_started attempt_ended "
            "call_ended ");
  EXPECT_EQ(notes->waited, 1s);
  EXPECT_FALSE(retrieve({.deadline = service.clock()->now() + 1s}));
  EXPECT_TRUE(notes->text.ends_with("attempt_ended call_ended call_ended "))
      << "a wait that does not start is not reported";
}

TEST_F(PacingWaits, LastOneWindowAfterATransportThrows) {
  struct Broken final : Transport {
    TransportResult send(const HttpRequest&, const SendLimits&) override {
      throw std::runtime_error{"no network"};
    }
  };
  ClientOptions options = optionsFor(account.sandboxKey);
  options.transport = std::make_shared<Broken>();
  EXPECT_THROW((void)Client{options}.paymentRecords().retrieve(record), std::runtime_error);
  EXPECT_EQ(pacer->counts().inFlight, 0U);
  EXPECT_EQ(usage("endpoint_rate").used, 1) << "it may have been sent";
  EXPECT_EQ(usage("global_rate").used, 1);
  service.clock()->thaw();
  EXPECT_TRUE(retrieve());
  EXPECT_EQ(service.requests().list().back().time, start + 1s);
}

}  // namespace
}  // namespace tally::test
