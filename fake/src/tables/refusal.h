#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tables/rules.h"

namespace tally::fake::detail {

/// An error answer, and what its message is filled in with.
struct Refusal {
  const ErrorAnswer* answer = nullptr;
  std::string param{};   // the parameter at fault, as the caller wrote it; empty if none is
  std::string value{};   // what was asked for
  std::string detail{};  // what is wrong, in UTF-8
  std::string words{};   // the resource, as people write it
  std::string rateLimitedReason{};
};

/// Nothing, or why a request is refused.
using Fault = std::optional<Refusal>;

/// The refusal of a value of `param`.
[[nodiscard]] Refusal invalid(std::string param, std::string detail);

/// The refusal of a request that can't be read at all.
[[nodiscard]] Refusal unreadable(std::string detail);

/// The body of the answer. Spec: "Errors".
[[nodiscard]] std::string errorBody(const Refusal& refusal);

}  // namespace tally::fake::detail
