#pragma once

#include <string>
#include <vector>

#include "host.h"
#include "json_input.h"

namespace tally::fake::detail {

/// The operations of Control, such as `POST /_fake/clock/advance`; `*` matches a segment.
[[nodiscard]] std::vector<std::string> controlOperations();

/// Their query parameters, such as `GET /_fake/requests limit`.
[[nodiscard]] std::vector<std::string> controlParameters();

/// The control API under `/_fake/`: does over HTTP what C++ tests do with a Service.
/// fake/server/control.openapi.json describes it. Thread-safe.
class Control final : public Handler {
 public:
  explicit Control(Host& host) : host_(host) {}

  /// Requests for other paths go to the host.
  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] TimedResult handle(const Incoming& incoming, const std::stop_token& stop) override;

 private:
  [[nodiscard]] HttpResponse respond(const Incoming& incoming, const std::stop_token& stop);

  Host& host_;
};

}  // namespace tally::fake::detail
