#include <tally/transport.h>

#include "event/async_transport.h"
#include "event/event_loop.h"
#include "text/find_header.h"

namespace [[gnu::visibility("default")]] tally {

std::string_view toString(Method method) noexcept {
  return method == Method::get ? "GET" : "POST";
}

std::string_view toString(TransportFailure::Kind kind) noexcept {
  switch (kind) {
    case TransportFailure::Kind::forbidden:
      return "forbidden";
    case TransportFailure::Kind::couldNotResolve:
      return "could not resolve";
    case TransportFailure::Kind::couldNotConnect:
      return "could not connect";
    case TransportFailure::Kind::tls:
      return "TLS failure";
    case TransportFailure::Kind::connection:
      return "connection lost";
    case TransportFailure::Kind::truncated:
      return "truncated response";
    case TransportFailure::Kind::malformed:
      return "invalid HTTP response";
    case TransportFailure::Kind::tooLarge:
      return "response too large";
    case TransportFailure::Kind::timeout:
      return "timed out";
    case TransportFailure::Kind::canceled:
      return "canceled";
  }
  return "unknown failure";
}

std::unique_ptr<detail::AsyncSetup> Transport::makeAsync(const std::shared_ptr<Clock>&) {
  return nullptr;
}

const std::string* HttpResponse::header(std::string_view name) const noexcept {
  return detail::findHeader(headers, name);
}

}  // namespace tally
