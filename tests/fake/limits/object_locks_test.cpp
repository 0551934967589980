#include "limits/object_locks.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_runs.h"

namespace tally::fake::detail {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Instant lockStart = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};

TEST(ObjectLocks, ExpireExactlyAtTheirEndTime) {
  ObjectLocks locks;
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart), std::nullopt);
  locks.lock("gad_1", lockStart, lockStart + seconds{1});
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart), lockStart + seconds{1});
  EXPECT_EQ(locks.lockedUntil("gad_2", lockStart), std::nullopt);
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart + seconds{1} - nanoseconds{1}), lockStart + seconds{1});
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart + seconds{1}), std::nullopt);
}

TEST(ObjectLocks, LastUntilTheLatestOfTheirEnds) {
  ObjectLocks locks;
  locks.lock("gad_1", lockStart, lockStart + seconds{2});
  locks.lock("gad_1", lockStart, lockStart + seconds{1});
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart), lockStart + seconds{2});
  locks.lock("gad_1", lockStart, lockStart + seconds{1}, 1);
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart), lockStart + seconds{2});
  locks.lock("gad_1", lockStart, lockStart + seconds{3}, 2);
  locks.lock("gad_1", lockStart, lockStart + seconds{1}, 3);
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart), lockStart + seconds{3});
}

TEST(ObjectLocks, AreReleasedOnlyByTheirHolder) {
  ObjectLocks locks;
  locks.lock("gad_1", lockStart, Instant::max(), 1);
  locks.lock("gad_1", lockStart, Instant::max(), 2);
  locks.lock("gad_2", lockStart, Instant::max(), 3);
  locks.unlock("gad_1", lockStart, 1);
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart), Instant::max());
  locks.unlock("gad_1", lockStart, 2);
  locks.unlock("gad_1", lockStart, 2);
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart), std::nullopt);
  EXPECT_EQ(locks.lockedUntil("gad_2", lockStart), Instant::max());
}

TEST(ObjectLocks, ForgetObjectsWhoseLocksHaveExpired) {
  ObjectLocks locks;
  locks.lock("gad_kept", lockStart, Instant::max(), 1);
  Instant now = lockStart;
  for (int n = 0; n < 10'000; ++n) {
    locks.lock("gad_" + std::to_string(n), now, now + seconds{10});
    now += seconds{1};
    ASSERT_LE(locks.objects(), 64U);
  }
  EXPECT_EQ(locks.lockedUntil("gad_kept", now), Instant::max());
  EXPECT_EQ(locks.lockedUntil("gad_9999", now), now + seconds{9});
}

TEST(ObjectLocks, AreNotForgottenBeforeTheyExpire) {
  constexpr std::size_t tooMany = 65;
  ObjectLocks locks;
  for (std::size_t n = 0; n < tooMany; ++n)
    locks.lock("gad_" + std::to_string(n), lockStart, lockStart + nanoseconds{1});
  EXPECT_EQ(locks.objects(), tooMany);
}

TEST(ObjectLocks, AreNotForgottenWhileARequestWaits) {
  ObjectLocks locks;
  const Instant end = lockStart + seconds{1};
  locks.lock("gad_waited", lockStart, end);
  locks.beginWait("gad_waited");
  for (int n = 0; n < 1'000; ++n)
    locks.lock("gad_" + std::to_string(n), end, end);
  EXPECT_EQ(locks.lockedUntil("gad_waited", end), std::nullopt);
  EXPECT_EQ(locks.lastEnd("gad_waited"), end);
  locks.endWait("gad_waited");
  EXPECT_EQ(locks.lockedUntil("gad_waited", end), std::nullopt);
  EXPECT_EQ(locks.lastEnd("gad_waited"), Instant::min());
}

TEST(ObjectLocks, EndOnReleaseButNotAfterTheirEndTime) {
  ObjectLocks locks;
  locks.lock("gad_1", lockStart, Instant::max(), 1);
  locks.beginWait("gad_1");
  locks.unlock("gad_1", lockStart + seconds{1}, 1);
  EXPECT_EQ(locks.lastEnd("gad_1"), lockStart + seconds{1});
  locks.lock("gad_1", lockStart, lockStart + seconds{3}, 2);
  EXPECT_EQ(locks.lastEnd("gad_1"), lockStart + seconds{3});
  locks.unlock("gad_1", lockStart + seconds{9}, 2);
  EXPECT_EQ(locks.lastEnd("gad_1"), lockStart + seconds{3});
}

TEST(ObjectLocks, IgnoreTheEndOfAWaitThatWasDropped) {
  ObjectLocks locks;
  locks.lock("gad_1", lockStart, lockStart + seconds{1});
  locks.beginWait("gad_1");
  locks.dropHeld();
  locks.endWait("gad_1");
  EXPECT_EQ(locks.lockedUntil("gad_1", lockStart + seconds{1}), std::nullopt);
  EXPECT_EQ(locks.objects(), 0U);
}

struct PlainLock {
  std::string id{};
  Instant end{};
  std::uint64_t holder = 0;
};

TEST(ObjectLocks, MatchASimpleModel) {
  test::holdsInRuns(2'000, [] {
    const std::vector<std::string> ids{"gad_1", "gad_2", "gad_3"};
    ObjectLocks locks;
    std::vector<PlainLock> list;  // only unlock() removes entries
    Instant now = lockStart;
    std::uint64_t last = 0;
    const int steps = *rc::gen::inRange(1, 60);
    for (int n = 0; n < steps; ++n) {
      now += nanoseconds{*rc::gen::inRange(0, 4)};
      const std::string id = *rc::gen::elementOf(ids);
      const int what = *rc::gen::inRange(0, 4);
      if (what == 0) {
        list.push_back({id, now + nanoseconds{*rc::gen::inRange(0, 20)}, 0});
        locks.lock(id, now, list.back().end);
      } else if (what == 1) {
        list.push_back({id, Instant::max(), ++last});
        locks.lock(id, now, Instant::max(), last);
      } else if (what == 2 && last != 0) {
        const std::uint64_t holder = *rc::gen::inRange<std::uint64_t>(1, last + 1);
        const auto given = std::ranges::find(list, holder, &PlainLock::holder);
        if (given == list.end()) continue;
        locks.unlock(given->id, now, holder);
        list.erase(given);
      }
      for (const std::string& asked : ids) {
        std::optional<Instant> until;
        for (const PlainLock& lock : list)
          if (lock.id == asked && lock.end > now) until = std::max(until.value_or(now), lock.end);
        RC_ASSERT(locks.lockedUntil(asked, now) == until);
      }
    }
  });
}

}  // namespace

}  // namespace tally::fake::detail
