// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/reporting_report_runs.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<ReportingReportRun>::value;

Pager<ReportingReportRun> ReportingReportRuns::list(const ReportingReportRunListParams& params,
                                                    const RequestOptions& options) const {
  return detail::walkPages(core_, detail::reportingReportRunsList, params, options);
}

template class Pager<ReportingReportRun>;
template class Pages<ReportingReportRun>;
template std::ostream& operator<<(std::ostream& out, const Page<ReportingReportRun>& value);

}  // namespace tally
