#include "schedule.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "text/random.h"

namespace tally::stress {

thread_local Schedule::Thread* Schedule::self_ = nullptr;

void Schedule::run(const std::vector<std::function<void()>>& works) {
  std::vector<Thread> entered(works.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < works.size(); ++i) {
    enter(entered[i], now());
    threads.emplace_back([this, &thread = entered[i], &work = works[i]] {
      self_ = &thread;
      thread.go.acquire();
      work();
      const Lock lock{mutex_};
      if (!waiting_.empty()) letNextGo();
    });
  }
  const Lock lock{mutex_};
  letNextGo();
}

bool Schedule::sleepUntil(Instant time, std::stop_token stop) {
  if (stop.stop_requested()) return false;
  Thread& thread = *self_;
  {
    const Lock lock{mutex_};
    enter(thread, std::max(time, now()));
  }
  const std::stop_callback interrupted{stop, [&] { wake(thread); }};
  {
    const Lock lock{mutex_};
    letNextGo();
  }
  thread.go.acquire();
  return time <= now();
}

void Schedule::enter(Thread& thread, Instant time) {
  thread.turn = {time, detail::nextRandom(random_)};
  waiting_.emplace(thread.turn, &thread);
}

/// No effect if it already runs.
void Schedule::wake(Thread& thread) {
  const Lock lock{mutex_};
  if (waiting_.erase(thread.turn) == 1) enter(thread, std::min(thread.turn.first, now()));
}

void Schedule::letNextGo() {
  const auto next = waiting_.begin();
  const auto [time, rank] = next->first;
  if (time == Instant::max()) {
    std::cerr << "deadlock: every thread waits for another\n";
    std::abort();
  }
  if (time > now()) clock_->advance(time - now());
  Thread& thread = *next->second;
  waiting_.erase(next);
  thread.go.release();
}

}  // namespace tally::stress
