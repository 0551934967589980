#include "network.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "sending.h"
#include "text/random.h"

namespace tally::stress {

namespace {

constexpr std::chrono::nanoseconds slowest = std::chrono::milliseconds{20};

TransportFailure givenUp(const SendLimits& limits, bool sent) {
  const bool canceled = limits.stop.stop_requested();
  return {.kind = canceled ? TransportFailure::Kind::canceled : TransportFailure::Kind::timeout,
          .mayHaveBeenSent = sent,
          .message = canceled ? "the caller requested a stop" : "no response in time"};
}

}  // namespace

Instant Network::arrival() {
  return clock_->now() +
         std::chrono::nanoseconds{detail::nextRandom(random_) % static_cast<std::uint64_t>(slowest.count())};
}

void Network::count(const HttpRequest& request) {
  ++sent_;
  if (request.method != Method::post) return;
  for (const Header& header : request.headers)
    if (header.name == callHeader) ++changes_[std::stoull(header.value)];
}

TransportResult Network::send(const HttpRequest& request, const SendLimits& limits) {
  count(request);
  if (limits.stop.stop_requested() || clock_->now() >= limits.deadline) return givenUp(limits, false);
  const Instant arrives = arrival();
  if (!clock_->sleepUntil(std::min(arrives, limits.deadline), limits.stop) || arrives >= limits.deadline)
    return givenUp(limits, true);
  ++arrived_;
  fake::ScheduledResult timed = service_.exchange(request);
  if (!clock_->sleepUntil(std::min(timed.due, limits.deadline), limits.stop) || timed.due > limits.deadline)
    return givenUp(limits, true);
  return std::move(timed.result);
}

}  // namespace tally::stress
