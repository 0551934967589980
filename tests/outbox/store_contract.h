#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/fake/virtual_clock.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/failed_report.h"
#include "worker/store.h"

namespace tally::test {

/// A store, and what tests need beside it.
class StoreUnderTest {
 public:
  StoreUnderTest() = default;
  StoreUnderTest(const StoreUnderTest&) = delete;
  StoreUnderTest& operator=(const StoreUnderTest&) = delete;
  virtual ~StoreUnderTest() = default;

  [[nodiscard]] virtual detail::OutboxStore& store() = 0;

  /// On the clock of the database.
  [[nodiscard]] virtual std::chrono::sys_seconds now() = 0;
  /// Lets time pass on it.
  virtual void advance(std::chrono::seconds time) = 0;

  /// `refused: why`; empty if the report is not decided, or has been removed.
  [[nodiscard]] virtual std::string outcomeOf(std::uint64_t report) = 0;
  /// Empty if the request is open.
  [[nodiscard]] virtual std::string answerTo(std::uint64_t request) = 0;
  /// What fenced workers have learned, such as `1: applied`.
  [[nodiscard]] virtual std::vector<std::string> lateFindings() = 0;
};

/// A kind of store. Every sentence of worker/store.h holds for each.
struct StoreKind {
  std::string name{};
  bool tellsAtOnce = true;       // listen(), in the thread that enqueues
  bool repeatsRechecks = false;  // also returns them sooner than others
  std::uint64_t traces = 100;    // how many are compared
  /// Null if it can't be tested here.
  std::function<std::unique_ptr<StoreUnderTest>()> make{};

  friend void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }
};

inline std::string nameOfStore(const testing::TestParamInfo<StoreKind>& info) {
  return info.param.name;
}

/// A new clock, which is ahead of others by that many hours.
[[nodiscard]] std::shared_ptr<fake::VirtualClock> clockOfDatabase(int ahead = 0);

/// A worker that has declared all others dead.
[[nodiscard]] std::unique_ptr<detail::WorkerStore> enrollSuccessor(detail::OutboxStore& store);

class StoreContract : public testing::TestWithParam<StoreKind> {
 protected:
  /// Makes the store, with a worker that owns `shop`.
  void SetUp() override;

  [[nodiscard]] detail::OutboxStore& store() const { return tested_->store(); }
  [[nodiscard]] std::unique_ptr<detail::WorkerStore> enroll(
      int process, std::chrono::milliseconds lease = std::chrono::seconds{15}) const;
  /// The worker ends without departing. Declares it dead, and begins with another one.
  void takeOver();

  // In `shop`.
  std::uint64_t enqueue(const std::string& id, const std::string& key = {},
                        const EnqueueOptions& options = {}) const;
  std::uint64_t enqueueLow(const std::string& id) const {
    return enqueue(id, {}, {.priority = ReportPriority::low});
  }
  [[nodiscard]] Error refusalOf(const OutboxReport& report, std::string_view domain = "shop") const;
  [[nodiscard]] std::vector<detail::Head> readHeads(std::size_t normal = 100, std::size_t low = 100) const;
  [[nodiscard]] std::vector<std::uint64_t> read(std::size_t normal = 100, std::size_t low = 100) const;
  [[nodiscard]] Timestamp inSeconds(std::int64_t seconds) const {
    return Timestamp{tested_->now() + std::chrono::seconds{seconds}};
  }
  /// The only head.
  [[nodiscard]] detail::Head readOne() const;
  std::vector<std::uint64_t> decide(std::uint64_t report, const std::string& object,
                                    const std::string& outcome = "applied") const;
  void intend(std::uint64_t report, const std::string& before = {}) const;
  /// Asks, carries it out, and returns the answer.
  std::string carriedOut(std::string_view action, std::uint64_t report) const;

  std::unique_ptr<StoreUnderTest> tested_;
  std::unique_ptr<detail::WorkerStore> worker_;
  std::unique_ptr<detail::DomainStore> domain_;
};

// What the tests are about. Each kind of store instantiates all of them.
class StoredReports : public StoreContract {};
class Heads : public StoreContract {};
class Decisions : public StoreContract {};
class StoredRequests : public StoreContract {};
class Workers : public StoreContract {};
/// Without a worker of its own.
class Traces : public testing::TestWithParam<StoreKind> {};
/// Not for stores with one worker.
class ManyWorkers : public StoreContract {
 protected:
  void SetUp() override;

  std::unique_ptr<detail::WorkerStore> other_;
};

/// The numbers of heads, in their order.
[[nodiscard]] std::vector<std::uint64_t> numbersOf(const std::vector<detail::Head>& heads);

/// The message of the OutboxError that `work` throws; empty if it throws none.
template <class F>
std::string errorOf(F work) {
  try {
    work();
  } catch (const OutboxError& error) {
    return error.what();
  }
  return {};
}

}  // namespace tally::test
