#pragma once

#include <string>

#include "tenants/host.h"

namespace tally::fake::detail {

/// The metrics of a server and its process in the Prometheus text exposition format, version 0.0.4.
[[nodiscard]] std::string metricsOf(const Host& host);

}  // namespace tally::fake::detail
