#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include <tally/fake/virtual_clock.h>
#include <tally/transport.h>

namespace tally::fake::detail {

/// A request received over HTTP.
struct Incoming {
  HttpRequest request{};
  std::string otherMethod{};  // set if the method is neither GET nor POST
};

struct Reply {
  TransportResult result{};
  Instant due{};                          // when the response may be sent
  std::shared_ptr<VirtualClock> clock{};  // for `due`; null means immediately

  [[nodiscard]] bool isDue() const { return clock == nullptr || clock->now() >= due; }

  /// Blocks until `due` or `stop`.
  void awaitDue(const std::stop_token& stop) const {
    if (clock != nullptr) clock->passUntil(due, stop);
  }
};

/// Handles requests. Thread-safe.
class Site {
 public:
  virtual ~Site() = default;

  /// Whether reply() may wait or take long. It then runs on another thread.
  [[nodiscard]] virtual bool mayBlock(const HttpRequest& request) const = 0;

  /// `stop` cancels all waiting; it means that nobody waits for the reply.
  [[nodiscard]] virtual Reply reply(const Incoming& incoming, const std::stop_token& stop) = 0;

 protected:
  Site() = default;
  Site(const Site&) = default;
  Site& operator=(const Site&) = default;
};

}  // namespace tally::fake::detail
