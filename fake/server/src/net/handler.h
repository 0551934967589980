#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <tally/fake/scheduled_result.h>
#include <tally/transport.h>

#include "net/body_stream.h"

namespace tally::fake::detail {

/// A request received over HTTP.
struct Incoming {
  HttpRequest request{};
  std::string otherMethod{};  // set if the method is neither GET nor POST
};

/// The result of a request, or the start of a response whose body is a stream.
struct Reply : ScheduledResult {
  // NOLINTNEXTLINE(google-explicit-constructor): most handlers have no stream
  Reply(ScheduledResult timed = {}) : ScheduledResult(std::move(timed)) {}
  Reply(HttpResponse head, std::shared_ptr<BodyStream> stream) : body(std::move(stream)) {
    result = std::move(head);
  }

  std::shared_ptr<BodyStream> body{};  // instead of the body of the response
  std::chrono::nanoseconds delay{0};   // in real time, before it is awaited on its clock
  bool pausesTakeRealTime = false;     // those between the parts of its body
};

/// Handles requests. Thread-safe.
class Handler {
 public:
  virtual ~Handler() = default;

  /// Whether handle() may wait or take long. It then runs on another thread.
  [[nodiscard]] virtual bool mayBlock(const HttpRequest& request) const = 0;

  /// `stop` cancels all waiting; it means that nobody waits for the result.
  [[nodiscard]] virtual Reply handle(const Incoming& incoming, const StopToken& stop) = 0;

 protected:
  Handler() = default;
  Handler(const Handler&) = default;
  Handler& operator=(const Handler&) = default;
};

}  // namespace tally::fake::detail
