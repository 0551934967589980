// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "txr_1",
  "object": "tax_registration",
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules taxRegistrationRules;

constinit const ResourceRules taxRegistrationRules{
    .resource = &tally::detail::taxRegistrationResource,
    .example = example,
};

}  // namespace tally::fake::detail
