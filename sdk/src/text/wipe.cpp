#include "text/wipe.h"

#include <cstddef>
#include <cstring>

namespace tally::detail {

namespace {

/// Volatile, since a compiler may omit writes to memory that is about to be released.
void* (*const volatile overwrite)(void*, int, std::size_t) = std::memset;

}  // namespace

void wipe(std::string& text) noexcept {
  text.resize(text.capacity());
  overwrite(text.data(), 0, text.size());
  text.clear();
}

}  // namespace tally::detail
