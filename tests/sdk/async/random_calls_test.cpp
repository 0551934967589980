// Random mixes of calls, faults and cancellations: exactly one completion each, nothing left, and the ledger
// of the service agrees with what each call was told. The same seed gives the same run.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::randomCallsTest {
namespace {

using namespace std::chrono_literals;
using fake::Fault;

constexpr std::chrono::sys_seconds failedAt{1'750'000'000s};
constexpr const char* numberHeader = "Test-Number";

/// Numbers that follow from a seed alone, on every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % bound);
  }
  bool oneIn(std::size_t count) { return below(count) == 0; }

 private:
  std::uint64_t state_;
};

/// What a call was told.
struct Told {
  int completions = 0;
  bool changes = false;
  bool success = false;
  Effect effect = Effect::none;
  std::string text{};
};

class RandomRun {
 public:
  RandomRun(std::uint64_t seed, std::size_t callers) : dice_(seed), service_({.seed = seed}), told_(callers) {
    for (int i = 0; i < 8; ++i)
      records_.push_back(service_.insert<PaymentRecord>(account_.sandboxKey).id.str());
    injectFaults();
  }

  void run() {
    ClientOptions options = service_.clientOptions(account_.sandboxKey);
    options.maxNetworkRetries = static_cast<int>(dice_.below(4));
    options.retryRateLimited = dice_.oneIn(2);
    options.mutationQueue.enabled = !dice_.oneIn(4);
    if (dice_.oneIn(2)) {
      pacer_ = std::make_shared<Pacer>();
      options.pacer = pacer_;
    }
    Client client{options};
    AsyncClient async{client, {.maxInFlight = 1 + dice_.below(30)}};
    for (std::size_t i = 0; i < told_.size(); ++i)
      start(async, i);
    const bool closes = dice_.oneIn(4);
    if (closes) {
      (void)async.close(std::chrono::milliseconds{dice_.below(500)});
    } else {
      async.run();
    }
    leftOver_ = async.counts().inFlight + async.counts().waiting + client.mutations().inProgress +
                client.mutations().waiting;
    if (pacer_) leftOver_ += pacer_->counts().inFlight + pacer_->counts().waiting;
  }

  [[nodiscard]] const std::vector<Told>& told() const { return told_; }
  [[nodiscard]] std::size_t leftOver() const { return leftOver_; }

  /// How often each change was made.
  [[nodiscard]] std::vector<int> made() const {
    std::vector<int> all(told_.size());
    for (const auto& request : service_.requests().list())
      if (request.processed)
        if (const std::string* number = numberOf(request)) ++all[std::stoul(*number)];
    return all;
  }

  /// All that was sent, received and told, in order.
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    for (const auto& request : service_.requests().list()) {
      out << request << ' ' << request.requestId << ' ' << request.respondedAt.time_since_epoch().count()
          << '\n'
          << request.request.body << '\n';
      for (const Header& header : request.request.headers)
        out << header.name << ": " << header.value << '\n';
    }
    return out.str() + order_.str();
  }

 private:
  static const std::string* numberOf(const fake::LoggedRequest& request) {
    for (const Header& header : request.request.headers)
      if (header.name == numberHeader) return &header.value;
    return nullptr;
  }

  void injectFaults() {
    constexpr Fault faults[] = {Fault::connectionRefused, Fault::reset,       Fault::responseLost,
                                Fault::truncatedBody,     Fault::garbledBody, Fault::errorAfterProcessing};
    for (std::size_t n = dice_.below(20); n > 0; --n) {
      fake::FaultRule rule{.times = 1 + static_cast<int>(dice_.below(3))};
      if (dice_.oneIn(3)) {
        rule.error = dice_.oneIn(2) ? "lock_timeout" : "api_error";
      } else if (dice_.oneIn(3)) {
        rule.error = "rate_limit";
      } else if (!dice_.oneIn(4)) {
        rule.fault = faults[dice_.below(std::size(faults))];
      }
      if (dice_.oneIn(3)) rule.latency = std::chrono::milliseconds{dice_.below(4'000)};
      service_.faults().inject(std::move(rule));
    }
    if (dice_.oneIn(3)) service_.limits().set({.limit = "global_rate", .value = 5});
    if (dice_.oneIn(3)) service_.limits().set({.limit = "global_concurrency", .value = 2});
  }

  void start(AsyncClient& async, std::size_t i) {
    if (dice_.oneIn(2)) {
      spawn(called(async, i, std::chrono::milliseconds{dice_.below(3'000)}));
      return;
    }
    spawn(called(async, i, 0ms));
  }

  Task<> called(AsyncClient& async, std::size_t i, std::chrono::milliseconds pause) {
    Told& told = told_[i];
    std::stop_source stop;
    if (dice_.oneIn(4))
      async.sleepFor(std::chrono::milliseconds{dice_.below(4'000)}).then([stop](const Result<void>&) mutable {
        stop.request_stop();
      });
    const Header number{numberHeader, std::to_string(i)};
    const auto token = stop.get_token();
    RequestOptions options{.stop = token, .headers = {number}};
    if (dice_.oneIn(4)) options.totalTimeout = std::chrono::milliseconds{1 + dice_.below(3'000)};
    if (dice_.oneIn(4)) options.timeout = std::chrono::milliseconds{1 + dice_.below(3'000)};
    const auto kind = dice_.below(3);
    const std::string& record = records_[dice_.below(records_.size())];
    if (pause > 0ms) (void)co_await async.sleepFor(pause);
    told.changes = kind != 0;
    if (kind == 0) {
      auto call = async.paymentRecords().retrieve(record, options);
      const auto result = co_await call;
      tell(i, result);
    } else if (kind == 1) {
      auto call = async.paymentRecords().reportFailed(record, {.failedAt = failedAt}, options);
      const auto result = co_await call;
      tell(i, result);
    } else {
      auto call = async.paymentIntents().create({.amount = 1, .currency = "usd"}, options);
      const auto result = co_await call;
      tell(i, result);
    }
  }

  template <class T>
  void tell(std::size_t i, const Result<T>& result) {
    Told& told = told_[i];
    ++told.completions;
    told.success = result.has_value();
    if (!result) {
      told.effect = result.error().effect();
      told.text = result.error().toString();
    }
    order_ << i << ' ' << service_.clock()->now().time_since_epoch().count() << ' ' << told.text << '\n';
  }

  Dice dice_;
  fake::Service service_;
  fake::Account account_ = service_.addAccount();
  std::shared_ptr<Pacer> pacer_{};
  std::vector<std::string> records_{};
  std::vector<Told> told_;
  std::size_t leftOver_ = 0;
  std::ostringstream order_{};
};

RC_GTEST_PROP(RandomCalls, CompleteExactlyOnceWithTheirTrueEffects, ()) {
  RandomRun run{*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::size_t>(1, 80)};
  run.run();
  const auto made = run.made();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Told& told = run.told()[i];
    RC_ASSERT(told.completions == 1);
    if (!told.changes) continue;
    RC_LOG() << told.text << '\n';
    RC_ASSERT(made[i] <= 1);
    if (told.success) RC_ASSERT(made[i] == 1);
    if (!told.success && told.effect == Effect::none) RC_ASSERT(made[i] == 0);
  }
  RC_ASSERT(run.leftOver() == 0U);
}

RC_GTEST_PROP(RandomCalls, AreReproducibleFromTheSeed, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto callers = *rc::gen::inRange<std::size_t>(1, 80);
  RandomRun first{seed, callers};
  RandomRun second{seed, callers};
  first.run();
  second.run();
  RC_ASSERT(first.text() == second.text());
}

TEST(RandomCallers, AreReproducibleWhenTenThousandShareAThread) {
  std::string texts[2];
  for (std::string& text : texts) {
    RandomRun run{42, 10'000};
    run.run();
    text = run.text();
  }
  EXPECT_TRUE(texts[0] == texts[1]);
  EXPECT_GT(texts[0].size(), 1'000'000U);
}

// ---------------------------------------------------------------------------------------------------------

struct Together {
  std::size_t calls = 0;
  std::size_t maxInFlight = 0;
  std::optional<std::int64_t> perSecond{};
};

/// The virtual time that equal requests of 50 ms take: started together, or, with `threads`, each by a
/// blocking call in a thread of its own.
std::chrono::nanoseconds timeOf(const Together& load, bool threads = false) {
  fake::Service service{{.limits = false}};
  const auto account = service.addAccount();
  const auto id = service.insert<PaymentRecord>(account.sandboxKey).id;
  ClientOptions options = service.clientOptions(account.sandboxKey);
  if (load.perSecond)
    options.pacer = std::make_shared<Pacer>(
        PacerOptions{.limits = {{.limit = "global_rate", .value = load.perSecond},
                                {.limit = "endpoint_rate", .value = std::nullopt},
                                {.limit = "global_concurrency", .value = std::nullopt},
                                {.limit = "endpoint_concurrency", .value = std::nullopt}}});
  const Client client{options};
  std::atomic<std::size_t> succeeded = 0;
  const Instant start = service.clock()->now();
  if (threads) {
    service.clock()->runThreads(
        load.calls, [&](std::size_t) { succeeded += client.paymentRecords().retrieve(id) ? 1U : 0U; });
  } else {
    AsyncClient async{client, {.maxInFlight = load.maxInFlight}};
    for (std::size_t i = 0; i < load.calls; ++i)
      async.paymentRecords().retrieve(id).then(
          [&](const Result<PaymentRecord>& result) { succeeded += result ? 1U : 0U; });
    async.run();
  }
  EXPECT_EQ(succeeded, load.calls);
  return service.clock()->now() - start;
}

TEST(ConcurrentCalls, TakeTheShortestPossibleTime) {
  EXPECT_EQ(timeOf({.calls = 1, .maxInFlight = 1}), 50ms);
  EXPECT_EQ(timeOf({.calls = 200, .maxInFlight = 200}), 50ms);
  EXPECT_EQ(timeOf({.calls = 200, .maxInFlight = 8}), 25 * 50ms);
  EXPECT_EQ(timeOf({.calls = 201, .maxInFlight = 8}), 26 * 50ms);
}

TEST(ConcurrentCalls, TakeAsLongAsBlockingCallsInThreads) {
  for (const std::size_t calls : {1U, 9U, 10U, 11U, 45U}) {
    const Together paced{.calls = calls, .maxInFlight = 100, .perSecond = 10};
    EXPECT_EQ(timeOf(paced), timeOf(paced, true)) << calls;
  }
}

}  // namespace
}  // namespace tally::randomCallsTest
