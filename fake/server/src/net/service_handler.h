#pragma once

#include <tally/fake/service.h>

#include "net/handler.h"

namespace tally::fake::detail {

/// How requests take time while the service's clock is not running: see HttpServerOptions.
struct RequestTime {
  bool responsesTakeTime = true;
  bool latencyTakesRealTime = true;
};

/// Serves a single service.
class ServiceHandler final : public Handler {
 public:
  ServiceHandler(Service& service, const RequestTime& time)
      : service_(service), clock_(service.clock()), time_(time) {}

  /// The same for every service.
  [[nodiscard]] static bool mayTakeLong(const HttpRequest& request);

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override { return mayTakeLong(request); }
  [[nodiscard]] Reply handle(const Incoming& incoming, const StopToken& stop) override;

 private:
  Service& service_;
  std::shared_ptr<VirtualClock> clock_;
  RequestTime time_;
};

}  // namespace tally::fake::detail
