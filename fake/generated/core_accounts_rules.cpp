// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "acct_1",
  "object": "core_account",
  "country": "US",
  "metadata": {},
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules coreAccountRules;

constinit const ResourceRules coreAccountRules{
    .resource = &tally::detail::coreAccountResource,
    .isAccount = true,
    .example = example,
};

}  // namespace tally::fake::detail
