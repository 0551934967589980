// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

// clang-format off: one per line
constexpr std::string_view searchable[] = {
    "created",
    "metadata",
    "subscription",
};
// clang-format on

constexpr std::string_view example = R"json({
  "id": "in_1",
  "object": "invoice",
  "subscription": "sub_1",
  "metadata": {},
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules invoiceRules;

constinit const ResourceRules invoiceRules{
    .resource = &tally::detail::invoiceResource,
    .searchable = searchable,
    .example = example,
};

}  // namespace tally::fake::detail
