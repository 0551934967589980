// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

// clang-format off: one per line
constexpr std::string_view searchable[] = {
    "created",
    "description",
    "metadata",
    "quantity",
};
// clang-format on

constexpr std::string_view example = R"json({
  "id": "sub_1",
  "object": "subscription",
  "quantity": 1,
  "description": "",
  "metadata": {},
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules subscriptionRules;

constinit const ResourceRules subscriptionRules{
    .resource = &tally::detail::subscriptionResource,
    .searchable = searchable,
    .example = example,
};

}  // namespace tally::fake::detail
