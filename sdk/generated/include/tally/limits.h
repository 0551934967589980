// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <array>
#include <chrono>
#include <string_view>

#include <tally/limit_types.h>

namespace tally::limits {

namespace detail {

// clang-format off: one per line
inline constexpr std::string_view accountCreationOperations[] = {
    "accounts.create",
    "core_accounts.create",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view fileReadsOperations[] = {
    "files.list",
    "files.retrieve",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view fileWritesOperations[] = {
    "files.create",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view cardCreationOperations[] = {
    "issuing_cards.create",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view paymentIntentUpdatesOperations[] = {
    "payment_intents.update",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view payoutCreationOperations[] = {
    "payouts.create",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view payoutsInProgressOperations[] = {
    "payouts.create",
    "payouts.list",
    "payouts.retrieve",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view searchesOperations[] = {
    "invoices.search",
    "payment_intents.search",
    "payment_records.search",
    "subscriptions.search",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view subscriptionWritesOperations[] = {
    "subscriptions.create",
    "subscriptions.update",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view newInvoicesPerMinuteOperations[] = {
    "invoices.create",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view newInvoicesPerDayOperations[] = {
    "invoices.create",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view quantityUpdatesOperations[] = {
    "subscriptions.update",
};
// clang-format on

}  // namespace detail

/// Connected accounts created, across both account versions.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
/// Assumed (not specified): What counts as a new invoice, a quantity update or a creation.
inline constexpr Limit accountCreation{
    .name = "account_creation",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::changes,
    .scope = LimitScope::account,
    .operations = detail::accountCreationOperations,
    .live = 30,
    .sandbox = 5,
    .window = std::chrono::seconds{1},
};

/// Reads of files.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
inline constexpr Limit fileReads{
    .name = "file_reads",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::requests,
    .scope = LimitScope::account,
    .operations = detail::fileReadsOperations,
    .live = 20,
    .sandbox = 20,
    .window = std::chrono::seconds{1},
};

/// Writes of files.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
inline constexpr Limit fileWrites{
    .name = "file_writes",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::requests,
    .scope = LimitScope::account,
    .operations = detail::fileWritesOperations,
    .live = 20,
    .sandbox = 20,
    .window = std::chrono::seconds{1},
};

/// Cards created. The number depends on the issuing account's country and industry.
/// Spec: "Limits".
/// Assumed (not specified): Card creation.
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
/// Assumed (not specified): What counts as a new invoice, a quantity update or a creation.
/// Assumed (not specified): Which account a request counts against.
inline constexpr Limit cardCreation{
    .name = "card_creation",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::changes,
    .scope = LimitScope::account,
    .operations = detail::cardCreationOperations,
    .countsForConnectedAccount = true,
    .window = std::chrono::seconds{1},
};

/// Updates of a payment intent.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
/// Assumed (not specified): Which account a request counts against.
inline constexpr Limit paymentIntentUpdates{
    .name = "payment_intent_updates",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::requests,
    .scope = LimitScope::object,
    .operations = detail::paymentIntentUpdatesOperations,
    .countsForConnectedAccount = true,
    .live = 1000,
    .sandbox = 1000,
    .window = std::chrono::seconds{3600},
};

/// Requests to create payouts.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
inline constexpr Limit payoutCreation{
    .name = "payout_creation",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::requests,
    .scope = LimitScope::account,
    .operations = detail::payoutCreationOperations,
    .live = 15,
    .sandbox = 15,
    .window = std::chrono::seconds{1},
};

/// Payout requests in progress at the same time.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
inline constexpr Limit payoutsInProgress{
    .name = "payouts_in_progress",
    .reason = RateLimitedReason::endpointConcurrency,
    .metric = LimitMetric::inProgress,
    .scope = LimitScope::account,
    .operations = detail::payoutsInProgressOperations,
    .live = 30,
    .sandbox = 30,
};

/// Requests in progress at the same time.
/// Spec: "Limits".
/// Assumed (not specified): Concurrency limits without a number.
inline constexpr Limit globalConcurrency{
    .name = "global_concurrency",
    .reason = RateLimitedReason::globalConcurrency,
    .metric = LimitMetric::inProgress,
    .scope = LimitScope::account,
};

/// Requests for one operation in progress at the same time.
/// Spec: "Limits".
/// Assumed (not specified): Concurrency limits without a number.
inline constexpr Limit endpointConcurrency{
    .name = "endpoint_concurrency",
    .reason = RateLimitedReason::endpointConcurrency,
    .metric = LimitMetric::inProgress,
    .scope = LimitScope::operation,
};

/// All requests of an account.
/// Spec: "Limits".
/// Assumed (not specified): "Requests per second".
/// Assumed (not specified): Several limits at once.
/// Assumed (not specified): Which account a request counts against.
inline constexpr Limit globalRate{
    .name = "global_rate",
    .reason = RateLimitedReason::globalRate,
    .metric = LimitMetric::requests,
    .scope = LimitScope::account,
    .live = 100,
    .sandbox = 25,
    .window = std::chrono::seconds{1},
};

/// Requests for one operation, across all objects.
/// Spec: "Limits".
/// Assumed (not specified): "Requests per second".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
inline constexpr Limit endpointRate{
    .name = "endpoint_rate",
    .reason = RateLimitedReason::endpointRate,
    .metric = LimitMetric::requests,
    .scope = LimitScope::operation,
    .live = 25,
    .sandbox = 25,
    .window = std::chrono::seconds{1},
};

/// Searches, across all resources.
/// Spec: "Limits".
/// Assumed (not specified): "Requests per second".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
inline constexpr Limit searches{
    .name = "searches",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::requests,
    .scope = LimitScope::account,
    .operations = detail::searchesOperations,
    .live = 120,
    .sandbox = 120,
    .window = std::chrono::seconds{1},
};

/// Requests that create or update subscriptions.
/// Spec: "Errors".
/// Assumed (not specified): Shared rate limit of subscription writes.
inline constexpr Limit subscriptionWrites{
    .name = "subscription_writes",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::requests,
    .scope = LimitScope::account,
    .operations = detail::subscriptionWritesOperations,
    .addsToEndpointRate = true,
    .window = std::chrono::seconds{1},
};

/// New invoices of a subscription.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
/// Assumed (not specified): What counts as a new invoice, a quantity update or a creation.
/// Assumed (not specified): Which account a request counts against.
inline constexpr Limit newInvoicesPerMinute{
    .name = "new_invoices_per_minute",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::changes,
    .scope = LimitScope::object,
    .operations = detail::newInvoicesPerMinuteOperations,
    .object = "subscription",
    .countsForConnectedAccount = true,
    .live = 10,
    .sandbox = 10,
    .window = std::chrono::seconds{60},
};

/// New invoices of a subscription.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
/// Assumed (not specified): What counts as a new invoice, a quantity update or a creation.
/// Assumed (not specified): Which account a request counts against.
inline constexpr Limit newInvoicesPerDay{
    .name = "new_invoices_per_day",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::changes,
    .scope = LimitScope::object,
    .operations = detail::newInvoicesPerDayOperations,
    .object = "subscription",
    .countsForConnectedAccount = true,
    .live = 20,
    .sandbox = 20,
    .window = std::chrono::seconds{86400},
};

/// Quantity updates of a subscription.
/// Spec: "Limits".
/// Assumed (not specified): Named limits and the 25 requests per second per endpoint.
/// Assumed (not specified): What counts as a new invoice, a quantity update or a creation.
/// Assumed (not specified): Which account a request counts against.
inline constexpr Limit quantityUpdates{
    .name = "quantity_updates",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::changes,
    .scope = LimitScope::object,
    .operations = detail::quantityUpdatesOperations,
    .onlyWithParam = "quantity",
    .countsForConnectedAccount = true,
    .live = 200,
    .sandbox = 200,
    .window = std::chrono::seconds{3600},
};

/// All limits.
// clang-format off: one per line
inline constexpr std::array all{
    &accountCreation,
    &fileReads,
    &fileWrites,
    &cardCreation,
    &paymentIntentUpdates,
    &payoutCreation,
    &payoutsInProgress,
    &globalConcurrency,
    &endpointConcurrency,
    &globalRate,
    &endpointRate,
    &searches,
    &subscriptionWrites,
    &newInvoicesPerMinute,
    &newInvoicesPerDay,
    &quantityUpdates,
};
// clang-format on

/// The number of reads that an account may make.
/// Spec: "Limits".
/// Assumed (not specified): "Per month" in the minimum of the read allocation.
/// Assumed (not specified): What a transaction is.
/// Assumed (not specified): Precision of the rolling 30 days.
inline constexpr ReadAllocation readAllocation{
    .readsPerTransaction = 500,
    .minimum = 10000,
    .window = std::chrono::seconds{2592000},
};

}  // namespace tally::limits
