// Generated from the API description, version 1.0.0. Do not edit.
#include "rules.h"

namespace tally::fake::detail {

extern const ResourceRules paymentRecordRules;

namespace {

// clang-format off: one on each line
constexpr const ResourceRules* table[] = {
    &paymentRecordRules,
};
// clang-format on

}  // namespace

constinit const std::span<const ResourceRules* const> resourceRules{table};

}  // namespace tally::fake::detail
