#include <algorithm>

#include <tally/fake/transport.h>

#include "engine/server.h"

namespace tally::fake {

namespace {

TransportFailure notSent(TransportFailure::Kind kind, std::string why) {
  return {.kind = kind, .mayHaveBeenSent = false, .message = std::move(why)};
}

TransportFailure lost(TransportFailure::Kind kind, std::string why) {
  return {.kind = kind, .mayHaveBeenSent = true, .message = std::move(why)};
}

}  // namespace

TransportResult Transport::send(const HttpRequest& request, const SendLimits& limits) {
  if (limits.stop.stop_requested())
    return notSent(TransportFailure::Kind::canceled, "the caller asked to stop");
  if (limits.from.value_or(server_->clock->now()) >= limits.until)
    return notSent(TransportFailure::Kind::timeout, "the time for the attempt was over before it began");
  detail::Exchange exchange = server_->exchange(request, limits);
  if (!server_->clock->passUntil(std::min(exchange.end, exchange.until), limits.stop))
    return lost(TransportFailure::Kind::canceled, "the caller asked to stop before the answer came");
  if (exchange.end > exchange.until) return lost(TransportFailure::Kind::timeout, "no response in time");
  return std::move(exchange.result);
}

}  // namespace tally::fake
