// Generated from the API description, version 1.0.0. Do not edit.
#include <string_view>

#include "operations.h"
#include "tables/rules.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view example = R"json({
  "id": "file_1",
  "object": "file",
  "purpose": "evidence",
  "filename": "receipt.pdf",
  "created": 1735689600,
  "livemode": false
})json";

}  // namespace

extern const ResourceRules fileRules;

constinit const ResourceRules fileRules{
    .resource = &tally::detail::fileResource,
    .example = example,
};

}  // namespace tally::fake::detail
