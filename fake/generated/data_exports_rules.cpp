// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "dexp_1",
  "object": "data_export",
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules dataExportRules;

constinit const ResourceRules dataExportRules{
    .resource = &tally::detail::dataExportResource,
    .example = example,
};

}  // namespace tally::fake::detail
