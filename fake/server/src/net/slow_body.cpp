#include "net/slow_body.h"

#include <cstdint>
#include <utility>

namespace tally::fake::detail {

SlowBody::SlowBody(std::string body, const Reply& timing)
    : body_(std::move(body)),
      last_{.due = timing.due, .clock = timing.clock, .pause = timing.pause},
      parts_(static_cast<std::size_t>(timing.chunks)),
      pausesInRealTime_(timing.pausesTakeRealTime) {}

std::optional<std::string> SlowBody::take(Time now) {
  std::string piece;
  while (sent_ < parts_) {
    if (now < next_ || !isDue()) return piece;
    const std::size_t begin = endOf(sent_++);
    piece.append(body_, begin, endOf(sent_) - begin);
    if (pausesInRealTime_) next_ = now + last_.pause;
  }
  return piece.empty() ? std::nullopt : std::optional{std::move(piece)};
}

/// Whether the next part is due. Setting the alarm may have moved the clock there.
bool SlowBody::isDue() {
  const auto left = static_cast<std::int64_t>(parts_ - sent_ - 1);
  const ScheduledResult part{.due = last_.due - last_.pause * left, .clock = last_.clock};
  alarm_.reset();
  if (!part.isDue()) alarm_.emplace(*part.clock, part.due, wake_);
  return part.isDue();
}

}  // namespace tally::fake::detail
