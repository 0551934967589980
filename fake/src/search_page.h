#pragma once

#include <cstdint>
#include <string_view>

#include <tally/clock.h>

#include "collection.h"
#include "list_page.h"
#include "resource_type.h"

namespace tally::fake::detail {

/// What a search needs to know of the service and of the caller.
struct SearchScope {
  std::uint64_t secret = 0;
  std::string_view account{};
  bool livemode = false;
  Instant indexed{};       // what was stored later is not found
  std::string_view url{};  // of the request, for the names of parameters as the caller wrote them
};

/// Answers a search operation. The collection gets the indexes that it lacks, and no other change.
/// Spec: "Search operations".
[[nodiscard]] Answer searchPage(const Operation& operation, const ResourceType& type, Collection& collection,
                                const void* params, const SearchScope& scope);

}  // namespace tally::fake::detail
