// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "rrun_1",
  "object": "reporting_report_run",
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules reportingReportRunRules;

constinit const ResourceRules reportingReportRunRules{
    .resource = &tally::detail::reportingReportRunResource,
    .example = example,
};

}  // namespace tally::fake::detail
