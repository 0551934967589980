#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

namespace tally::detail {

/// Ends the program at the first SIGINT, SIGTERM or SIGHUP, but not within a transaction: otherwise, nobody
/// would know what is enqueued. The second one ends it immediately.
class EnqueueStop {
 public:
  /// `tell` says what is enqueued, and returns the status with which the program then ends. Called in another
  /// thread, not during a transaction, nor after one that has failed.
  explicit EnqueueStop(std::function<int(int signal)> tell);
  EnqueueStop(const EnqueueStop&) = delete;
  EnqueueStop& operator=(const EnqueueStop&) = delete;
  ~EnqueueStop();

  /// A transaction that has failed unless it is committed.
  class Transaction {
   public:
    explicit Transaction(EnqueueStop& stop) : stop_(stop), lock_(stop.mutex_) {}
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction() {
      if (!isCommitted_) stop_.isOver_ = true;
    }

    void commit() noexcept { isCommitted_ = true; }

   private:
    EnqueueStop& stop_;
    std::unique_lock<std::mutex> lock_;
    bool isCommitted_ = false;
  };

 private:
  void follow();

  std::function<int(int signal)> tell_;
  sigset_t signals_{};
  std::mutex mutex_{};
  std::atomic<bool> isOver_{false};  // changed with the lock
  std::thread thread_{};
};

}  // namespace tally::detail
