// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "po_1",
  "object": "payout",
  "amount": 1000,
  "currency": "usd",
  "description": "",
  "metadata": {},
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules payoutRules;

constinit const ResourceRules payoutRules{
    .resource = &tally::detail::payoutResource,
    .example = example,
};

}  // namespace tally::fake::detail
