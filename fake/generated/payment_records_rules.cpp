// Generated from the API description, version 1.0.0. Do not edit.
#include <cstdint>
#include <span>
#include <string_view>

#include "errors.h"
#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

enum : std::uint8_t {
  stateUnreported,
  stateCanceled,
  stateFailed,
  stateGuaranteed,
};

constexpr std::string_view states[] = {
    "unreported",  // stateUnreported
    "canceled",    // stateCanceled
    "failed",      // stateFailed
    "guaranteed",  // stateGuaranteed
};

constexpr Assignment unreportedShows[] = {
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_failed.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment canceledShows[] = {
    {.target = "amount_canceled", .source = "amount_requested"},
    {.target = "amount_failed.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment failedShows[] = {
    {.target = "amount_failed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment guaranteedShows[] = {
    {.target = "amount_guaranteed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_failed.value", .constant = "0"},
};

constexpr std::span<const Assignment> shows[] = {
    unreportedShows,  // stateUnreported
    canceledShows,    // stateCanceled
    failedShows,      // stateFailed
    guaranteedShows,  // stateGuaranteed
};

constexpr Assignment reportCanceledEffects[] = {
    {.target = "amount_canceled", .source = "amount_requested"},
    {.target = "amount_failed.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment reportFailedEffects[] = {
    {.target = "amount_failed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_guaranteed.value", .constant = "0"},
};

constexpr Assignment reportGuaranteedEffects[] = {
    {.target = "amount_guaranteed", .source = "amount_requested"},
    {.target = "amount_canceled.value", .constant = "0"},
    {.target = "amount_failed.value", .constant = "0"},
};

constexpr Transition transitions[] = {
    {
        .trigger = &tally::detail::paymentRecordsReportCanceled,
        .before = 1U << stateUnreported | 1U << stateCanceled | 1U << stateFailed,
        .after = stateCanceled,
        .effects = reportCanceledEffects,
    },
    {
        .trigger = &tally::detail::paymentRecordsReportFailed,
        .before = 1U << stateUnreported | 1U << stateCanceled | 1U << stateFailed,
        .after = stateFailed,
        .effects = reportFailedEffects,
    },
    {
        .trigger = &tally::detail::paymentRecordsReportGuaranteed,
        .before = 1U << stateUnreported | 1U << stateCanceled | 1U << stateFailed,
        .after = stateGuaranteed,
        .effects = reportGuaranteedEffects,
    },
    {
        .trigger = &tally::detail::paymentRecordsReportCanceled,
        .before = 1U << stateGuaranteed,
        .refusal = &errors::paymentAttemptAlreadyGuaranteed,
    },
    {
        .trigger = &tally::detail::paymentRecordsReportFailed,
        .before = 1U << stateGuaranteed,
        .refusal = &errors::paymentAttemptAlreadyGuaranteed,
    },
    {
        .trigger = &tally::detail::paymentRecordsReportGuaranteed,
        .before = 1U << stateGuaranteed,
        .refusal = &errors::paymentAttemptAlreadyGuaranteed,
    },
};

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
    .states = states,
    .shows = shows,
    .initialState = stateUnreported,
    .transitions = transitions,
    .onCreate = onCreate,
    .freshIds = freshIds,
    .searchable = searchable,
    .example = example,
};

}  // namespace tally::fake::detail
