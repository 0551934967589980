#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include <tally/limit_types.h>

#include "fake/support/gadget.h"
#include "schema/operation.h"

// Limits on gadgets, one of every kind.

namespace tally::test {

inline constexpr std::string_view startAlone[] = {"gadgets.start"};
inline constexpr std::string_view stopAlone[] = {"gadgets.stop"};
inline constexpr std::string_view tuneAlone[] = {"gadgets.tune"};
inline constexpr std::string_view updateAlone[] = {"gadgets.update"};
inline constexpr std::string_view createAlone[] = {"gadgets.create"};

inline constexpr Limit startsOfOne{.name = "starts_of_one",
                                   .reason = RateLimitedReason::resourceSpecific,
                                   .scope = LimitScope::object,
                                   .operations = startAlone,
                                   .countsForConnectedAccount = true,
                                   .live = 2,
                                   .sandbox = 2,
                                   .window = std::chrono::seconds{60}};
inline constexpr Limit sizeChanges{.name = "size_changes",
                                   .reason = RateLimitedReason::resourceSpecific,
                                   .metric = LimitMetric::changes,
                                   .scope = LimitScope::object,
                                   .operations = updateAlone,
                                   .onlyWithParam = "size",
                                   .countsForConnectedAccount = true,
                                   .live = 2,
                                   .sandbox = 2,
                                   .window = std::chrono::seconds{60}};
inline constexpr Limit children{.name = "children",
                                .reason = RateLimitedReason::resourceSpecific,
                                .metric = LimitMetric::changes,
                                .scope = LimitScope::object,
                                .operations = createAlone,
                                .object = "parent",
                                .countsForConnectedAccount = true,
                                .live = 2,
                                .sandbox = 2,
                                .window = std::chrono::seconds{60}};
inline constexpr Limit tunesForOne{.name = "tunes_for_one",
                                   .reason = RateLimitedReason::resourceSpecific,
                                   .metric = LimitMetric::changes,
                                   .operations = tuneAlone,
                                   .countsForConnectedAccount = true,
                                   .live = 2,
                                   .sandbox = 2,
                                   .window = std::chrono::seconds{1}};
inline constexpr Limit each{.name = "each",
                            .reason = RateLimitedReason::endpointRate,
                            .scope = LimitScope::operation,
                            .live = 3,
                            .sandbox = 3,
                            .window = std::chrono::seconds{1}};
inline constexpr Limit overall{.name = "overall",
                               .reason = RateLimitedReason::globalRate,
                               .live = 50,
                               .sandbox = 5,
                               .window = std::chrono::seconds{1}};
inline constexpr Limit stopsAtOnce{.name = "stops_at_once",
                                   .reason = RateLimitedReason::endpointConcurrency,
                                   .metric = LimitMetric::inProgress,
                                   .operations = stopAlone,
                                   .live = 2,
                                   .sandbox = 2};
inline constexpr Limit eachAtOnce{.name = "each_at_once",
                                  .reason = RateLimitedReason::endpointConcurrency,
                                  .metric = LimitMetric::inProgress,
                                  .scope = LimitScope::operation};
inline constexpr Limit atOnce{
    .name = "at_once", .reason = RateLimitedReason::globalConcurrency, .metric = LimitMetric::inProgress};

inline constexpr std::array<const Limit*, 9> madeLimits{
    &startsOfOne, &sizeChanges, &children, &tunesForOne, &each, &overall, &stopsAtOnce, &eachAtOnce, &atOnce};

inline const tally::detail::AnyOperation& operationOf(std::string_view name) {
  return **std::ranges::find(gadgets.operations, name, &tally::detail::AnyOperation::name);
}

}  // namespace tally::test
