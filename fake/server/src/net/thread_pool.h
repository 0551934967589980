#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tally::fake::detail {

/// A pool of threads for jobs that may block. It grows to the maximum number of simultaneous jobs, so that no
/// job waits for another, unless the system refuses more threads.
class ThreadPool {
 public:
  /// Throws std::system_error if it can't create the first thread.
  ThreadPool() {
    threads_.emplace_back([this] { work(); });
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() { join(); }

  void run(std::function<void()> job);

  /// Returns once all jobs are done. Don't call run() after it.
  void join();

 private:
  void addThread();
  void work();

  std::mutex mutex_{};
  std::condition_variable wake_{};
  std::deque<std::function<void()>> jobs_{};
  std::size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_{};
};

}  // namespace tally::fake::detail
