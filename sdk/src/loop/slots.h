#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <boost/intrusive/list.hpp>

namespace tally::detail {

using OutgoingHook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<struct OutgoingTag>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// The request of an asynchronous call, as the engine sees it. It is in at most one list: of the requests
/// that wait for a slot, or of those that their calls have detached.
class OutgoingRequest : public OutgoingHook {
 public:
  /// It has a slot now.
  virtual void admit() noexcept = 0;

  /// Ends, since nobody waits for it any more.
  virtual void abort() noexcept = 0;

 protected:
  OutgoingRequest() = default;
  OutgoingRequest(const OutgoingRequest&) = default;
  OutgoingRequest& operator=(const OutgoingRequest&) = default;
  ~OutgoingRequest() = default;
};

using OutgoingRequests = boost::intrusive::list<OutgoingRequest, boost::intrusive::base_hook<OutgoingHook>,
                                                boost::intrusive::constant_time_size<false>>;

/// The slots for requests in flight. Requests that find none free get one in the order in which they came.
/// For the thread of the loop, except inFlight().
class Slots {
 public:
  explicit Slots(std::size_t count) : count_(count) {}

  /// From now on, there are no more than that many.
  void limitTo(std::size_t count) noexcept { count_ = std::min(count_, count); }

  /// Takes a slot. False: `request` waits, and is admitted once it has one. It stops waiting when unlinked.
  [[nodiscard]] bool acquire(OutgoingRequest& request) noexcept {
    if (inFlight() >= count_ || !waiting_.empty()) {
      waiting_.push_back(request);
      return false;
    }
    inFlight_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  /// Passes the slot on to the request that has waited longest.
  void release() noexcept {
    if (waiting_.empty()) {
      inFlight_.fetch_sub(1, std::memory_order_relaxed);
      return;
    }
    OutgoingRequest& next = waiting_.front();
    waiting_.pop_front();
    next.admit();
  }

  /// How many slots are taken. Thread-safe.
  [[nodiscard]] std::size_t inFlight() const noexcept { return inFlight_.load(std::memory_order_relaxed); }

 private:
  std::size_t count_;
  std::atomic<std::size_t> inFlight_{0};
  OutgoingRequests waiting_{};
};

}  // namespace tally::detail
