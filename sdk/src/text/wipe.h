#pragma once

#include <string>
#include <utility>

namespace tally::detail {

/// Overwrites a text, and what its memory still has of earlier ones, and empties it.
void wipe(std::string& text) noexcept;

/// A text that is overwritten before its memory is released.
struct WipedText {
  WipedText() = default;
  explicit WipedText(std::string secret) noexcept : text(std::move(secret)) {}
  WipedText(const WipedText&) = delete;
  WipedText& operator=(const WipedText&) = delete;
  ~WipedText() { wipe(text); }

  std::string text{};
};

}  // namespace tally::detail
