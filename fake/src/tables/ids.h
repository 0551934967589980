#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// From what the identifiers of a copy of a service with other keys follow.
struct Branch {
  std::uint64_t service = 0;  // the service's seed
  std::uint64_t keys = 0;     // the seed for the keys
  std::uint64_t number = 0;   // from 1, of all such copies of the service
};

/// Makes identifiers: a prefix and 24 letters and digits. Which ones follows from what it is made of and the
/// order.
class Ids {
 public:
  /// `stream`, up to 255, tells apart the sources that share a seed.
  Ids(std::uint64_t seed, std::uint64_t stream);

  /// The same for a copy of a service. None is the same as that of the service or of another copy.
  Ids(const Branch& branch, std::uint64_t stream);

  [[nodiscard]] std::string next(std::string_view prefix);

  /// A number, for what needs one rather than an identifier.
  [[nodiscard]] std::uint64_t nextNumber();

 private:
  std::uint64_t state_;
};

}  // namespace tally::fake::detail
