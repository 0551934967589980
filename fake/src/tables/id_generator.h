#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// Determines the identifiers of a copy of a service that has different keys.
struct Branch {
  std::uint64_t service = 0;  // the service's seed
  std::uint64_t keys = 0;     // the seed for the keys
  std::uint64_t number = 0;   // counts such copies of the service, from 1
};

/// Generates identifiers: a prefix and 24 letters and digits. The seed, the stream and the order of calls
/// determine them.
class IdGenerator {
 public:
  /// `stream`, up to 255, separates generators that share a seed.
  IdGenerator(std::uint64_t seed, std::uint64_t stream);

  /// For a copy of a service: its identifiers differ from those of the service and of other copies.
  IdGenerator(const Branch& branch, std::uint64_t stream);

  [[nodiscard]] std::string next(std::string_view prefix);

  /// What determines all further identifiers. A generator with the same position generates the same ones.
  [[nodiscard]] std::uint64_t position() const noexcept { return state_; }
  void continueAt(std::uint64_t position) noexcept { state_ = position; }

  /// For callers that need a number instead of an identifier.
  [[nodiscard]] std::uint64_t nextNumber();

 private:
  std::uint64_t state_;
};

}  // namespace tally::fake::detail
