#pragma once

#include <cstddef>
#include <mutex>
#include <stop_token>
#include <string_view>

#include <tally/clock.h>
#include <tally/options.h>

#include "text/by_text.h"

namespace tally::detail {

/// Lines of calls that change the same object: the first of each may go on, the others wait for it. Spec:
/// "Errors", "Client handling of 429". Thread-safe.
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
  ByText<Line> lines_{};
  std::size_t length_ = 0;  // of all lines
  std::size_t maxWaiting_;
};

/// The place of one call in the line of its object; left when this goes.
class MutationQueues::Place {
 public:
  /// Joins the end of the line, unless too many wait there. `object` outlives this.
  Place(MutationQueues& queues, std::string_view object);
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place();

  [[nodiscard]] bool joined() const noexcept { return joined_; }

  /// Whether all those before have left.
  [[nodiscard]] bool first() const;

  /// Waits to be the first, until `time` has come or `stop` is requested. Whether it is.
  bool await(Clock& clock, Instant time, const std::stop_token& stop);

 private:
  void join() noexcept;
  [[nodiscard]] std::stop_source leave();

  MutationQueues& queues_;
  std::string_view object_;
  Line* line_ = nullptr;
  Place* before_ = nullptr;
  Place* after_ = nullptr;
  std::stop_source wake_{std::nostopstate};  // of those that have to wait
  bool joined_ = false;
};

}  // namespace tally::detail
