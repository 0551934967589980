#include <tally/fake/transport.h>

#include "engine/engine.h"
#include "service/sent.h"

namespace tally::fake {

namespace {

TransportFailure notSent(TransportFailure::Kind kind, std::string why) {
  return {.kind = kind, .mayHaveBeenSent = false, .message = std::move(why)};
}

}  // namespace

TransportResult Transport::send(const HttpRequest& request, const SendLimits& limits) {
  if (limits.stop.stop_requested())
    return notSent(TransportFailure::Kind::canceled, "the caller requested a stop");
  if (limits.startedAt.value_or(engine_->clock()->now()) >= limits.deadline)
    return notSent(TransportFailure::Kind::timeout, "no time left to send the request");
  ScheduledResult timed = engine_->exchange(request, limits);
  if (timed.waitUntilDue(limits.stop)) return std::move(timed.result);
  return TransportFailure{.kind = TransportFailure::Kind::canceled,
                          .mayHaveBeenSent = detail::mayHaveBeenSent(timed.result),
                          .message = "the caller requested a stop before the response arrived"};
}

}  // namespace tally::fake
