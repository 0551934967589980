#pragma once

#include <optional>
#include <string>

#include "tables/rules.h"

namespace tally::fake::detail {

/// An error response and the values for the placeholders in its message.
struct Refusal {
  const ErrorResponse* response = nullptr;
  std::string param{};   // the invalid parameter as the caller wrote it; empty if none
  std::string value{};   // for {value}, such as an identifier or a path
  std::string detail{};  // for {detail}: the problem
  std::string words{};   // for {resource}: its name, with spaces
  std::string rateLimitedReason{};
};

/// Why a request is refused; empty if it is not.
using Fault = std::optional<Refusal>;

/// Refuses a parameter because of its value.
[[nodiscard]] Refusal invalid(std::string param, std::string detail);

/// Refuses a request that can't be parsed.
[[nodiscard]] Refusal unreadable(std::string detail);

/// The JSON body of the error response. Spec: "Errors".
[[nodiscard]] std::string errorBody(const Refusal& refusal);

}  // namespace tally::fake::detail
