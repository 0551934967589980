#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <variant>

#include <tally/fake/virtual_clock.h>
#include <tally/transport.h>

namespace tally::fake::detail {

/// A request as it came over HTTP.
struct Incoming {
  HttpRequest request{};
  std::string otherMethod{};  // where it is neither GET nor POST
};

struct Reply {
  std::variant<HttpResponse, TransportFailure> result{};
  Instant due{};                          // it is sent no sooner
  std::shared_ptr<VirtualClock> clock{};  // that tells when that is; null: it is sent at once

  [[nodiscard]] bool isDue() const { return clock == nullptr || clock->now() >= due; }

  /// Blocks until it is due, or until `stop`.
  void awaitDue(const std::stop_token& stop) const {
    if (clock != nullptr) clock->passUntil(due, stop);
  }
};

/// What is served: requests go in, replies come out. Thread-safe.
class Site {
 public:
  virtual ~Site() = default;

  /// Whether the reply to a request may have to be waited for, or takes long to make. Then reply() is called
  /// on a thread of its own.
  [[nodiscard]] virtual bool mayBlock(const HttpRequest& request) const = 0;

  /// A stop ends all waiting: nobody is there any more to take the reply.
  [[nodiscard]] virtual Reply reply(const Incoming& incoming, const std::stop_token& stop) = 0;

 protected:
  Site() = default;
  Site(const Site&) = default;
  Site& operator=(const Site&) = default;
};

}  // namespace tally::fake::detail
