#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <tally/clock.h>

#include "search/list_page.h"
#include "store/collection.h"
#include "tables/resource_type.h"

namespace tally::fake::detail {

/// The context of a search: the service and the caller.
struct SearchScope {
  std::uint64_t secret = 0;
  std::string_view account{};
  bool livemode = false;
  Instant indexed{};                           // objects stored later are not found
  std::string_view url{};                      // of the request, to name parameters as the caller wrote them
  std::function<void(Collection)> searched{};  // receives the collection with its new indexes
};

/// Processes a search operation. The search itself is deferred. Spec: "Search operations".
[[nodiscard]] Response searchPage(const AnyOperation& operation, const ResourceType& type,
                                  const Collection& collection, ConstObjectRef params, SearchScope scope);

}  // namespace tally::fake::detail
