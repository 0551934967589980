// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "gdg_1",
  "object": "gadget",
  "created": 1735689600,
  "livemode": false,
  "title": "whirligig",
  "metadata": {}
})json";

}  // namespace

extern const ResourceRules gadgetRules;

constinit const ResourceRules gadgetRules{
    .resource = &tally::detail::gadgetResource,
    .example = example,
};

}  // namespace tally::fake::detail
