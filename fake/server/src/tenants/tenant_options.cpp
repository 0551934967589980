#include "tenants/tenant_options.h"

namespace tally::fake::detail {

void members(Members& m, AccountOptions& options) {
  m.usual("country", options.country);
  m.usual("industry", options.industry);
}

TenantOptions readTenantOptions(JsonInput& input) {
  TenantOptions options{.account = readSome<AccountOptions>(input),
                        .virtualClock = input.boolean("virtual_clock"),
                        .duration = input.milliseconds("duration_ms"),
                        .lockWait = input.milliseconds("lock_wait_ms"),
                        .requestLog = input.integer("request_log", 0, longestRequestLog),
                        .faultHeader = input.boolean("fault_header")};
  if (const auto none = input.boolean("no_limits")) options.limits = !*none;
  if (const auto lag = input.milliseconds("search_lag_ms")) {
    options.searchLag = std::chrono::floor<std::chrono::seconds>(*lag);
    if (*options.searchLag != *lag) input.fail("search_lag_ms", "expected whole seconds");
  }
  return options;
}

}  // namespace tally::fake::detail
