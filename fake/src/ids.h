#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// Makes identifiers: a prefix and 24 letters and digits. Which ones follows from the seed and the order.
class Ids {
 public:
  /// `stream` tells apart the sources that share a seed.
  Ids(std::uint64_t seed, std::uint64_t stream);

  [[nodiscard]] std::string next(std::string_view prefix);

  /// A number, for what needs one rather than an identifier.
  [[nodiscard]] std::uint64_t nextNumber();

 private:
  std::uint64_t state_;
};

}  // namespace tally::fake::detail
