// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_reporting_report_runs.h>

#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<ReportingReportRun>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<ReportingReportRunListParams>>);

AsyncPager<ReportingReportRun> AsyncReportingReportRuns::list(
    const Borrowed<ReportingReportRunListParams>& params, const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::reportingReportRunsList, params, options);
}

template class AsyncPager<ReportingReportRun>;

}  // namespace tally
