// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr Assignment onCreate[] = {
    {.target = "amount_canceled.currency", .source = "amount_requested.currency"},
    {.target = "amount_failed.currency", .source = "amount_requested.currency"},
    {.target = "amount_guaranteed.currency", .source = "amount_requested.currency"},
    {.target = "amount_refunded.currency", .source = "amount_requested.currency"},
};

constexpr std::string_view freshIds[] = {
    "latest_payment_attempt_record",
};

// clang-format off: one per line
constexpr std::string_view searchable[] = {
    "amount_requested.currency",
    "amount_requested.value",
    "created",
    "customer_presence",
    "description",
    "latest_payment_attempt_record",
    "metadata",
    "processor_details.custom.payment_reference",
};
// clang-format on

constexpr std::string_view example = R"json({
  "id": "pr_1",
  "object": "payment_record",
  "amount_requested": {"currency":"usd","value":1000},
  "amount_canceled": {"currency":"usd","value":0},
  "amount_failed": {"currency":"usd","value":0},
  "amount_guaranteed": {"currency":"usd","value":0},
  "amount_refunded": {"currency":"usd","value":0},
  "created": 1735689600,
  "customer_details": null,
  "customer_presence": "on_session",
  "description": "",
  "latest_payment_attempt_record": "par_1",
  "livemode": false,
  "metadata": {},
  "payment_method_details": {"billing_details":null,"custom":{"display_name":"Custom method","type":"custom"},"payment_method":null,"type":"custom"},
  "processor_details": {"custom":{"payment_reference":"ref_1"},"type":"custom"},
  "shipping_details": null
})json";

}  // namespace

extern const ResourceRules paymentRecordRules;

constinit const ResourceRules paymentRecordRules{
    .resource = &tally::detail::paymentRecordResource,
    .onCreate = onCreate,
    .freshIds = freshIds,
    .searchable = searchable,
    .example = example,
};

}  // namespace tally::fake::detail
