#include "net/thread_pool.h"

#include <atomic>
#include <barrier>
#include <optional>

#include <gtest/gtest.h>

#include "support/no_more_threads.h"

namespace tally::fake::detail {

namespace {

/// Jobs that can only finish together: they would hang if one waited for another's thread.
TEST(ThreadPool, RunsAllJobsConcurrently) {
  ThreadPool workers;
  for (int round = 0; round < 20; ++round) {
    std::barrier together{9};
    std::atomic<int> done = 0;
    for (int i = 0; i < 8; ++i)
      workers.run([&] {
        together.arrive_and_wait();
        if (++done == 8) done.notify_one();
      });
    together.arrive_and_wait();
    for (int seen = done; seen < 8; seen = done)
      done.wait(seen);
  }
}

TEST(ThreadPool, RunsJobsEvenIfNotAllThreadsCanStart) {
  ThreadPool workers;
  std::atomic<bool> go = false;
  std::atomic<int> done = 0;
  std::optional<test::NoMoreThreads> none{std::in_place};
  for (int i = 0; i < 100; ++i)
    workers.run([&] {
      go.wait(false);
      if (++done == 100) done.notify_one();
    });
  none.reset();
  go = true;
  go.notify_all();
  for (int seen = done; seen < 100; seen = done)
    done.wait(seen);
}

TEST(ThreadPool, FinishesAllJobsBeforeJoining) {
  std::atomic<int> done = 0;
  {
    ThreadPool workers;
    for (int i = 0; i < 100; ++i)
      workers.run([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

}  // namespace

}  // namespace tally::fake::detail
