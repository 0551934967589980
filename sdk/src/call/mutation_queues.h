#pragma once

#include <cstddef>
#include <mutex>
#include <string_view>

#include <tally/clock.h>
#include <tally/options.h>
#include <tally/stop_token.h>

#include "text/string_map.h"

namespace tally::detail {

/// Queues of calls that change the same object: the first proceeds, the others wait for it. Spec: "Errors",
/// "Client handling of 429". Thread-safe.
class MutationQueues {
 public:
  class Place;

  explicit MutationQueues(std::size_t maxWaiting) : maxWaiting_(maxWaiting) {}

  [[nodiscard]] MutationCounts counts() const;

 private:
  struct Line {
    Place* first = nullptr;
    Place* last = nullptr;
    std::size_t length = 0;
  };

  mutable std::mutex mutex_{};
  StringMap<Line> lines_{};
  std::size_t length_ = 0;  // of all queues
  std::size_t maxWaiting_;
};

/// The position of one call in the queue of its object; the destructor leaves the queue.
class MutationQueues::Place {
 public:
  /// Joins the end of the queue, unless too many wait there. `object` must outlive this.
  Place(MutationQueues& queues, std::string_view object);
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place();

  [[nodiscard]] bool joined() const noexcept { return joined_; }

  /// Whether all earlier calls have left.
  [[nodiscard]] bool first() const;

  /// Requests a stop when it becomes first. Only for a place that was not first when it joined.
  [[nodiscard]] StopToken wakeToken() const { return wake_.get_token(); }

  /// Waits to be first, until `time` or until `stop` is requested. Returns whether it is.
  bool await(Clock& clock, Instant time, const StopToken& stop);

 private:
  void join() noexcept;
  [[nodiscard]] StopSource leave();

  MutationQueues& queues_;
  std::string_view object_;
  Line* line_ = nullptr;
  Place* before_ = nullptr;
  Place* after_ = nullptr;
  StopSource wake_{noStopState};  // set for those that have to wait
  bool joined_ = false;
};

}  // namespace tally::detail
