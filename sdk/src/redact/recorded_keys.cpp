#include "redact/recorded_keys.h"

#include <algorithm>

#include "text/ascii.h"

namespace tally::detail {

namespace {

constexpr std::string_view marker = "recorded";

/// What a key shows of its kind and mode, such as `sk_live_`.
std::string_view prefixOf(std::string_view key) {
  constexpr std::size_t longest = 8;
  for (const std::string_view mode : {"_live_", "_test_"}) {
    const std::size_t at = key.find(mode);
    const auto isLetter = [](char c) { return asciiLower(c) >= 'a' && asciiLower(c) <= 'z'; };
    if (at > 0 && at <= longest && std::ranges::all_of(key.substr(0, at), isLetter))
      return key.substr(0, at + mode.size());
  }
  return "token_";
}

}  // namespace

std::string RecordedKeys::nameOf(std::string_view key) {
  if (isName(key)) return std::string{key};
  const std::scoped_lock lock{mutex_};
  const auto found = names_.find(key);
  if (found != names_.end()) return found->second;
  const std::string prefix{prefixOf(key)};
  std::string name = prefix + std::string{marker} + std::to_string(++counts_[prefix]);
  names_.emplace(key, name);
  return name;
}

bool RecordedKeys::isName(std::string_view text) {
  const std::size_t end = std::min(text.find_last_not_of("0123456789") + 1, text.size());
  std::string_view name = text.substr(0, end);
  const std::string_view prefix = prefixOf(text);
  if (end == text.size() || !name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  return name == marker;
}

}  // namespace tally::detail
