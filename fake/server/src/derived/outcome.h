#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include <tally/clock.h>
#include <tally/fake/fault_rule.h>

#include "har/exchange.h"

namespace tally::fake::detail {

/// What happened to a recorded request, as far as a fault could have caused it.
struct RecordedOutcome {
  Instant at{};
  std::chrono::nanoseconds duration{0};
  std::string_view operation{};  // a constant of the API description
  std::size_t kind = 0;          // of its fault, in FaultKinds; 0: none
};

/// The different faults in a recording. Numbers them in the order in which they occur, from 1.
class FaultKinds {
 public:
  /// 0 if the service responded as it does without a fault, be it with a refusal of the request itself.
  [[nodiscard]] std::size_t of(const tally::detail::Exchange& exchange);

  /// The fault, without requests and times.
  [[nodiscard]] const FaultRule& rule(std::size_t kind) const { return rules_[kind - 1]; }
  [[nodiscard]] std::size_t count() const noexcept { return rules_.size(); }

 private:
  std::vector<FaultRule> rules_{};
};

}  // namespace tally::fake::detail
