#pragma once

#include <tally/fake/service.h>

#include "handler.h"

namespace tally::fake::detail {

/// Serves a single service.
class ServiceHandler final : public Handler {
 public:
  /// For `responsesTakeTime`, see HttpServerOptions.
  ServiceHandler(Service& service, bool responsesTakeTime)
      : service_(service), clock_(service.clock()), responsesTakeTime_(responsesTakeTime) {}

  /// The same for every service.
  [[nodiscard]] static bool mayTakeLong(const HttpRequest& request);

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override { return mayTakeLong(request); }
  [[nodiscard]] Reply handle(const Incoming& incoming, const std::stop_token& stop) override;

 private:
  Service& service_;
  std::shared_ptr<VirtualClock> clock_;
  bool responsesTakeTime_;
};

}  // namespace tally::fake::detail
