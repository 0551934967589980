#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "text/random.h"

namespace tally::test {

/// Random bytes and random changes of text, determined by a seed.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(tally::detail::nextRandom(state_) % bound);
  }

  std::string bytes(std::size_t longest) {
    std::string text(below(longest + 1), '\0');
    for (char& c : text)
      c = static_cast<char>(below(256));
    return text;
  }

  void spoil(std::string& text) {
    for (std::size_t changes = below(4); changes > 0; --changes) {
      const std::size_t at = below(text.size() + 1);
      if (below(3) == 0) {
        text.insert(at, bytes(4));
      } else if (at < text.size()) {
        text[at] = static_cast<char>(below(256));
      }
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace tally::test
