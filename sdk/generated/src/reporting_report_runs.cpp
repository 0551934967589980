// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/reporting_report_runs.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field reportingReportRunFields[] = {
    identifier("rrun_", field<&ReportingReportRun::id>("id", Presence::required)),
    constant("object", "reporting_report_run"),
    field<&ReportingReportRun::created>("created", Presence::required),
    field<&ReportingReportRun::livemode>("livemode", Presence::required),
};

constexpr Field reportingReportRunListParamsFields[] = {
    between(1, 100, field<&ReportingReportRunListParams::limit>("limit")),
    excluding("ending_before",
              identifier("rrun_", field<&ReportingReportRunListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("rrun_", field<&ReportingReportRunListParams::endingBefore>("ending_before"))),
};

}  // namespace

template <>
constinit const Struct Schema<ReportingReportRun>::value =
    describe<ReportingReportRun>("reporting_report_run", reportingReportRunFields);
template <>
constinit const Struct Schema<ReportingReportRunListParams>::value = describe<ReportingReportRunListParams>(
    "reporting_report_run_list_params", reportingReportRunListParamsFields);

constinit const Resource reportingReportRunResource{
    .name = "reporting_report_run",
    .plural = "reporting_report_runs",
    .idPrefix = "rrun_",
    .model = &Schema<ReportingReportRun>::value,
    .outsideReadAllocation = true,
};

constinit decltype(reportingReportRunsList) reportingReportRunsList{AnyOperation{
    .name = "reporting_report_runs.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/reporting/report_runs",
    .resource = &reportingReportRunResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const ReportingReportRun& value) {
  return detail::print(out, value);
}

template std::string toJson(const ReportingReportRun& object);
template Result<ReportingReportRun> fromJson(std::string_view json);

template <class O>
BasicReportingReportRunListParams<O>::operator BasicReportingReportRunListParams<detail::OppositeOf<O>>()
    const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicReportingReportRunListParams<Owning>;
template struct BasicReportingReportRunListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const ReportingReportRunListParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
