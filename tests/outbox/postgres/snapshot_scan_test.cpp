// The scan is compared with a server that gives numbers of transactions again after a crash.

#include "postgres/snapshot_scan.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stress/random_source.h"

namespace tally::test {
namespace {

using detail::ScanMark;
using detail::ScanPosition;
using detail::Snapshot;
using detail::SnapshotScan;

bool isVisible(const Snapshot& snapshot, std::uint64_t xid) {
  return xid < snapshot.xmax && std::ranges::find(snapshot.open, xid) == snapshot.open.end();
}

/// A server with transactions that each insert reports, and commit or not.
class ServerModel {
 public:
  std::uint64_t begin(std::size_t reports) {
    std::vector<std::uint64_t>& inserted = open_[next_];
    for (std::size_t one = 0; one < reports; ++one)
      inserted.push_back(++lastReport_);
    return next_++;
  }
  void commit(std::uint64_t xid) {
    for (const std::uint64_t id : open_.at(xid))
      committed.insert({xid, id});
    open_.erase(xid);
    durable_ = std::max(durable_, xid);
  }
  void abort(std::uint64_t xid) { open_.erase(xid); }
  /// Numbers after the last one that is durable are given again.
  void crash() {
    open_.clear();
    next_ = durable_ + 1;
  }
  [[nodiscard]] Snapshot snapshot() const {
    Snapshot now{.xmax = next_};
    for (const auto& [xid, reports] : open_)
      now.open.push_back(xid);
    return now;
  }
  [[nodiscard]] std::vector<std::uint64_t> running() const {
    std::vector<std::uint64_t> found;
    for (const auto& [xid, reports] : open_)
      found.push_back(xid);
    return found;
  }

  std::set<ScanPosition> committed{};

 private:
  std::map<std::uint64_t, std::vector<std::uint64_t>> open_{};
  std::uint64_t next_ = 3;
  std::uint64_t durable_ = 2;
  std::uint64_t lastReport_ = 0;
};

/// An owner of a domain: what it has read, has written a mark about, and reads again after a crash that it
/// notices.
class ReaderModel {
 public:
  explicit ReaderModel(ServerModel& server, bool waitsForDurability = true)
      : server_(server), waitsForDurability_(waitsForDurability) {}

  void poll(std::size_t page) {
    if (tryToPoll(page)) return;
    write();
    EXPECT_TRUE(tryToPoll(page));
  }

  /// A transaction of its own becomes durable.
  void write() {
    durable_ = server_.begin(0);
    server_.commit(durable_);
  }
  void decide(stress::RandomSource& random) {
    for (auto one = unsettled_.begin(); one != unsettled_.end();)
      if (random.oneIn(2)) {
        decided_.insert(one->id);
        one = unsettled_.erase(one);
      } else {
        ++one;
      }
  }
  [[nodiscard]] ScanMark mark() const {
    return scan_.markBefore(unsettled_.empty() ? std::nullopt : std::optional{*unsettled_.begin()});
  }
  void settle(ScanMark mark) {
    mark_ = std::move(mark);
    write();
  }
  /// Another owner, or this one on a new connection: what was read and is not decided has to come again.
  void restart() {
    scan_ = SnapshotScan{mark_};
    unsettled_.clear();
    read = decided_;
  }
  void noticeCrash() {
    durable_ = 0;
    restart();
  }

  std::set<std::uint64_t> read{};

 private:
  /// False: a full page goes beyond what is durable.
  bool tryToPoll(std::size_t page) {
    const Snapshot snapshot = server_.snapshot();
    std::vector<ScanPosition> rows;
    for (const ScanPosition& one : server_.committed)
      if (isVisible(snapshot, one.xid) && !isVisible(scan_.seen(), one.xid) && one > scan_.after())
        rows.push_back(one);
    const bool isAll = rows.size() < page;
    if (!isAll) rows.resize(page);
    if (!isAll && waitsForDurability_ && rows.back().xid > durable_) return false;
    for (const ScanPosition& one : rows) {
      read.insert(one.id);
      if (!decided_.contains(one.id)) unsettled_.insert(one);
    }
    const Snapshot durable = waitsForDurability_ ? snapshot.below(durable_ + 1) : snapshot;
    if (isAll) {
      scan_.allRead(durable);
    } else {
      scan_.pageRead(durable, rows.back());
    }
    return true;
  }

  ServerModel& server_;
  bool waitsForDurability_;
  SnapshotScan scan_{ScanMark{}};
  ScanMark mark_{};
  std::uint64_t durable_ = 0;
  std::set<ScanPosition> unsettled_{};
  std::set<std::uint64_t> decided_{};
};

/// After a transaction of another client that leaves no trace. A mark from before the crash may be written
/// after it. A pooler may hide the crash.
void crash(ServerModel& server, ReaderModel& reader, stress::RandomSource& random) {
  server.abort(server.begin(1));
  reader.poll(1 + random.below(100));
  const ScanMark mark = reader.mark();
  server.crash();
  if (random.oneIn(3)) reader.settle(mark);
  if (random.oneIn(2)) reader.noticeCrash();
}

/// The reports that are never read.
std::size_t missedIn(std::uint64_t seed, bool waitsForDurability) {
  stress::RandomSource random{seed};
  ServerModel server;
  ReaderModel reader{server, waitsForDurability};
  for (int step = 0; step < 200; ++step) {
    auto running = server.running();
    switch (random.below(9)) {
      case 0:
      case 1:
        server.begin(1 + random.below(4));
        break;
      case 2:
      case 3:
        if (!running.empty()) server.commit(random.oneOf(running));
        break;
      case 4:
        if (!running.empty() && random.oneIn(3)) server.abort(random.oneOf(running));
        break;
      case 5:
        reader.decide(random);
        if (random.oneIn(2)) reader.settle(reader.mark());
        break;
      case 6:
        reader.write();
        break;
      case 7:
        if (random.oneIn(8)) {
          crash(server, reader, random);
        } else if (random.oneIn(4)) {
          reader.restart();
        }
        break;
      default:
        reader.poll(1 + random.below(5));
    }
  }
  for (const std::uint64_t xid : server.running())
    server.commit(xid);
  for (int poll = 0; poll < 20; ++poll)
    reader.poll(50);
  std::size_t missed = 0;
  for (const ScanPosition& one : server.committed)
    missed += reader.read.contains(one.id) ? 0U : 1U;
  return missed;
}

TEST(SnapshotScanModel, MissesNoReportDespiteLateCommitsAndCrashes) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    ASSERT_EQ(missedIn(seed, true), 0U) << "seed " << seed;
}

TEST(SnapshotScanModel, MissesReportsIfItDoesNotWaitForDurability) {
  std::size_t missed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    missed += missedIn(seed, false);
  EXPECT_GT(missed, 0U);
}

TEST(SnapshotScan, KeepsWhatItHasSeenUntilATransactionIsKnownToBeDurable) {
  const ScanMark mark{.seen = {.xmax = 50}, .first = {.xmax = 50}};
  SnapshotScan scan{mark};
  scan.allRead(Snapshot{.xmax = 90}.below(1));
  EXPECT_EQ(scan.markBefore({}), mark);
  scan.allRead(Snapshot{.xmax = 90}.below(71));
  EXPECT_EQ(scan.seen().xmax, 71U);
}

/// The report at 80 is read again, although it is settled.
TEST(SnapshotScan, NeverMarksWhatFollowsTheDurableTransaction) {
  SnapshotScan scan{ScanMark{}};
  scan.allRead(Snapshot{.xmax = 90}.below(71));
  for (const auto unsettled : {std::optional<ScanPosition>{}, std::optional{ScanPosition{80, 1}}}) {
    const ScanMark mark = scan.markBefore(unsettled);
    EXPECT_EQ(mark.seen.xmax, 71U);
    EXPECT_EQ(mark.first.xmax, 71U);
    EXPECT_EQ(mark.after, ScanPosition{});
  }
}

/// What it has read after that transaction is only one page, which is read again.
TEST(SnapshotScan, EndsAPassAtTheDurableTransaction) {
  SnapshotScan scan{ScanMark{}};
  scan.pageRead(Snapshot{.xmax = 90}.below(71), {40, 1});
  EXPECT_EQ(scan.seen(), Snapshot{});
  EXPECT_EQ(scan.after(), (ScanPosition{40, 1}));
  scan.pageRead(Snapshot{.xmax = 95}.below(92), {80, 1});
  EXPECT_EQ(scan.seen().xmax, 71U);
  EXPECT_EQ(scan.after(), ScanPosition{});
}

TEST(SnapshotScan, HasSeenATransactionThatEndedWhileNoOtherBegan) {
  SnapshotScan scan{ScanMark{}};
  scan.allRead({.xmax = 71, .open = {40}});
  scan.allRead({.xmax = 71});
  EXPECT_EQ(scan.seen(), Snapshot{.xmax = 71});
}

TEST(SnapshotText, RoundTripsThroughASnapshot) {
  for (const char* text : {"5:9:5,7", "9:9:", "3:3:"})
    EXPECT_EQ(Snapshot::fromText(text).toText(), text);
}

TEST(SnapshotBelow, ExcludesTheGivenTransactionAndLaterOnes) {
  const Snapshot snapshot{.xmax = 9, .open = {5, 7}};
  EXPECT_EQ(snapshot.below(6), (Snapshot{.xmax = 6, .open = {5}}));
  EXPECT_EQ(snapshot.below(20), snapshot);
}

}  // namespace
}  // namespace tally::test
