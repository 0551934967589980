#include <cstddef>
#include <ostream>
#include <utility>

#include <tally/api_key.h>

#include "text/wipe.h"

namespace [[gnu::visibility("default")]] tally {

ApiKey::ApiKey(ApiKey&& other) noexcept : text_(std::move(other.text_)) {
  other.wipe();
}

/// Overwrites the old text first, since the assignment may release its memory.
ApiKey& ApiKey::operator=(const ApiKey& other) {
  if (this == &other) return *this;
  wipe();
  text_ = other.text_;
  return *this;
}

ApiKey& ApiKey::operator=(ApiKey&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  text_ = std::move(other.text_);
  other.wipe();
  return *this;
}

bool ApiKey::isSameAs(const ApiKey& other) const noexcept {
  if (text_.size() != other.text_.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < text_.size(); ++i)
    difference |= static_cast<unsigned char>(text_[i]) ^ static_cast<unsigned char>(other.text_[i]);
  return difference == 0;
}

void PrintTo(const ApiKey& key, std::ostream* out) {
  *out << (key.empty() ? "no key" : "a key");
}

/// A short text that was moved from is still in the string.
void ApiKey::wipe() noexcept {
  detail::wipe(text_);
}

}  // namespace tally
