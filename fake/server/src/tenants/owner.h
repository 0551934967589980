#pragma once

#include <memory>
#include <string>

#include "tenants/tenant.h"

namespace tally::fake::detail {

/// The owner of a key: the account of a tenant, in one mode, that it acts for.
struct Owner {
  std::shared_ptr<Tenant> tenant{};
  std::string account{};
  bool livemode = false;
};

}  // namespace tally::fake::detail
