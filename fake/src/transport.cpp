#include <tally/fake/transport.h>

#include "server.h"

namespace tally::fake {

namespace {

TransportFailure notSent(TransportFailure::Kind kind, std::string why) {
  return {.kind = kind, .mayHaveBeenSent = false, .message = std::move(why)};
}

}  // namespace

std::variant<HttpResponse, TransportFailure> Transport::send(const HttpRequest& request,
                                                             const SendLimits& limits) {
  if (limits.stop.stop_requested())
    return notSent(TransportFailure::Kind::canceled, "the caller asked to stop");
  if (server_->clock->now() >= limits.until)
    return notSent(TransportFailure::Kind::timeout, "the time for the attempt was over before it began");
  return server_->handle(request);
}

}  // namespace tally::fake
