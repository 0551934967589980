// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "ic_1",
  "object": "issuing_card",
  "description": "",
  "metadata": {},
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules issuingCardRules;

constinit const ResourceRules issuingCardRules{
    .resource = &tally::detail::issuingCardResource,
    .example = example,
};

}  // namespace tally::fake::detail
