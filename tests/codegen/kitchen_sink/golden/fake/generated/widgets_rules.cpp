// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

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
    .onCreate = onCreate,
    .freshIds = freshIds,
    .searchable = searchable,
    .example = example,
};

}  // namespace tally::fake::detail
