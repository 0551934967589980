#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "simulation/plan.h"

namespace tally::simulation {

/// The step after which a violation is certain.
struct Narrowed {
  std::uint64_t step = 0;  // 0: it is certain from the beginning
  std::string text{};
  std::uint64_t violatedAt = 0;  // the step
  std::size_t runs = 0;          // that it took
};

/// The seed of a future, for Fork.
[[nodiscard]] std::uint64_t futureSeed(std::size_t future);

/// Narrows down how a plan violates a rule: finds the first step from which `futures` futures all violate
/// that rule. A fork is a new run with the same past, since threads can't be copied. Empty if nothing is
/// violated.
[[nodiscard]] std::optional<Narrowed> narrow(const Plan& plan, std::size_t futures);

}  // namespace tally::simulation
