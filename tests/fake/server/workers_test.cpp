#include "workers.h"

#include <atomic>
#include <barrier>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace tally::fake::detail {

namespace {

/// Jobs that can only end together: they would hang if one had to wait for another's thread.
TEST(Workers, RunsAllJobsAtOnce) {
  Workers workers;
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memoryCanBeLimited = false;  // a sanitizer takes hold of more than there is
#else
constexpr bool memoryCanBeLimited = true;
#endif

/// No room for another stack is how it comes about that there is no further thread.
TEST(Workers, MakesDoWithTheThreadsThereAre) {
  if (!memoryCanBeLimited) GTEST_SKIP();
  Workers workers;
  std::atomic<bool> go = false;
  std::atomic<int> done = 0;
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit narrow{.rlim_cur = 1'000'000, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_AS, &narrow);
  for (int i = 0; i < 100; ++i)
    workers.run([&] {
      go.wait(false);
      if (++done == 100) done.notify_one();
    });
  setrlimit(RLIMIT_AS, &before);
  go = true;
  go.notify_all();
  for (int seen = done; seen < 100; seen = done)
    done.wait(seen);
}

TEST(Workers, EndsAllJobsBeforeItIsJoined) {
  std::atomic<int> done = 0;
  {
    Workers workers;
    for (int i = 0; i < 100; ++i)
      workers.run([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

}  // namespace

}  // namespace tally::fake::detail
