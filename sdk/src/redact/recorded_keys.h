#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "text/string_map.h"

namespace tally::detail {

/// What a recording has in place of keys and tokens: `sk_live_recorded1` for the first live key, and
/// `token_recorded1` for a token that does not show its mode. The same key always has the same name.
/// Thread-safe.
class RecordedKeys {
 public:
  /// Of a name: the name itself, since recordings may be replayed and recorded again.
  [[nodiscard]] std::string nameOf(std::string_view key);

  /// Whether `text` is such a name.
  [[nodiscard]] static bool isName(std::string_view text);

 private:
  std::mutex mutex_{};
  StringMap<std::string> names_{};   // by key
  StringMap<std::size_t> counts_{};  // by the beginning of the name
};

}  // namespace tally::detail
