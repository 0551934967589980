// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

// clang-format off: one per line
constexpr std::string_view searchable[] = {
    "amount",
    "created",
    "currency",
    "description",
    "metadata",
};
// clang-format on

constexpr std::string_view example = R"json({
  "id": "pi_1",
  "object": "payment_intent",
  "amount": 1000,
  "currency": "usd",
  "description": "",
  "metadata": {},
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules paymentIntentRules;

constinit const ResourceRules paymentIntentRules{
    .resource = &tally::detail::paymentIntentResource,
    .searchable = searchable,
    .isTransaction = true,
    .example = example,
};

}  // namespace tally::fake::detail
