#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tally::detail {

/// What a walk needs to know of a page to find the next one.
struct PageFacts {
  std::size_t count = 0;
  bool hasMore = false;
  std::string_view firstId{};
  std::string_view lastId{};
  const std::string* nextPage = nullptr;
};

/// How a walk reaches into pages of one type.
struct PageType {
  const Struct& fields;
  PageFacts (*facts)(const void* page) = nullptr;
  /// Drops the objects up to and including the one of that identifier. Whether there is one.
  bool (*dropThrough)(void* page, std::string_view id) = nullptr;
};

}  // namespace tally::detail
