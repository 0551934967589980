#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tally/fake/scheduled_result.h>
#include <tally/transport.h>

#include <boost/asio/io_context.hpp>

#include "net/body_stream.h"

namespace tally::fake::detail {

/// A request received over HTTP.
struct Incoming {
  HttpRequest request{};
  std::string otherMethod{};  // set if the method is neither GET nor POST
};

/// The method of a request, as in HTTP.
[[nodiscard]] inline std::string_view methodOf(const Incoming& incoming) {
  return incoming.otherMethod.empty() ? toString(incoming.request.method)
                                      : std::string_view{incoming.otherMethod};
}

/// The result of a request, or the start of a response whose body is a stream.
struct Reply : ScheduledResult {
  // NOLINTBEGIN(google-explicit-constructor): most handlers have no stream
  Reply(ScheduledResult timed = {}) : ScheduledResult(std::move(timed)) {}
  Reply(HttpResponse response, std::shared_ptr<BodyStream> stream = nullptr) : body(std::move(stream)) {
    result = std::move(response);
  }
  // NOLINTEND(google-explicit-constructor)

  std::shared_ptr<BodyStream> body{};  // instead of the body of the response
  std::chrono::nanoseconds delay{0};   // in real time, before it is awaited on its clock
  bool pausesTakeRealTime = false;     // those between the parts of its body
};

/// A response with a body of that type.
[[nodiscard]] inline HttpResponse responseWith(std::string_view type, std::string body, int status = 200) {
  return {.status = status, .headers = {{"Content-Type", std::string{type}}}, .body = std::move(body)};
}

/// Handles requests without a thread that waits. Thread-safe.
class DeferredHandler {
 public:
  using Done = std::function<void(Reply reply)>;

  DeferredHandler() = default;
  DeferredHandler(const DeferredHandler&) = delete;
  DeferredHandler& operator=(const DeferredHandler&) = delete;
  virtual ~DeferredHandler() = default;

  /// Calls `done` once, in that loop, and never before it returns. `incoming` lives until then.
  virtual void start(const Incoming& incoming, boost::asio::io_context& loop, Done done) = 0;
};

/// Handles requests. Thread-safe.
class Handler {
 public:
  virtual ~Handler() = default;

  /// Whether handle() may wait or take long. It then runs on another thread.
  [[nodiscard]] virtual bool mayBlock(const HttpRequest& request) const = 0;

  /// `stop` cancels all waiting; it means that nobody waits for the result.
  [[nodiscard]] virtual Reply handle(const Incoming& incoming, const StopToken& stop) = 0;

  /// What handles a request instead of handle(); null if nothing does.
  [[nodiscard]] virtual DeferredHandler* deferredFor(const HttpRequest& /*request*/) { return nullptr; }

 protected:
  Handler() = default;
  Handler(const Handler&) = default;
  Handler& operator=(const Handler&) = default;
};

}  // namespace tally::fake::detail
