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
inline constexpr std::string_view searchesOperations[] = {
    "widgets.search",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view widgetsMadeOperations[] = {
    "widgets.create",
    "widgets.redraw",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view widgetUpdatesInProgressOperations[] = {
    "widgets.update",
};
// clang-format on

// clang-format off: one per line
inline constexpr std::string_view widgetRetirementsOperations[] = {
    "widgets.report_retired",
};
// clang-format on

}  // namespace detail

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

/// Widgets made.
/// Assumed (not specified): Widgets.
inline constexpr Limit widgetsMade{
    .name = "widgets_made",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::changes,
    .scope = LimitScope::account,
    .operations = detail::widgetsMadeOperations,
    .countsForConnectedAccount = true,
    .addsToEndpointRate = true,
    .live = 30,
    .sandbox = 5,
    .window = std::chrono::seconds{60},
};

/// Updates of a widget in progress.
/// Assumed (not specified): Widgets.
inline constexpr Limit widgetUpdatesInProgress{
    .name = "widget_updates_in_progress",
    .reason = RateLimitedReason::endpointConcurrency,
    .metric = LimitMetric::inProgress,
    .scope = LimitScope::operation,
    .operations = detail::widgetUpdatesInProgressOperations,
    .live = 1,
    .sandbox = 1,
};

/// Retirements of a widget.
/// Assumed (not specified): Widgets.
inline constexpr Limit widgetRetirements{
    .name = "widget_retirements",
    .reason = RateLimitedReason::resourceSpecific,
    .metric = LimitMetric::requests,
    .scope = LimitScope::object,
    .operations = detail::widgetRetirementsOperations,
    .countsForConnectedAccount = true,
    .live = 2,
    .sandbox = 2,
    .window = std::chrono::seconds{3600},
};

/// All limits.
// clang-format off: one per line
inline constexpr std::array all{
    &globalConcurrency,
    &endpointConcurrency,
    &globalRate,
    &endpointRate,
    &searches,
    &widgetsMade,
    &widgetUpdatesInProgress,
    &widgetRetirements,
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
