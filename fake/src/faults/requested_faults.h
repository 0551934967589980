#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <tally/clock.h>
#include <tally/fake/fault_rule.h>

#include "faults/fault_rules.h"

namespace tally::fake::detail {

/// How often requests have got the faults that their headers ask for. The retries of a request, which repeat
/// the header, count together. A copy continues in the same way.
class RequestedFaults {
 public:
  /// What one request and its retries have got.
  struct Count {
    std::uint64_t request = 0;  // identifies them
    int hits = 0;
    int passed = 0;            // as in ArmedRule
    std::uint64_t random = 0;  // the same
    Instant since{};           // when the first arrived
  };

  /// Older requests are forgotten, so that their faults start again.
  static constexpr std::size_t mostCounts = 1'000;

  explicit RequestedFaults(std::uint64_t seed) : seed_(seed) {}

  /// The rule that a request asks for, as far as it and its retries have not used it up.
  [[nodiscard]] ArmedRule arm(std::uint64_t request, const FaultRule& rule, Instant now) const;

  /// Counts what arm() returned for a request that arrived at `arrived`, once it may have fired.
  void keep(std::uint64_t request, const ArmedRule& armed, Instant arrived);

  // For a service that is saved and continued.
  [[nodiscard]] const std::deque<Count>& counts() const noexcept { return counts_; }
  /// Throws std::invalid_argument for more than mostCounts.
  void resume(const Count& count);

 private:
  [[nodiscard]] const Count* find(std::uint64_t request) const;

  std::uint64_t seed_;
  std::deque<Count> counts_{};  // oldest first
};

}  // namespace tally::fake::detail
