// An asynchronous call ends once, leaves nothing behind and loses no object of a list, wherever a transport,
// a clock or an allocation throws, or a stop is requested.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/observer.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/held_requests.h"
#include "sdk/support/page_walks.h"
#include "support/failing_allocations.h"

namespace tally::asyncExceptionsTest {
namespace {

using namespace std::chrono_literals;
using test::FailingAllocations;
using test::Ids;

constexpr std::size_t numberOfRecords = 9;

/// The exception that tests throw.
struct Mishap : std::runtime_error {
  Mishap() : std::runtime_error("a mishap") {}
};

/// Throws at the n-th pass, or requests a stop.
class Fuse {
 public:
  void burnAt(std::size_t n) { left_ = n; }
  void stopAt(std::size_t n, std::stop_source& stop) {
    left_ = n;
    stop_ = &stop;
  }
  [[nodiscard]] bool burnt() const { return burnt_; }

  void pass() {
    if (left_ == 0) return;
    if (--left_ > 0) return;
    burnt_ = true;
    if (stop_ == nullptr) throw Mishap{};
    stop_->request_stop();
  }

 private:
  std::size_t left_ = 0;
  bool burnt_ = false;
  std::stop_source* stop_ = nullptr;
};

class FusedClock final : public Clock {
 public:
  explicit FusedClock(Fuse& fuse) : fuse_(fuse) {}

  [[nodiscard]] Instant now() const override {
    fuse_.pass();
    return now_;
  }
  bool sleepUntil(Instant time, StopToken) override {
    fuse_.pass();
    now_ = std::max(now_, time);
    return true;
  }
  bool waitUntil(Instant time, StopToken) override { return time <= now_; }

 private:
  Fuse& fuse_;
  Instant now_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
};

std::string idOf(int number) {
  return "pr_that_is_no_short_text_" + std::to_string(number);
}

/// A page of three of nine records: pr_9, pr_8 and so on.
std::string pageAt(const std::string& url) {
  const int first = url.find("starting_after=") != std::string::npos ? url.back() - '1' : numberOfRecords;
  Ids ids;
  for (int number = first; number > first - 3 && number > 0; --number)
    ids.push_back(idOf(number));
  return test::pageJson(ids, first > 3);
}

class FusedTransport final : public Transport {
 public:
  explicit FusedTransport(Fuse& fuse) : fuse_(fuse) {}

  TransportResult send(const HttpRequest& request, const SendLimits&) override {
    fuse_.pass();
    if (std::exchange(locked, false)) return test::lockTimeout();
    HttpResponse response = responseTo(request);
    if (request.method == Method::post) ++applied;
    return response;
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  std::size_t applied = 0;
  bool locked = false;

 private:
  static HttpResponse responseTo(const HttpRequest& request) {
    if (request.method == Method::post) return test::ok(test::recordJson("pr_1"));
    if (request.url.find("/pr_1") != std::string::npos) return test::ok(unreportedJson());
    return test::ok(pageAt(request.url));
  }
  static std::string unreportedJson() {
    std::string json = test::recordJson("pr_1");
    const std::string failed = R"("amount_failed":{"currency":"usd","value":)";
    return json.replace(json.find(failed) + failed.size(), 4, "0");
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
  }

  int inFlight = 0;
  bool isOpen = false;
};

/// A client in which everything can fail.
struct World {
  Fuse clockFuse{};
  Fuse transportFuse{};
  std::shared_ptr<FusedTransport> transport = std::make_shared<FusedTransport>(transportFuse);
  std::shared_ptr<Accounts> accounts = std::make_shared<Accounts>();
  std::vector<Attempt> attempts{};
  std::stop_source stop{};
  std::shared_ptr<Pacer> pacer = std::make_shared<Pacer>();
  Client client{{.apiKey = "sk_test_a_key_that_is_no_short_text",
                 .baseUrl = "https://service.test",
                 .maxNetworkRetries = 2,
                 .pacer = pacer,
                 .headers = {{"X-Own", "a header that is no short text"}},
                 .transport = transport,
                 .clock = std::make_shared<FusedClock>(clockFuse),
                 .observer = accounts,
                 .jitterSeed = 7}};
  AsyncClient async{client};
  std::optional<AsyncPager<PaymentRecord>> pager{};
  std::vector<PaymentRecord> found{};
  int started = 0;
  int ended = 0;
  std::optional<Error> error{};

  World() { found.reserve(2 * numberOfRecords); }

  template <class T>
  void start(Call<T> call) {
    call.then([this](const Result<T>& result) {
      ++ended;
      if (result.has_error()) error = result.error();
    });
    ++started;
  }
  void run(const std::function<void(World&)>& call) {
    try {
      call(*this);
      async.run();
    } catch (const std::bad_alloc&) {
      async.run();
    } catch (const Mishap&) {
      async.run();
    }
  }
};

const PaymentRecordReportFailedParams failedReport{
    .failedAt = std::chrono::sys_seconds{1s},
    .metadata = {{"a key that is no short text", "a value that is no short text"}}};

RequestOptions optionsOf(World& w) {
  return {.totalTimeout = 60s, .stop = w.stop.get_token(), .attempts = &w.attempts};
}

struct Kind {
  std::string name{};
  std::function<void(World&)> call{};
};

void report(World& w) {
  const RequestOptions options = optionsOf(w);
  w.start(w.async.paymentRecords().reportFailed("pr_1", failedReport, options));
}

/// Each kind of call.
const Kind kinds[] = {
    {"retrieve",
     [](World& w) {
       const RequestOptions options = optionsOf(w);
       w.start(w.async.paymentRecords().retrieve("pr_1", options));
     }},
    {"report", report},
    {"reportLocked",
     [](World& w) {
       w.transport->locked = true;
       report(w);
     }},
    {"checkReport",
     [](World& w) {
       const RequestOptions options = optionsOf(w);
       w.start(w.async.paymentRecords().checkReport("pr_1", failedReport, {}, options));
     }},
    {"resolveReport",
     [](World& w) {
       const RequestOptions options = optionsOf(w);
       w.start(w.async.paymentRecords().resolveReport("pr_1", failedReport, {}, options));
     }},
    {"raw",
     [](World& w) {
       const RawRequest request{.method = Method::post, .path = "/v1/payment_records/pr_1/anything"};
       const RequestOptions options = optionsOf(w);
       w.start(w.async.send(request, options));
     }},
    {"sleep", [](World& w) { w.start(w.async.sleepFor(1s)); }},
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

void expectNothingLeft(World& w) {
  EXPECT_EQ(w.ended, w.started);
  EXPECT_EQ(w.accounts->inFlight, 0);
  EXPECT_FALSE(w.accounts->isOpen);
  EXPECT_EQ(w.client.mutations().inProgress, 0U);
  EXPECT_EQ(w.pacer->counts().inFlight, 0U);
  EXPECT_EQ(w.pacer->counts().waiting, 0U);
  EXPECT_EQ(w.async.counts().inFlight, 0U);
  EXPECT_EQ(w.async.counts().waiting, 0U);
  w.error.reset();
  report(w);
  w.async.run();
  EXPECT_EQ(w.ended, w.started);
  EXPECT_FALSE(w.error);
}

void expectTruth(const World& w, const Kind& kind) {
  if (!w.error || w.transport->applied == 0 || kind.name == "raw") return;
  EXPECT_EQ(w.error->effect(), Effect::unknown) << *w.error;
}

template <class Arm>
void tryEachPlace(const Kind& kind, const Arm& arm) {
  constexpr std::size_t most = 10'000;
  for (std::size_t n = 1;; ++n) {
    ASSERT_LT(n, most) << kind.name;
    World w;
    if (!arm(w, kind, n)) break;
    SCOPED_TRACE(kind.name + ", place " + std::to_string(n));
    expectTruth(w, kind);
    expectNothingLeft(w);
    if (testing::Test::HasFailure()) return;
  }
}

bool failAllocation(World& w, const Kind& kind, std::size_t n) {
  const FailingAllocations fail{n};
  w.run(kind.call);
  return fail.failed();
}

bool breakTransport(World& w, const Kind& kind, std::size_t n) {
  w.transportFuse.burnAt(n);
  w.run(kind.call);
  return w.transportFuse.burnt();
}

bool stopDuringRequest(World& w, const Kind& kind, std::size_t n) {
  w.transportFuse.stopAt(n, w.stop);
  w.run(kind.call);
  w.stop = std::stop_source{};
  return w.transportFuse.burnt();
}

bool stopBetween(World& w, const Kind& kind, std::size_t n) {
  w.clockFuse.stopAt(n, w.stop);
  w.run(kind.call);
  w.stop = std::stop_source{};
  return w.clockFuse.burnt();
}

bool breakClock(World& w, const Kind& kind, std::size_t n) {
  w.clockFuse.burnAt(n);
  w.run(kind.call);
  return w.clockFuse.burnt();
}

class AsyncExceptions : public testing::TestWithParam<Kind> {};

TEST_P(AsyncExceptions, LeaveNothingInProgressWhenMemoryRunsOut) {
  tryEachPlace(GetParam(), failAllocation);
}
TEST_P(AsyncExceptions, LeaveNothingInProgressWhenTheTransportThrows) {
  tryEachPlace(GetParam(), breakTransport);
}
TEST_P(AsyncExceptions, LeaveNothingInProgressWhenTheClockThrows) {
  tryEachPlace(GetParam(), breakClock);
}

TEST_P(AsyncExceptions, LeaveNothingInProgressWhenAStopIsRequestedDuringARequest) {
  tryEachPlace(GetParam(), stopDuringRequest);
}
TEST_P(AsyncExceptions, LeaveNothingInProgressWhenAStopIsRequestedAtAnyTime) {
  tryEachPlace(GetParam(), stopBetween);
}

INSTANTIATE_TEST_SUITE_P(Of, AsyncExceptions, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind>& info) { return info.param.name; });

TEST(AsyncCancellationWithoutMemory, EndsAReportInFlightOnceAndPassesItsTurnOn) {
  bool failed = true;
  for (std::size_t n = 1; failed; ++n) {
    SCOPED_TRACE(n);
    Fuse fuse;
    const auto transport = std::make_shared<test::HeldRequests>();
    std::stop_source stop;
    std::vector<Attempt> attempts;
    std::vector<Error> errors;
    int succeeded = 0;
    AsyncClient async{ClientOptions{.apiKey = "sk_test_1",
                                    .baseUrl = "https://service.test",
                                    .transport = transport,
                                    .clock = std::make_shared<FusedClock>(fuse)}};
    const auto records = async.paymentRecords();
    records.reportFailed("pr_1", failedReport, {.stop = stop.get_token(), .attempts = &attempts})
        .then([&](const Result<PaymentRecord>& result) { errors.push_back(result.error()); });
    records.reportFailed("pr_1", failedReport).then([&](const Result<PaymentRecord>& result) {
      if (result) ++succeeded;
    });
    errors.reserve(2);
    std::optional<FailingAllocations> failing;
    async.sleepFor(10ms).then([&](const Result<void>&) {
      failing.emplace(n);
      stop.request_stop();
    });
    const auto endAt = [&](std::chrono::nanoseconds time, std::size_t number) {
      async.sleepFor(time).then([&, number](const Result<void>&) {
        if (failing) failed = failing->failed();
        failing.reset();
        transport->end(number, test::ok(test::recordJson("pr_1")));
      });
    };
    endAt(20ms, 0);
    endAt(30ms, 1);
    async.run();
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().effect(), Effect::unknown);
    EXPECT_EQ(errors.front().attemptCount(), 1);
    EXPECT_EQ(succeeded, 1);
    EXPECT_EQ(async.counts().waiting, 0U);
    if (HasFailure()) break;
  }
}

AsyncPager<PaymentRecord> list(World& w) {
  return w.async.paymentRecords().list({.limit = 3}, {.stop = w.stop.get_token()});
}

/// Keeps the records of the pages up to the end, or to the first error.
void walkPages(World& w) {
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    w.pager->nextPage().then([&](Result<std::optional<Page<PaymentRecord>>> page) {
      ++w.ended;
      goesOn = page && *page;
      if (goesOn) std::ranges::move(page.value()->data, std::back_inserter(w.found));
    });
    ++w.started;
    w.async.run();
  }
}

void walkEach(World& w) {
  w.pager
      ->forEach([&](PaymentRecord& record) {
        w.found.push_back(std::move(record));
        return true;
      })
      .then([&](const Result<std::size_t>&) { ++w.ended; });
  ++w.started;
}

/// Stops after every second record, and takes the rest of the page.
void walkBoth(World& w) {
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    std::size_t left = 2;
    w.pager
        ->forEach([&](PaymentRecord& record) {
          if (left == 0) return false;
          --left;
          w.found.push_back(std::move(record));
          return true;
        })
        .then([&](const Result<std::size_t>&) { ++w.ended; });
    ++w.started;
    w.async.run();
    w.pager->nextPage().then([&](Result<std::optional<Page<PaymentRecord>>> page) {
      ++w.ended;
      goesOn = page && *page;
      if (goesOn) std::ranges::move(page.value()->data, std::back_inserter(w.found));
    });
    ++w.started;
    w.async.run();
  }
}

template <void (*walk)(World&)>
void byList(World& w) {
  w.pager.emplace(list(w));
  walk(w);
}
template <void (*walk)(World&)>
void byListReadAhead(World& w) {
  w.pager.emplace(list(w).prefetch());
  walk(w);
}

const Kind walks[] = {
    {"pages", byList<walkPages>},  {"pagesReadAhead", byListReadAhead<walkPages>},
    {"forEach", byList<walkEach>}, {"forEachReadingAhead", byListReadAhead<walkEach>},
    {"both", byList<walkBoth>},
};

Ids idsOf(const World& w) {
  Ids ids;
  for (const PaymentRecord& record : w.found)
    ids.push_back(record.id.str());
  return ids;
}

Ids allIds() {
  Ids ids;
  for (int number = numberOfRecords; number > 0; --number)
    ids.push_back(idOf(number));
  return ids;
}

class AsyncWalkWithExceptions : public testing::TestWithParam<Kind> {
 protected:
  template <class Arm>
  static void tryAll(const Arm& arm) {
    tryEachPlace(GetParam(), [&](World& w, const Kind& kind, std::size_t n) {
      const bool failed = arm(w, kind, n);
      if (!w.pager) w.pager.emplace(list(w));
      walkPages(w);  // may end in the error of a page requested in advance
      walkPages(w);
      EXPECT_EQ(idsOf(w), allIds());
      return failed;
    });
  }
  template <class Arm>
  static void tryCheckpoints(const Arm& arm) {
    tryEachPlace(GetParam(), [&](World& w, const Kind& kind, std::size_t n) {
      const bool failed = arm(w, kind, n);
      const std::string checkpoint = w.pager ? w.pager->checkpoint() : "";
      auto next = list(w);
      w.pager.emplace(w.pager ? std::move(next).resumeFrom(checkpoint) : std::move(next));
      walkPages(w);
      EXPECT_EQ(idsOf(w), allIds());
      return failed;
    });
  }
};

TEST_P(AsyncWalkWithExceptions, LosesNoObjectWhenMemoryRunsOut) {
  tryAll(failAllocation);
}
TEST_P(AsyncWalkWithExceptions, LosesNoObjectWhenTheTransportThrows) {
  tryAll(breakTransport);
}
TEST_P(AsyncWalkWithExceptions, LosesNoObjectWhenTheClockThrows) {
  tryAll(breakClock);
}
TEST_P(AsyncWalkWithExceptions, HasTheRightCheckpointWhenMemoryRunsOut) {
  if (GetParam().name.starts_with("forEach")) tryCheckpoints(failAllocation);
}
TEST_P(AsyncWalkWithExceptions, HasTheRightCheckpointWhenAStopIsRequestedDuringARequest) {
  tryCheckpoints(stopDuringRequest);
}
TEST_P(AsyncWalkWithExceptions, HasTheRightCheckpointWhenAStopIsRequestedAtAnyTime) {
  tryCheckpoints(stopBetween);
}
TEST_P(AsyncWalkWithExceptions, HasTheRightCheckpointWhenTheTransportThrows) {
  tryCheckpoints(breakTransport);
}

INSTANTIATE_TEST_SUITE_P(Of, AsyncWalkWithExceptions, testing::ValuesIn(walks),
                         [](const testing::TestParamInfo<Kind>& info) { return info.param.name; });

}  // namespace
}  // namespace tally::asyncExceptionsTest
