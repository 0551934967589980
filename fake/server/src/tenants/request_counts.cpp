#include "tenants/request_counts.h"

#include <variant>

namespace tally::fake::detail {

void RequestCounts::add(const ScheduledResult& result) {
  const auto* response = std::get_if<HttpResponse>(&result.result);
  const std::lock_guard lock{mutex_};
  ++totals_.requests[{result.operation, response == nullptr ? 0 : response->status}];
  if (!result.limit.empty()) ++totals_.refusals[result.limit];
  if (!result.fault.empty()) ++totals_.faults[result.fault];
}

RequestCounts::Totals RequestCounts::totals() const {
  const std::lock_guard lock{mutex_};
  return totals_;
}

}  // namespace tally::fake::detail
