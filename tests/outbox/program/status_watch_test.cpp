#include "status_watch.h"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include <gtest/gtest.h>

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::StatusWatch;

class StatusWatchTest : public testing::Test {
 protected:
  /// Once it has read that often.
  [[nodiscard]] std::optional<StatusWatch::Status> latestOf(StatusWatch& watch, int reads) const {
    auto latest = watch.latest();
    while (!latest || latest->size() != static_cast<std::size_t>(reads)) {
      std::this_thread::yield();
      latest = watch.latest();
    }
    return latest;
  }
  [[nodiscard]] StatusWatch::Clock clock() {
    return [this] { return std::chrono::steady_clock::time_point{now_.load()}; };
  }

  std::atomic<std::chrono::steady_clock::duration> now_ = std::chrono::steady_clock::duration{1h};
  int reads_ = 0;
};

TEST_F(StatusWatchTest, ReadsAgainOnceWhatItKnowsIsOld) {
  StatusWatch watch{[&] { return StatusWatch::Status(static_cast<std::size_t>(++reads_)); }, clock()};
  (void)latestOf(watch, 1);
  now_ = 1h + 14s;
  EXPECT_EQ(latestOf(watch, 1)->size(), 1U);
  now_ = 1h + 16s;
  EXPECT_EQ(latestOf(watch, 2)->size(), 2U);
}

/// What it read last would look as if it were true.
TEST_F(StatusWatchTest, KnowsNothingWhileTheDatabaseDoesNotRespond) {
  std::promise<void> responds;
  StatusWatch watch{[&] {
                      if (++reads_ == 2) responds.get_future().wait();
                      return StatusWatch::Status(static_cast<std::size_t>(reads_));
                    },
                    clock()};
  (void)latestOf(watch, 1);
  now_ = 1h + 16s;
  EXPECT_TRUE(watch.latest());  // and begins to read
  now_ = 1h + 32s;
  EXPECT_FALSE(watch.latest());
  responds.set_value();
  EXPECT_EQ(latestOf(watch, 2)->size(), 2U);
}

}  // namespace
}  // namespace tally::test
