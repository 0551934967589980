// Exceptions from a transport, a clock or an allocation pass through a call without leaving anything behind,
// for every kind of call and every place.

#include <algorithm>
#include <atomic>
#include <functional>
#include <new>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tally/metrics_observer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "call/mutation_queues.h"
#include "call/read_counter.h"
#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"
#include "support/failing_allocations.h"

namespace tally::exceptionsTest {
namespace {

using namespace std::chrono_literals;
using test::FailingAllocations;
using test::Ids;

constexpr std::chrono::sys_seconds reportTime{1s};

/// The exception that tests throw.
struct Mishap : std::runtime_error {
  Mishap() : std::runtime_error("a mishap") {}
};

template <class Thrown, class Code>
bool throws(const Code& code) {
  try {
    code();
  } catch (const Thrown&) {
    return true;
  }
  return false;
}

/// Throws at the n-th pass.
class Fuse {
 public:
  void burnAt(std::size_t n) { left_ = n; }
  [[nodiscard]] bool burnt() const { return burnt_; }

  void pass() {
    if (left_ == 0) return;
    if (--left_ > 0) return;
    burnt_ = true;
    throw Mishap{};
  }

 private:
  std::size_t left_ = 0;
  bool burnt_ = false;
};

/// A clock that skips waits and throws when its fuse burns.
class FusedClock final : public Clock {
 public:
  explicit FusedClock(Fuse& fuse) : fuse_(fuse) {}

  [[nodiscard]] Instant now() const override {
    fuse_.pass();
    return now_;
  }
  bool sleepUntil(Instant time, std::stop_token) override {
    fuse_.pass();
    now_ = std::max(now_, time);
    return true;
  }
  bool waitUntil(Instant time, std::stop_token) override { return time <= now_; }

 private:
  Fuse& fuse_;
  Instant now_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
};

/// A record without reports.
std::string unreportedJson() {
  std::string json = test::recordJson("pr_1");
  const std::string failed = R"("amount_failed":{"currency":"usd","value":)";
  return json.replace(json.find(failed) + failed.size(), 4, "0");
}

/// A page of three of nine records: pr_9, pr_8 and so on. The last digit in a URL's cursor is that of the
/// previous record.
std::string pageAt(const std::string& url) {
  const bool searches = url.find("search") != std::string::npos;
  const bool goesOn = url.find(searches ? "&page=" : "&starting_after=") != std::string::npos;
  const int first = goesOn ? url.back() - '1' : 9;
  Ids ids;
  for (int number = first; number > first - 3; --number)
    ids.push_back("pr_that_is_no_short_text_" + std::to_string(number));
  const bool hasMore = first > 3;
  const std::string next = R"(,"next_page":"c_)" + std::to_string(first - 2) + '"';
  return test::pageJson(ids, hasMore, searches && hasMore ? next : "");
}

/// Responds to each call like the service; if `locked`, first with a lock timeout.
class FusedTransport final : public Transport {
 public:
  explicit FusedTransport(Fuse& fuse) : fuse_(fuse) {}

  TransportResult send(const HttpRequest& request, const SendLimits&) override {
    ++begun;
    fuse_.pass();
    auto response = respond(request);
    ++responded;
    return response;
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  std::size_t begun = 0;
  std::size_t responded = 0;
  bool locked = false;

 private:
  HttpResponse respond(const HttpRequest& request) {
    HttpResponse response = responseTo(request);
    response.headers.push_back({"Request-Id", "req_1234567890123456789012345"});
    locked = false;
    return response;
  }
  [[nodiscard]] HttpResponse responseTo(const HttpRequest& request) const {
    if (locked) return test::lockTimeout();
    if (request.method == Method::post) return test::ok(test::recordJson("pr_1"));
    if (request.url.find("/pr_1") != std::string::npos) return test::ok(unreportedJson());
    return test::ok(pageAt(request.url));
  }

  Fuse& fuse_;
};

/// Tracks events without allocating.
class Accounts final : public Observer {
 public:
  void on(const Event& event) noexcept override {
    if (event.kind == EventKind::attemptStarted) ++inFlight;
    if (event.kind == EventKind::attemptEnded) --inFlight;
    isOpen = event.kind != EventKind::callEnded;
    if (isOpen) return;
    ++ended;
    lastKind = event.error == nullptr ? std::nullopt : std::optional{event.error->kind()};
    lastEffect = event.error == nullptr ? std::nullopt : std::optional{event.error->effect()};
  }

  int inFlight = 0;
  int ended = 0;
  bool isOpen = false;
  std::optional<ErrorKind> lastKind{};
  std::optional<Effect> lastEffect{};
};

/// A client in which everything can fail.
struct World {
  Fuse clockFuse{};
  Fuse transportFuse{};
  std::shared_ptr<FusedTransport> transport = std::make_shared<FusedTransport>(transportFuse);
  std::shared_ptr<Accounts> accounts = std::make_shared<Accounts>();
  std::vector<Attempt> attempts{};
  Client client{{.apiKey = "sk_test_a_key_that_is_no_short_text",
                 .baseUrl = "https://service.test",
                 .maxNetworkRetries = 2,
                 .headers = {{"X-Own", "a header that is no short text"}},
                 .transport = transport,
                 .clock = std::make_shared<FusedClock>(clockFuse),
                 .observer = accounts,
                 .jitterSeed = 7}};

  [[nodiscard]] PaymentRecords records() const { return client.paymentRecords(); }
  [[nodiscard]] RequestOptions options() { return {.totalTimeout = 60s, .attempts = &attempts}; }
};

const PaymentRecordReportFailedParams failedReport{
    .failedAt = reportTime, .metadata = {{"a key that is no short text", "a value that is no short text"}}};

struct Kind {
  std::string name{};
  std::function<void(World&)> call{};
};

/// Each kind of call. Results are ignored: the exception decides.
const Kind kinds[] = {
    {"retrieve", [](World& w) { (void)w.records().retrieve("pr_1", w.options()); }},
    {"retrieveLocked",
     [](World& w) {
       w.transport->locked = true;
       (void)w.records().retrieve("pr_1", w.options());
     }},
    {"report", [](World& w) { (void)w.records().reportFailed("pr_1", failedReport, w.options()); }},
    {"reportLocked",
     [](World& w) {
       w.transport->locked = true;
       (void)w.records().reportFailed("pr_1", failedReport, w.options());
     }},
    {"reportRefused", [](World& w) { (void)w.records().reportFailed("", failedReport, w.options()); }},
    {"checkReport", [](World& w) { (void)w.records().checkReport("pr_1", failedReport, {}, w.options()); }},
    {"resolveReport",
     [](World& w) { (void)w.records().resolveReport("pr_1", failedReport, {}, w.options()); }},
    {"list",
     [](World& w) {
       for (const auto& each : w.records().list({.limit = 3}, w.options()))
         (void)each;
     }},
    {"listReadingAhead",
     [](World& w) {
       for (const auto& each : w.records().list({.limit = 3}, w.options()).prefetch())
         (void)each;
     }},
    {"search",
     [](World& w) {
       for (const auto& each : w.records().search({.query = "created>0", .limit = 3}, w.options()))
         (void)each;
     }},
    {"pages",
     [](World& w) {
       for (const auto& each : w.records().list({.limit = 3}, w.options()).pages())
         (void)each;
     }},
    {"collect", [](World& w) { (void)w.records().list({.limit = 3}, w.options()).collect(8); }},
};

/// Expects that the call left nothing behind and that the next one succeeds.
void expectNothingLeft(World& w) {
  EXPECT_EQ(w.accounts->inFlight, 0);
  EXPECT_FALSE(w.accounts->isOpen);
  EXPECT_EQ(w.client.mutations().inProgress, 0U);
  EXPECT_EQ(w.client.mutations().waiting, 0U);
  EXPECT_TRUE(w.records().reportFailed("pr_1", failedReport));
  EXPECT_TRUE(w.records().retrieve("pr_1"));
  EXPECT_EQ(w.accounts->inFlight, 0);
}

/// Expects that exactly the reads sent are counted. Call it before any other request.
void expectReadsCounted(const World& w, const std::string& kind) {
  if (kind.starts_with("report") || kind == "resolveReport") return;
  EXPECT_LE(w.client.readsUsed().own, static_cast<std::int64_t>(w.transport->begun));
  EXPECT_GE(w.client.readsUsed().own,
            static_cast<std::int64_t>(w.transport->responded) - (kind.ends_with("Locked") ? 1 : 0));
}

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

/// Repeats the call with a failure at each place in turn. `arm` makes the call with the n-th failure, and
/// returns whether it occurred.
template <class Arm>
void tryEachPlace(const Kind& kind, const Arm& arm) {
  constexpr std::size_t most = 10'000;
  for (std::size_t n = 1;; ++n) {
    ASSERT_LT(n, most) << kind.name;
    World w;
    if (!arm(w, kind, n)) break;
    SCOPED_TRACE(kind.name + ", place " + std::to_string(n));
    expectReadsCounted(w, kind.name);
    expectNothingLeft(w);
    if (testing::Test::HasFailure()) return;
  }
}

class Exceptions : public testing::TestWithParam<Kind> {};

TEST_P(Exceptions, LeaveNothingInProgressWhenMemoryRunsOut) {
  tryEachPlace(GetParam(), [](World& w, const Kind& kind, std::size_t n) {
    const FailingAllocations fail{n};
    (void)throws<std::bad_alloc>([&] { kind.call(w); });
    return fail.failed();
  });
}

TEST_P(Exceptions, LeaveNothingInProgressWhenTheTransportThrows) {
  tryEachPlace(GetParam(), [](World& w, const Kind& kind, std::size_t n) {
    w.transportFuse.burnAt(n);
    const bool threw = throws<Mishap>([&] { kind.call(w); });
    EXPECT_TRUE(threw || !w.transportFuse.burnt() || kind.name == "listReadingAhead")
        << "the exception propagates";
    EXPECT_TRUE(!threw || w.accounts->lastKind == ErrorKind::exception);
    return w.transportFuse.burnt();
  });
}

TEST_P(Exceptions, LeaveNothingInProgressWhenTheClockThrows) {
  tryEachPlace(GetParam(), [](World& w, const Kind& kind, std::size_t n) {
    w.clockFuse.burnAt(n);
    const bool threw = throws<Mishap>([&] { kind.call(w); });
    EXPECT_TRUE(threw || !w.clockFuse.burnt() || kind.name == "listReadingAhead")
        << "the exception propagates";
    return w.clockFuse.burnt();
  });
}

INSTANTIATE_TEST_SUITE_P(Of, Exceptions, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind>& info) { return info.param.name; });

TEST(CallThatThrows, ReportsItsEffectToObservers) {
  World w;
  w.transportFuse.burnAt(1);
  EXPECT_THROW((void)w.records().reportFailed("pr_1", failedReport), Mishap);
  EXPECT_EQ(w.accounts->lastEffect, Effect::unknown);
  w.transportFuse.burnAt(1);
  EXPECT_THROW((void)w.records().retrieve("pr_1"), Mishap);
  EXPECT_EQ(w.accounts->lastEffect, Effect::none);
  EXPECT_EQ(w.accounts->ended, 2);
  EXPECT_EQ(w.client.readsUsed().own, 1) << "the service may have counted it";
}

TEST(CallThatThrows, ReportsNoEffectAfterALockTimeout) {
  World w;
  w.clockFuse.burnAt(3);  // the end of the wait before the retry
  w.transport->locked = true;
  EXPECT_THROW((void)w.records().reportFailed("pr_1", failedReport), Mishap);
  EXPECT_EQ(w.transport->begun, 1U);
  EXPECT_EQ(w.accounts->lastKind, ErrorKind::exception);
  EXPECT_EQ(w.accounts->lastEffect, Effect::none);
}

TEST(CallThatThrows, ResetsTheMetricOfAttemptsInFlight) {
  World w;
  const auto counters = std::make_shared<MetricsObserver>();
  const Client client{{.apiKey = "sk_test_1",
                       .baseUrl = "https://service.test",
                       .transport = w.transport,
                       .observer = counters}};
  w.transportFuse.burnAt(1);
  EXPECT_THROW((void)client.paymentRecords().reportFailed("pr_1", failedReport), Mishap);
  const std::string text = counters->prometheusText();
  EXPECT_THAT(text,
              testing::HasSubstr(R"(tally_attempts_in_flight{operation="payment_records.report_failed"} 0)"));
  EXPECT_THAT(text, testing::HasSubstr(R"(kind="exception",effect="unknown"} 1)"));
}

TEST(CallThatThrows, ReturnsTheTokenOfARetryThatIsNotSent) {
  const auto clock = std::make_shared<test::TestClock>();
  const auto transport = std::make_shared<test::CannedTransport>();
  const Client client{{.apiKey = "sk_test_1",
                       .baseUrl = "https://service.test",
                       .maxNetworkRetries = 1,
                       .retryBudget = {.maxTokens = 1, .tokensPerSuccess = 0},
                       .transport = transport,
                       .clock = clock}};
  transport->responses = {test::refused(500, "a"), test::refused(500, "b"),
                          test::ok(test::recordJson("pr_1"))};
  clock->onSleep = [] { throw Mishap{}; };
  EXPECT_THROW((void)client.paymentRecords().retrieve("pr_1"), Mishap);
  clock->onSleep = {};
  EXPECT_TRUE(client.paymentRecords().retrieve("pr_1")) << "there is a token for its retry";
}

/// Blocks the first request until the test releases it, then throws.
class GatedMishap final : public Transport {
 public:
  TransportResult send(const HttpRequest&, const SendLimits&) override {
    if (!isFirst_.exchange(false)) return test::ok(test::recordJson("pr_1"));
    begun = true;
    begun.notify_all();
    mayThrow.wait(false);
    throw Mishap{};
  }

  std::atomic<bool> begun = false;
  std::atomic<bool> mayThrow = false;

 private:
  std::atomic<bool> isFirst_ = true;
};

TEST(CallThatThrows, PassesItsTurnToTheNextCall) {
  const auto transport = std::make_shared<GatedMishap>();
  const Client client{{.apiKey = "sk_test_1", .baseUrl = "https://service.test", .transport = transport}};
  std::jthread first{
      [&] { EXPECT_THROW((void)client.paymentRecords().reportFailed("pr_1", failedReport), Mishap); }};
  transport->begun.wait(false);
  std::jthread second{[&] { EXPECT_TRUE(client.paymentRecords().reportFailed("pr_1", failedReport)); }};
  while (client.mutations().waiting != 1)
    std::this_thread::yield();
  transport->mayThrow = true;
  transport->mayThrow.notify_all();
  first.join();
  second.join();
  EXPECT_EQ(client.mutations().inProgress, 0U);
}

TEST(CallThatThrows, LeavesTheMutationQueueUnchangedIfItCannotBeAdded) {
  for (const bool behindAnother : {false, true}) {
    for (std::size_t n = 1;; ++n) {
      detail::MutationQueues queues{5};
      const std::string object = "pr_an_identifier_that_is_no_short_text";
      std::optional<detail::MutationQueues::Place> first;
      if (behindAnother) first.emplace(queues, object);
      {
        const FailingAllocations fail{n};
        (void)throws<std::bad_alloc>([&] { const detail::MutationQueues::Place place{queues, object}; });
        if (!fail.failed()) break;
      }
      EXPECT_EQ(queues.counts().inProgress, behindAnother ? 1U : 0U);
      EXPECT_EQ(queues.counts().waiting, 0U);
      std::optional<detail::MutationQueues::Place> next{std::in_place, queues, object};
      EXPECT_EQ(next->first(), !behindAnother);
      first.reset();
      EXPECT_TRUE(next->first());
      next.reset();
      EXPECT_EQ(queues.counts().inProgress, 0U);
    }
  }
}

TEST(ReadCounterAllocations, MayFailWithoutLosingACount) {
  const Instant begin{1'000'000s};
  detail::ReadCounter counter{{}, begin};
  constexpr int times = 200;
  for (int i = 0; i < times; ++i) {
    const FailingAllocations fail{1};
    counter.add(detail::ReadCounter::Payer::own, begin + std::chrono::seconds{i});
  }
  EXPECT_EQ(counter.used(begin + std::chrono::seconds{times}).own, times);
  EXPECT_EQ(counter.used(begin + limits::readAllocation.window).own, times) << "not too early";
  EXPECT_EQ(counter.used(begin + limits::readAllocation.window + std::chrono::seconds{times}).own, 0);
}

/// Iterates to the end, and passes each object to `take`.
template <class Range, class Take>
void walkOn(Range& range, const Take& take) {
  for (auto& each : range) {
    ASSERT_TRUE(each) << each.error();
    take(each.assume_value());
  }
}

/// The last digits of the record identifiers. Short enough to need no allocation.
constexpr std::string_view nine = "987654321";

char digitOf(const PaymentRecord& record) {
  return record.id.str().back();
}

/// Iterates with the n-th allocation failing, for each n, and resumes after the exception.
void walkWithEachFailure(const std::function<Pager<PaymentRecord>(World&)>& begin,
                         const std::function<void(Pager<PaymentRecord>&, std::string&)>& walk) {
  for (std::size_t n = 1;; ++n) {
    World w;
    std::string seen;
    seen.reserve(2 * nine.size());
    auto pager = begin(w);
    bool failed = false;
    {
      const FailingAllocations fail{n};
      (void)throws<std::bad_alloc>([&] { walk(pager, seen); });
      failed = fail.failed();
    }
    SCOPED_TRACE("allocation " + std::to_string(n));
    walk(pager, seen);
    // Only the current object of the aborted loop is repeated.
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    EXPECT_EQ(seen, nine);
    if (!failed || testing::Test::HasFailure()) return;
  }
}

Pager<PaymentRecord> listOf(World& w) {
  return w.records().list({.limit = 3}, w.options());
}
Pager<PaymentRecord> listAheadOf(World& w) {
  return listOf(w).prefetch();
}
Pager<PaymentRecord> searchOf(World& w) {
  return w.records().search({.query = "created>0", .limit = 3}, w.options());
}

void loop(Pager<PaymentRecord>& pager, std::string& seen) {
  walkOn(pager, [&](const PaymentRecord& record) { seen += digitOf(record); });
}

void collectByFour(Pager<PaymentRecord>& pager, std::string& seen) {
  while (true) {
    auto some = pager.collect(4);
    ASSERT_TRUE(some) << some.error();
    if (some.value().empty()) return;
    for (const PaymentRecord& record : some.value())
      seen += digitOf(record);
  }
}

TEST(WalkExceptions, LoseNoObjectWhenMemoryRunsOut) {
  for (auto* begin : {&listOf, &listAheadOf, &searchOf})
    walkWithEachFailure(begin, loop);
}

TEST(WalkExceptions, LoseNoCollectedObjectWhenMemoryRunsOut) {
  for (auto* begin : {&listOf, &searchOf})
    walkWithEachFailure(begin, collectByFour);
}

TEST(WalkExceptions, LoseNoPageWhenMemoryRunsOut) {
  for (std::size_t n = 1;; ++n) {
    World w;
    std::string seen;
    seen.reserve(2 * nine.size());
    auto pages = searchOf(w).pages();
    const auto take = [&](const Page<PaymentRecord>& page) {
      std::string some;
      for (const PaymentRecord& record : page.data)
        some += digitOf(record);
      seen += some;
    };
    bool failed = false;
    {
      const FailingAllocations fail{n};
      (void)throws<std::bad_alloc>([&] { walkOn(pages, take); });
      failed = fail.failed();
    }
    walkOn(pages, take);
    EXPECT_EQ(seen, nine) << "allocation " << n;
    if (!failed || HasFailure()) return;
  }
}

TEST(WalkExceptions, LoseNoObjectWhenTheTransportOrTheClockThrows) {
  for (std::size_t n = 1; n <= 12; ++n) {
    World w;
    std::string seen;
    auto pager = searchOf(w);
    w.transportFuse.burnAt(n);
    w.clockFuse.burnAt(2 * n);
    while (throws<Mishap>([&] { loop(pager, seen); })) {
    }
    EXPECT_EQ(seen, nine) << n;
  }
}

}  // namespace
}  // namespace tally::exceptionsTest
