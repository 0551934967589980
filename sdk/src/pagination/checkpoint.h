#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace tally::detail {

/// Where a walk stands.
struct Standing {
  bool ended = false;    // there is nothing left to walk
  std::string cursor{};  // of the next page to ask for; empty: none, from the beginning
  std::string behind{};  // searches: the object of that page that was finished last; empty: none was
};

/// The walk that a checkpoint is taken of, and that alone may go on there.
struct WalkName {
  std::string_view operation{};
  std::uint32_t params = 0;  // the fingerprint of what selects the objects
};

/// As one short word of letters, digits and `-._~`, which a file, a URL or a log holds as it is.
[[nodiscard]] std::string writeCheckpoint(const WalkName& walk, const Standing& standing);

/// What a checkpoint says, or what is wrong with it.
[[nodiscard]] std::variant<Standing, std::string> readCheckpoint(const WalkName& walk, std::string_view text);

}  // namespace tally::detail
