#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <variant>

#include <tally/transport.h>

namespace tally::fake::detail {

/// A request as it came over HTTP.
struct Incoming {
  HttpRequest request{};
  std::string otherMethod{};  // where it is neither GET nor POST
};

struct Reply {
  std::variant<HttpResponse, TransportFailure> result{};
  std::chrono::nanoseconds delay{0};  // until it is sent
};

/// What is served: requests go in, replies come out. Thread-safe.
class Site {
 public:
  virtual ~Site() = default;

  /// Whether the reply to a request may have to be waited for. Then reply() is called on a thread of its own.
  [[nodiscard]] virtual bool mayBlock(const HttpRequest& request) const = 0;

  /// A stop ends all waiting.
  [[nodiscard]] virtual Reply reply(const Incoming& incoming, const std::stop_token& stop) = 0;

 protected:
  Site() = default;
  Site(const Site&) = default;
  Site& operator=(const Site&) = default;
};

}  // namespace tally::fake::detail
