#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <tally/clock.h>

#include "search/list_page.h"
#include "store/collection.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// What a search needs to know of the service and of the caller.
struct SearchScope {
  std::uint64_t secret = 0;
  std::string_view account{};
  bool livemode = false;
  Instant indexed{};       // what was stored later is not found
  std::string_view url{};  // of the request, for the names of parameters as the caller wrote them
  std::function<void(Collection)> searched{};  // gets the collection back, with the indexes that it lacked
};

/// Answers a search operation; what is found is deferred. Spec: "Search operations".
[[nodiscard]] Answer searchPage(const Operation& operation, const ResourceType& type,
                                const Collection& collection, const void* params, SearchScope scope);

}  // namespace tally::fake::detail
