#include "net/thread_pool.h"

#include <system_error>
#include <utility>

namespace tally::fake::detail {

void ThreadPool::run(std::function<void()> job) {
  const std::lock_guard lock{mutex_};
  jobs_.push_back(std::move(job));
  wake_.notify_one();
  if (jobs_.size() > idle_) addThread();
}

void ThreadPool::addThread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The job waits for an existing thread.
  }
}

void ThreadPool::join() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
  threads_.clear();
}

void ThreadPool::work() {
  std::unique_lock lock{mutex_};
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) return;
    {
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
    lock.lock();
  }
}

}  // namespace tally::fake::detail
