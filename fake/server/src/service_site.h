#pragma once

#include <tally/fake/service.h>

#include "site.h"

namespace tally::fake::detail {

/// One service.
class ServiceSite final : public Site {
 public:
  explicit ServiceSite(Service& service) : service_(service), clock_(service.clock()) {}

  [[nodiscard]] bool mayBlock(const HttpRequest& request) const override;
  [[nodiscard]] Reply reply(const Incoming& incoming, const std::stop_token& stop) override;

 private:
  Service& service_;
  std::shared_ptr<VirtualClock> clock_;
};

}  // namespace tally::fake::detail
