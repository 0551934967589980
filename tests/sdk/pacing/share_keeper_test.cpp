// Several pacers that share limits never exceed them, whatever happens to them and to what connects them.

#include "pacing/share_keeper.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/limits.h>
#include <tally/memory_share.h>

#include <gtest/gtest.h>

#include "operations.h"
#include "pacing/paced_call.h"
#include "schema/operation.h"

namespace tally::detail {
namespace {

using namespace std::chrono_literals;
using Random = std::mt19937_64;

bool happens(Random& random, int percent) {
  return static_cast<int>(random() % 100) < percent;
}

/// Loses requests and replies, and delays requests until after later ones.
class UnreliableShare final : public PacerShare {
 public:
  explicit UnreliableShare(Random& random) : random_(random) {}

  std::string newProcess() override { return share_.newProcess(); }

  ShareReply exchange(const ShareRequest& request) override {
    if (down) throw std::runtime_error{"down"};
    if (happens(random_, percentLost)) {
      if (happens(random_, 50)) delayed_.push_back(request);
      throw std::runtime_error{"the request is lost"};
    }
    while (!delayed_.empty() && happens(random_, 20)) {
      (void)share_.exchange(delayed_.front());
      delayed_.pop_front();
    }
    ShareReply reply = share_.exchange(request);
    if (happens(random_, percentLost)) throw std::runtime_error{"the reply is lost"};
    return reply;
  }

  bool down = false;
  int percentLost = 0;

 private:
  Random& random_;
  MemoryShare share_{};
  std::deque<ShareRequest> delayed_{};
};

/// Of a machine whose clock is wrong, and goes too fast or too slowly.
class SkewedClock final : public Clock {
 public:
  SkewedClock(const Instant& real, Random& random)
      : real_(real),
        offset_(std::chrono::seconds{random() % 7'200}),
        drift_(static_cast<double>(random() % 400) / 100'000 - 0.002) {}

  [[nodiscard]] Instant now() const override {
    return real_ + offset_ +
           std::chrono::nanoseconds{
               static_cast<std::int64_t>(static_cast<double>((real_ - began_).count()) * drift_)};
  }
  bool sleepUntil(Instant, StopToken) override { throw std::logic_error{"nothing waits"}; }
  bool waitUntil(Instant, StopToken) override { throw std::logic_error{"nothing waits"}; }

 private:
  const Instant& real_;
  const Instant began_ = real_;
  std::chrono::nanoseconds offset_;
  double drift_;
};

constexpr std::int64_t rate = 12;
constexpr std::int64_t atOnce = 6;

PacerOptions optionsOf(std::shared_ptr<PacerShare> share) {
  return {
      .limits = {{.limit = "endpoint_rate", .value = rate}, {.limit = "global_concurrency", .value = atOnce}},
      .share = std::move(share)};
}

/// A process with some threads. Its requests arrive just before their responses; some are delayed, but
/// not the first one, from which the pacer learns how fast a response is.
class SharingProcess {
 public:
  SharingProcess(const std::shared_ptr<PacerShare>& share, const Instant& real, Random& random)
      : random_(random),
        clock_(real, random),
        pacing_(LimitPlan{operations, limits::all}, optionsOf(share)),
        keeper_(pacing_, share, 10s, 30ms),
        nextRefresh_(clock_.now()) {}

  /// Does what is due.
  void step(Instant real) {
    const Instant now = clock_.now();
    if (now >= nextRefresh_) nextRefresh_ = keeper_.refresh(clock_);
    while (threads > calls_.size())
      calls_.push_back({std::make_unique<PacedCall>(pacing_, paymentRecordsRetrieve, paced_, request_)});
    for (Call& call : calls_) {
      if (call.sent) continue;
      const auto verdict =
          call.asked ? call.paced->askAgain(now, Instant::max()) : call.paced->ask(now, Instant::max());
      call.asked = true;
      if (verdict != PacedCall::Verdict::go) continue;
      call.paced->sending(now);
      call.sent = true;
      const bool delayed = sent_++ > 0 && happens(random_, 40);
      call.arrival = real + (delayed ? std::chrono::milliseconds{10 * (random_() % 20)} : 0ms);
    }
  }

  /// Requests in flight arrive although their process is paused.
  void deliver(Instant real) {
    for (Call& call : calls_)
      if (call.sent && !call.arrived && call.arrival <= real) {
        arrivals_.push_back(real);
        call.arrived = true;
      }
    while (!arrivals_.empty() && real - arrivals_.front() >= 1s)
      arrivals_.pop_front();
  }
  void respond() {
    std::erase_if(calls_, [&](Call& call) {
      if (call.arrived) call.paced->responded(clock_.now(), {.responded = true});
      return call.arrived;
    });
  }

  [[nodiscard]] std::int64_t inWindow() const { return static_cast<std::int64_t>(arrivals_.size()); }
  [[nodiscard]] std::int64_t inFlight() const {
    return std::ranges::count_if(calls_, [](const Call& call) { return call.sent && !call.arrived; });
  }
  void leave() { keeper_.leave(clock_); }

  std::size_t threads = 0;
  Instant pausedUntil{};

 private:
  struct Call {
    std::unique_ptr<PacedCall> paced{};
    bool asked = false;
    bool sent = false;
    bool arrived = false;
    Instant arrival{};
  };

  Random& random_;
  SkewedClock clock_;
  Pacing pacing_;
  ShareKeeper keeper_;
  Instant nextRefresh_;
  PacedRequest paced_ = pacing_.request(paymentRecordsRetrieve, "pr_1", {});
  HttpRequest request_{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  int sent_ = 0;
  std::list<Call> calls_{};
  std::deque<Instant> arrivals_{};
};

/// Some processes, and what may happen to them.
class Fleet {
 public:
  Fleet(std::uint64_t seed, std::size_t processes) : random_(seed) {
    for (std::size_t n = 0; n < processes; ++n)
      start();
  }

  void start() { processes_.push_back(std::make_unique<SharingProcess>(share, now, random_)); }

  /// The next hundredth of a second.
  void step() {
    now += 10ms;
    for (const auto& process : processes_) {
      process->deliver(now);
      if (process->pausedUntil > now) continue;
      process->respond();
      process->step(now);
    }
  }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  void disturb() {
    SharingProcess& any = *processes_[below(processes_.size())];
    switch (random_() % 8) {
      case 0:
        processes_.erase(processes_.begin() + static_cast<std::ptrdiff_t>(below(processes_.size())));
        return start();
      case 1:
        any.pausedUntil = now + std::chrono::milliseconds{random_() % 25'000};
        return;
      case 2:
        share->down = happens(random_, 30);
        return;
      case 3:
        share->percentLost = static_cast<int>(random_() % 60);
        return;
      case 4:
        return any.leave();
      default:
        any.threads = below(4) == 0 ? 0 : below(12);
    }
  }

  /// What processes use that use more than one unit, and what all of them use.
  struct Used {
    std::int64_t beyondOne = 0;
    std::int64_t all = 0;
  };
  [[nodiscard]] Used used(std::int64_t (SharingProcess::*count)() const) const {
    Used used;
    for (const auto& process : processes_) {
      const std::int64_t units = ((*process).*count)();
      used.all += units;
      if (units > 1) used.beyondOne += units;
    }
    return used;
  }

  [[nodiscard]] SharingProcess& process(std::size_t n) { return *processes_[n]; }

  Instant now = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

 private:
  Random random_;

 public:
  std::shared_ptr<UnreliableShare> share = std::make_shared<UnreliableShare>(random_);

 private:
  std::deque<std::unique_ptr<SharingProcess>> processes_{};
};

/// The documented exception is one unit for each process, which it uses without asking.
TEST(SharedLimits, AreExceededByAtMostOneUnitPerProcessWhenExchangesFail) {
  std::int64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Fleet fleet{seed, 4};
    Random random{seed};
    for (int n = 0; n < 9'000; ++n) {
      fleet.step();
      if (n % 100 == 0) fleet.disturb();
      const auto inWindow = fleet.used(&SharingProcess::inWindow);
      ASSERT_LE(inWindow.beyondOne, rate) << "seed " << seed << ", step " << n;
      ASSERT_LE(fleet.used(&SharingProcess::inFlight).beyondOne, atOnce) << "seed " << seed << ", step " << n;
      most = std::max(most, inWindow.beyondOne);
    }
  }
  EXPECT_GE(most, rate - 1) << "nearly all is used at times";
}

TEST(SharedLimits, AreNeverExceededWhileNothingFails) {
  Fleet fleet{1, 4};
  for (std::size_t n = 0; n < 4; ++n)
    fleet.process(n).threads = 5;
  for (int n = 0; n < 6'000; ++n) {
    if (n % 500 == 499)
      fleet.process(static_cast<std::size_t>(n / 500) % 4).threads = n % 1'000 == 999 ? 5 : 1;
    fleet.step();
    if (n < 500) continue;
    ASSERT_LE(fleet.used(&SharingProcess::inWindow).all, rate) << "step " << n;
    ASSERT_LE(fleet.used(&SharingProcess::inFlight).all, atOnce) << "step " << n;
  }
}

/// Notes what is said to it, and responds as the test says.
class ScriptedShare final : public PacerShare {
 public:
  std::string newProcess() override { return "self"; }
  ShareReply exchange(const ShareRequest& request) override {
    requests.push_back(request);
    during();
    if (lost) throw std::runtime_error{"lost"};
    return reply;
  }

  std::vector<ShareRequest> requests{};
  std::function<void()> during = [] {};
  bool lost = false;
  ShareReply reply{};
};

class ShareKeeperTest : public testing::Test {
 protected:
  static constexpr const char* limit = "live endpoint_rate of payment_records.retrieve";

  class ManualClock final : public Clock {
   public:
    [[nodiscard]] Instant now() const override { return time; }
    bool sleepUntil(Instant, StopToken) override { throw std::logic_error{"nothing waits"}; }
    bool waitUntil(Instant, StopToken) override { throw std::logic_error{"nothing waits"}; }

    Instant time = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
  };

  ShareKeeperTest() {
    ask();
    share->reply.processes = {{.process = "self", .beat = 1, .lease = 10s}};
    hold(1);
  }

  /// Another call, which goes or waits.
  void ask() {
    const auto& call =
        calls.emplace_back(std::make_unique<PacedCall>(pacing, paymentRecordsRetrieve, paced, request));
    if (call->ask(clock.time, Instant::max()) == PacedCall::Verdict::go) call->sending(clock.time);
  }
  /// The next replies say that this process holds `units`, and that another process wants `wantOfOther`.
  void hold(std::int64_t units, std::int64_t wantOfOther = 0, std::int64_t freed = 0) {
    share->reply.parts = {{.limit = limit, .process = "self", .want = 12, .units = units}};
    if (wantOfOther > 0)
      share->reply.parts.push_back({.limit = limit, .process = "other", .want = wantOfOther, .units = 1});
    share->reply.pools = {{.limit = limit, .freed = freed}};
  }
  void refresh() { nextRefresh = keeper.refresh(clock); }
  [[nodiscard]] std::int64_t allowed() const {
    for (const PacerUsage& usage : pacing.usage(pacing.accountOf("sk_live_1", {}), clock.time))
      if (usage.limit == "endpoint_rate") return usage.allowed.value_or(-1);
    return -1;
  }
  /// What was said last about the limit.
  [[nodiscard]] const ShareClaim& claim() const {
    return *std::ranges::find(share->requests.back().claims, limit, &ShareClaim::limit);
  }

  ManualClock clock;
  std::shared_ptr<ScriptedShare> share = std::make_shared<ScriptedShare>();
  Pacing pacing{LimitPlan{operations, limits::all}, optionsOf(share)};
  PacedRequest paced = pacing.request(paymentRecordsRetrieve, "pr_1", {});
  HttpRequest request{.headers = {{"Authorization", "Bearer sk_live_1"}}};
  ShareKeeper keeper{pacing, share, 10s, 30ms};
  std::vector<std::unique_ptr<PacedCall>> calls{};
  Instant nextRefresh{};
};

TEST_F(ShareKeeperTest, TakesFreedUnitsOneWindowAfterItSeesThem) {
  ask();
  hold(1, 0, 5);
  refresh();
  clock.time += 1s;
  refresh();
  EXPECT_EQ(claim().freedBefore, 0);
  EXPECT_EQ(nextRefresh, clock.time + 50ms) << "soon after they may be taken";
  clock.time = nextRefresh;
  refresh();
  EXPECT_EQ(claim().freedBefore, 5);
}

TEST_F(ShareKeeperTest, WaitsAgainWhenMoreUnitsAreFreed) {
  ask();
  hold(1, 0, 5);
  refresh();
  clock.time += 600ms;
  hold(1, 0, 9);
  refresh();
  clock.time += 600ms;
  refresh();
  EXPECT_EQ(claim().freedBefore, 5);
  clock.time += 600ms;
  refresh();
  EXPECT_EQ(claim().freedBefore, 9);
}

TEST_F(ShareKeeperTest, ToleratesADatabaseThatForgetsFreedUnits) {
  hold(1, 0, 5);
  refresh();
  clock.time += 2s;
  refresh();
  EXPECT_EQ(claim().freedBefore, 5);
  hold(1, 0, 2);
  refresh();
  refresh();
  EXPECT_EQ(claim().freedBefore, 0);
}

TEST_F(ShareKeeperTest, StopsUsingUnitsBeforeGivingThemUp) {
  for (int n = 0; n < 20; ++n)
    ask();
  hold(12);
  refresh();
  ASSERT_EQ(allowed(), 12);
  hold(12, 12);
  std::vector<std::int64_t> said;
  share->during = [&] { said.push_back(claim().units - allowed()); };
  clock.time += 1s;
  calls.clear();
  for (int n = 0; n < 20; ++n)
    ask();
  refresh();
  ASSERT_EQ(share->requests.size(), 3U) << "it says so at once";
  EXPECT_LT(claim().units, 12);
  EXPECT_GE(said.back(), 0);
  EXPECT_LT(allowed(), 12);
}

TEST_F(ShareKeeperTest, KeepsTheUnitsOfRequestsInFlight) {
  hold(12);
  refresh();
  for (int n = 0; n < 20; ++n)
    ask();
  hold(12, 12);
  clock.time += 1s;
  refresh();
  EXPECT_EQ(allowed(), 6);
  EXPECT_EQ(claim().units, 12) << "all are in flight";
}

/// The reply is lost, but the units may be free.
TEST_F(ShareKeeperTest, DoesNotReuseUnitsThatItTriedToGiveUp) {
  hold(12);
  for (int n = 0; n < 4; ++n) {
    refresh();
    calls.clear();
    clock.time += 2s;
    for (int call = 0; call < 3; ++call)
      ask();
  }
  hold(12, 12);
  share->during = [&] { share->lost = claim().units < 12; };
  refresh();
  ASSERT_TRUE(share->lost);
  const std::int64_t claimed = claim().units;
  std::vector<std::int64_t> used;
  share->lost = false;
  share->during = [&] { used.push_back(allowed()); };
  clock.time += 2s;
  for (int n = 0; n < 20; ++n)
    ask();
  refresh();
  EXPECT_LE(used.front(), claimed);
}

TEST_F(ShareKeeperTest, DeclaresAProcessVanishedOnceItsLeaseHasExpired) {
  share->reply.processes.push_back({.process = "other", .beat = 3, .lease = 5s});
  refresh();
  for (int n = 0; n < 5; ++n) {
    clock.time += 1s;
    refresh();
    EXPECT_TRUE(share->requests.back().vanished.empty()) << n;
  }
  clock.time += 51ms;
  refresh();
  ASSERT_EQ(share->requests.back().vanished.size(), 1U);
  EXPECT_EQ(share->requests.back().vanished[0].beat, 3);
}

TEST_F(ShareKeeperTest, DoesNotDeclareAProcessVanishedAfterAGapOfItsOwn) {
  share->reply.processes.push_back({.process = "other", .beat = 3, .lease = 5s});
  refresh();
  clock.time += 6s;
  refresh();
  EXPECT_TRUE(share->requests.back().vanished.empty());
}

TEST_F(ShareKeeperTest, IncreasesItsBeatEvenIfAnExchangeFails) {
  refresh();
  share->lost = true;
  refresh();
  share->lost = false;
  refresh();
  EXPECT_EQ(share->requests.back().self.beat, 3);
}

TEST_F(ShareKeeperTest, GivesUpUnusedUnits) {
  hold(12);
  refresh();
  calls.clear();
  for (int n = 0; n < 2; ++n) {
    clock.time += 2s;
    refresh();
  }
  EXPECT_EQ(claim().want, 0);
  EXPECT_EQ(claim().units, 0);
}

/// The other process has all that it wants.
TEST_F(ShareKeeperTest, GivesUpUnitsIfMoreAreHeldThanTheLimitAllows) {
  for (int n = 0; n < 20; ++n)
    ask();
  hold(12);
  refresh();
  share->reply.parts.push_back({.limit = limit, .process = "other", .want = 5, .units = 5});
  calls.clear();
  clock.time += 1s;
  for (int n = 0; n < 20; ++n)
    ask();
  refresh();
  EXPECT_EQ(allowed(), rate - 5);
}

TEST_F(ShareKeeperTest, KeepsUnitsThatNobodyElseWants) {
  for (int n = 0; n < 12; ++n)
    ask();
  hold(12);
  refresh();
  calls.clear();
  for (int n = 0; n < 4; ++n) {
    clock.time += 2s;
    ask();
    calls.clear();
    refresh();
  }
  EXPECT_LT(claim().want, 12);
  EXPECT_EQ(claim().units, 12);
}

TEST_F(ShareKeeperTest, DividesLimitsThatAreAsLargeAsPossible) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const auto memory = std::make_shared<MemoryShare>();
  Pacing large{
      LimitPlan{operations, limits::all},
      {.limits = {{.limit = "endpoint_rate", .value = most}, {.limit = "global_rate", .value = most}},
       .share = memory}};
  ShareKeeper sharing{large, memory, 10s, 30ms};
  PacedCall first{large, paymentRecordsRetrieve, paced, request};
  PacedCall second{large, paymentRecordsRetrieve, paced, request};
  ASSERT_EQ(first.ask(clock.time, Instant::max()), PacedCall::Verdict::go);
  ASSERT_EQ(second.ask(clock.time, Instant::max()), PacedCall::Verdict::wait);
  clock.time = sharing.refresh(clock);
  (void)sharing.refresh(clock);
  for (const PacerUsage& line : large.usage(large.accountOf("sk_live_1", {}), clock.time))
    EXPECT_EQ(line.share > 1, line.configured == most) << line;
  EXPECT_EQ(second.askAgain(clock.time, Instant::max()), PacedCall::Verdict::go);
}

}  // namespace
}  // namespace tally::detail
