#pragma once

#include <tally/fake/service.h>

#include "site.h"

namespace tally::fake::detail {

/// Serves a single service.
class ServiceSite final : public Site {
 public:
  /// For `responsesTakeTime`, see HttpServerOptions.
  ServiceSite(Service& service, bool responsesTakeTime)
      : service_(service), clock_(service.clock()), responsesTakeTime_(responsesTakeTime) {}

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply reply(const Incoming& incoming, const std::stop_token& stop) override;

 private:
  Service& service_;
  std::shared_ptr<VirtualClock> clock_;
  bool responsesTakeTime_;
};

}  // namespace tally::fake::detail
