#pragma once

#include <string_view>
#include <utility>

#include "control/host_names.h"
#include "format/json_input.h"
#include "tenants/host.h"

namespace tally::fake::detail {

struct ControlOptions {
  HostNames hosts{};                // under which the control API may be addressed
  std::string_view scheme{"http"};  // of the server
};

/// The control API under `/_fake/`: does over HTTP what C++ tests do with a Service.
/// fake/server/control.openapi.json describes it. Also the page at `/`, which explains the server.
/// Thread-safe.
class Control final : public Handler {
 public:
  explicit Control(Host& host, ControlOptions options = {}) : host_(host), options_(std::move(options)) {}

  /// Requests for other paths go to the host.
  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply handle(const Incoming& incoming, const StopToken& stop) override;

 private:
  [[nodiscard]] Reply respond(const Incoming& incoming, const StopToken& stop);

  Host& host_;
  const ControlOptions options_;
};

}  // namespace tally::fake::detail
