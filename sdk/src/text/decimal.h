#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace tally::detail {

inline void appendDecimal(std::string& out, std::int64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace tally::detail
