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
  stateMade,
  stateRunning,
  stateRunningWithARattleThatNobodyCanFind,
  stateStandingStillForAWhileToBeLookedAt,
  stateRetired,
};

constexpr std::string_view states[] = {
    "made",                                        // stateMade
    "running",                                     // stateRunning
    "running_with_a_rattle_that_nobody_can_find",  // stateRunningWithARattleThatNobodyCanFind
    "standing_still_for_a_while_to_be_looked_at",  // stateStandingStillForAWhileToBeLookedAt
    "retired",                                     // stateRetired
};

constexpr Assignment runningShows[] = {
    {.target = "turns", .constant = "1"},
    {.target = "running", .constant = "true"},
    {.target = "note", .constant = R"("It \"runs\".")"},
};

constexpr std::span<const Assignment> shows[] = {
    {},            // stateMade
    runningShows,  // stateRunning
    {},            // stateRunningWithARattleThatNobodyCanFind
    {},            // stateStandingStillForAWhileToBeLookedAt
    {},            // stateRetired
};

constexpr Assignment reportSwitchedOnAndRunningAtFullSpeedEffects[] = {
    {.target = "turns", .constant = "1"},
    {.target = "running", .constant = "true"},
    {.target = "note", .constant = R"("It \"runs\".")"},
};

constexpr Assignment reportRetiredEffects2[] = {
    {.target = "running", .constant = "false"},
    {.target = "last_price", .source = "price"},
    {.target = "note", .constant = "null"},
};

constexpr Transition transitions[] = {
    {
        .trigger = &tally::detail::widgetsReportSwitchedOnAndRunningAtFullSpeed,
        .before = 1U << stateMade | 1U << stateRunning | 1U << stateRunningWithARattleThatNobodyCanFind |
                  1U << stateStandingStillForAWhileToBeLookedAt,
        .after = stateRunning,
        .effects = reportSwitchedOnAndRunningAtFullSpeedEffects,
    },
    {
        .trigger = &tally::detail::widgetsReportRetired,
        .before = 1U << stateMade,
        .after = stateRetired,
    },
    {
        .trigger = &tally::detail::widgetsReportRetired,
        .before = 1U << stateRunning | 1U << stateRunningWithARattleThatNobodyCanFind |
                  1U << stateStandingStillForAWhileToBeLookedAt,
        .after = stateRetired,
        .effects = reportRetiredEffects2,
    },
    {
        .trigger = &tally::detail::widgetsReportSwitchedOnAndRunningAtFullSpeed,
        .before = 1U << stateRetired,
        .refusal = &errors::widgetRetired,
    },
    {
        .trigger = &tally::detail::widgetsReportRetired,
        .before = 1U << stateRetired,
        .refusal = &errors::widgetRetired,
    },
};

constexpr Assignment onCreate[] = {
    {.target = "turns", .constant = "0"},
    {.target = "last_price.currency", .source = "price.currency"},
};

constexpr std::string_view freshIds[] = {
    "serial",
};

// clang-format off: one per line
constexpr std::string_view searchable[] = {
    "name",
    "colour",
    "price.value",
    "made_at",
    "running",
    "gadget",
    "size.width",
    "metadata",
};
// clang-format on

constexpr std::string_view example = R"json({
  "id": "wdg_1",
  "object": "widget",
  "created": 1735689600,
  "livemode": false,
  "name": "sprocket",
  "colour": "red",
  "price": {"currency":"usd","value":250},
  "last_price": {"currency":"usd","value":0},
  "teeth": 12,
  "turns": 0,
  "running": false,
  "serial": "ser_1",
  "note": null,
  "size": {"width":3},
  "parts": [],
  "labels": [],
  "metadata": {},
  "blueprint": {"drawn":["by","hand"]}
})json";

}  // namespace

extern const ResourceRules widgetRules;

constinit const ResourceRules widgetRules{
    .resource = &tally::detail::widgetResource,
    .states = states,
    .shows = shows,
    .initialState = stateMade,
    .transitions = transitions,
    .onCreate = onCreate,
    .freshIds = freshIds,
    .searchable = searchable,
    .example = example,
};

}  // namespace tally::fake::detail
