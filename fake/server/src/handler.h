#pragma once

#include <stop_token>
#include <string>

#include <tally/fake/timed_result.h>
#include <tally/transport.h>

namespace tally::fake::detail {

/// A request received over HTTP.
struct Incoming {
  HttpRequest request{};
  std::string otherMethod{};  // set if the method is neither GET nor POST
};

/// Handles requests. Thread-safe.
class Handler {
 public:
  virtual ~Handler() = default;

  /// Whether handle() may wait or take long. It then runs on another thread.
  [[nodiscard]] virtual bool mayBlock(const HttpRequest& request) const = 0;

  /// `stop` cancels all waiting; it means that nobody waits for the result.
  [[nodiscard]] virtual TimedResult handle(const Incoming& incoming, const std::stop_token& stop) = 0;

 protected:
  Handler() = default;
  Handler(const Handler&) = default;
  Handler& operator=(const Handler&) = default;
};

}  // namespace tally::fake::detail
