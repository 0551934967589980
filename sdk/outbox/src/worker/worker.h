#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tally/outbox.h>

#include "worker/domain_work.h"
#include "worker/lease.h"
#include "worker/membership.h"
#include "worker/store.h"

namespace tally::detail {

/// A process that sends: takes part in the fleet, and works on each domain that it owns in a thread. Works on
/// all in the calling thread if the transport of a domain is in this process, so that a clock of its own can
/// be used.
class Worker {
 public:
  /// The references must outlive this.
  Worker(OutboxStore& store, const OutboxOptions& options);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Until `stop`.
  void run(const StopToken& stop);

 private:
  struct Task;

  void live(const StopToken& stop);
  void follow(const Membership::Plan& plan, Instant due);
  void claim(const std::string& domain);
  void release(const std::string& domain);
  void endTask(const std::string& domain);
  void collectEnded(Instant due);
  void stepAll(const StopToken& stop, Instant until);
  void finish(Membership& membership);
  void requestStops();
  void stopAll();
  void wait(const StopToken& stop, Instant due);
  void waitUntil(Instant due);
  void noteNews(std::string_view domain);
  [[nodiscard]] std::set<std::string> takeNews();
  [[nodiscard]] Instant inWaits(Instant due) const;
  void tell(OutboxEvent::Kind kind, const std::string& reason, const std::string& domain = {}) const;
  void tellError(const std::string& what) const { tell(OutboxEvent::Kind::trouble, what); }

  OutboxStore& store_;
  OutboxOptions options_;  // with an onEvent that receives one event at a time
  bool inThreads_;
  std::shared_ptr<Clock> clock_;
  std::shared_ptr<Lease> lease_;
  Waker waker_{};
  std::mutex newsMutex_{};
  std::set<std::string> news_{};  // the domains in which something may have been enqueued; guarded
  std::unique_ptr<WorkerStore> self_{};
  bool hasEnrolled_ = false;
  std::map<std::string, std::unique_ptr<Task>> tasks_;  // by domain; `{}` would need the whole type
};

}  // namespace tally::detail
