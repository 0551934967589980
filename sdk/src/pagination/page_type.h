#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schema/object_ref.h"

namespace tally::detail {

/// What is needed from a page to find the next one.
struct PageFacts {
  std::size_t count = 0;
  bool hasMore = false;
  std::string_view firstId{};
  std::string_view lastId{};
  const std::string* nextPage = nullptr;
};

/// Type-erased access to pages of one type.
struct PageType {
  const Struct& fields;
  PageFacts (*facts)(ConstObjectRef page) = nullptr;
  /// Drops the objects up to and including `id`; false if it is not there.
  bool (*dropThrough)(ObjectRef page, std::string_view id) = nullptr;
};

}  // namespace tally::detail
