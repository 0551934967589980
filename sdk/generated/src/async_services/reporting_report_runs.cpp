// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_reporting_report_runs.h>

#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<ReportingReportRun>::value;

namespace {

static_assert(std::is_trivially_destructible_v<ReportingReportRunListArgs>);
ReportingReportRunListParams own(const ReportingReportRunListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

}  // namespace

AsyncPager<ReportingReportRun> AsyncReportingReportRuns::list(const ReportingReportRunListArgs& args,
                                                              const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::reportingReportRunsList, own(args), options);
}

template class AsyncPager<ReportingReportRun>;

}  // namespace tally
