// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include <tally/limit.h>

namespace tally::limits {

namespace detail {

// clang-format off: one on each line
inline constexpr std::string_view searchesOperations[] = {
    "widgets.search",
};
// clang-format on

// clang-format off: one on each line
inline constexpr std::string_view widgetsMadeOperations[] = {
    "widgets.create",
    "gadgets.create",
};
// clang-format on

// clang-format off: one on each line
inline constexpr std::string_view widgetUpdatesInProgressOperations[] = {
    "widgets.update",
};
// clang-format on

// clang-format off: one on each line
inline constexpr std::string_view widgetRetirementsOperations[] = {
    "widgets.report_retired",
};
// clang-format on

}  // namespace detail

/// Requests in progress at one moment.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Concurrency limits without a number.
inline constexpr Limit globalConcurrency{
    .name = "global_concurrency",
    .reason = RateLimitedReason::globalConcurrency,
    .counts = LimitCounts::inProgress,
    .scope = LimitScope::account,
};

/// Requests for one operation in progress at one moment.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Concurrency limits without a number.
inline constexpr Limit endpointConcurrency{
    .name = "endpoint_concurrency",
    .reason = RateLimitedReason::endpointConcurrency,
    .counts = LimitCounts::inProgress,
    .scope = LimitScope::operation,
};

/// All requests of an account.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: "Requests per second".
/// Assumed, see docs/assumptions.md: Several limits at once.
/// Assumed, see docs/assumptions.md: Which account pays for a rate limit.
inline constexpr Limit globalRate{
    .name = "global_rate",
    .reason = RateLimitedReason::globalRate,
    .counts = LimitCounts::requests,
    .scope = LimitScope::account,
    .live = 100,
    .sandbox = 25,
    .window = std::chrono::seconds{1},
};

/// Requests for one operation, whatever objects they are about.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: "Requests per second".
/// Assumed, see docs/assumptions.md: A named limit and the 25 a second of an endpoint.
inline constexpr Limit endpointRate{
    .name = "endpoint_rate",
    .reason = RateLimitedReason::endpointRate,
    .counts = LimitCounts::requests,
    .scope = LimitScope::operation,
    .live = 25,
    .sandbox = 25,
    .window = std::chrono::seconds{1},
};

/// Searches of all resources together.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: "Requests per second".
/// Assumed, see docs/assumptions.md: A named limit and the 25 a second of an endpoint.
inline constexpr Limit searches{
    .name = "searches",
    .reason = RateLimitedReason::resourceSpecific,
    .counts = LimitCounts::requests,
    .scope = LimitScope::account,
    .operations = detail::searchesOperations,
    .live = 120,
    .sandbox = 120,
    .window = std::chrono::seconds{1},
};

/// Widgets made.
/// Assumed, see docs/assumptions.md: Widgets.
inline constexpr Limit widgetsMade{
    .name = "widgets_made",
    .reason = RateLimitedReason::resourceSpecific,
    .counts = LimitCounts::changes,
    .scope = LimitScope::account,
    .operations = detail::widgetsMadeOperations,
    .ofConnectedAccount = true,
    .besideEndpointRate = true,
    .live = 30,
    .sandbox = 5,
    .window = std::chrono::seconds{60},
};

/// Updates of a widget in progress.
/// Assumed, see docs/assumptions.md: Widgets.
inline constexpr Limit widgetUpdatesInProgress{
    .name = "widget_updates_in_progress",
    .reason = RateLimitedReason::endpointConcurrency,
    .counts = LimitCounts::inProgress,
    .scope = LimitScope::operation,
    .operations = detail::widgetUpdatesInProgressOperations,
    .live = 1,
    .sandbox = 1,
};

/// Retirements of a widget.
/// Assumed, see docs/assumptions.md: Widgets.
inline constexpr Limit widgetRetirements{
    .name = "widget_retirements",
    .reason = RateLimitedReason::resourceSpecific,
    .counts = LimitCounts::requests,
    .scope = LimitScope::object,
    .operations = detail::widgetRetirementsOperations,
    .live = 2,
    .sandbox = 2,
    .window = std::chrono::seconds{3600},
};

/// All of them.
// clang-format off: one on each line
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

/// How many reads an account may make.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: "Per month" in the minimum of the read allocation.
/// Assumed, see docs/assumptions.md: What a transaction is.
/// Assumed, see docs/assumptions.md: How exactly reads and transactions leave the 30 days.
inline constexpr ReadAllocation readAllocation{
    .readsPerTransaction = 500,
    .minimum = 10000,
    .window = std::chrono::seconds{2592000},
};

}  // namespace tally::limits
