// Generated from the API description, version 1.0.0. Do not edit.
#include "tables/rules.h"

namespace tally::fake::detail {

extern const ResourceRules widgetRules;

namespace {

// clang-format off: one per line
constexpr const ResourceRules* table[] = {
    &widgetRules,
};
// clang-format on

}  // namespace

constinit const std::span<const ResourceRules* const> resourceRules{table};

}  // namespace tally::fake::detail
