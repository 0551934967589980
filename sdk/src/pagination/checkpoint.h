#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace tally::detail {

/// The position of an iteration.
struct Standing {
  bool ended = false;    // nothing is left to iterate over
  std::string cursor{};  // of the next page to request; empty: from the beginning
  std::string behind{};  // searches: the last object of that page consumed; empty: none
};

/// Identifies the iteration that a checkpoint belongs to.
struct WalkName {
  std::string_view operation{};
  std::uint32_t params = 0;  // a fingerprint of the parameters that select the objects
};

/// One word of letters, digits and `-._~`, which files, URLs and logs hold unchanged.
[[nodiscard]] std::string writeCheckpoint(const WalkName& walk, const Standing& standing);

/// The position in a checkpoint, or what is wrong with it.
[[nodiscard]] std::variant<Standing, std::string> readCheckpoint(const WalkName& walk, std::string_view text);

}  // namespace tally::detail
