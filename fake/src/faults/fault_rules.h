#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/fault_rule.h>

#include "tables/refusal.h"

namespace tally::fake::detail {

/// When a rule fires: on arrival of a request, after its operation ran, or only if the operation succeeded.
enum class Moment : std::uint8_t { arrival, responded, processed };

/// The effects of a rule on one request.
struct InjectedFault {
  fake::Fault kind = fake::Fault::none;
  std::variant<std::monostate, Refusal, HttpResponse> response{};  // replaces the service's own
  std::vector<Header> headers{};
  std::chrono::nanoseconds latency{0};
};

/// The pending injected faults, in the order in which they were added.
class FaultRules {
 public:
  FaultRules(std::span<const AnyOperation* const> operations, std::span<const ErrorResponse* const> errors)
      : operations_(operations), errors_(errors) {}

  /// Throws std::invalid_argument if the rule can never fire.
  void add(FaultRule rule);

  /// Consumes one use of the first rule that matches a request, if it fires at `moment`. If that rule fires
  /// at another moment, returns nothing, and later rules wait for it.
  [[nodiscard]] std::optional<InjectedFault> take(std::string_view operation, std::string_view object,
                                                  Moment moment);

  [[nodiscard]] const std::vector<FaultRule>& pending() const noexcept { return rules_; }

 private:
  /// Only lists and searches can have empty pages.
  [[nodiscard]] bool canHappen(fake::Fault fault, std::string_view operation) const;
  void checkError(FaultRule& rule) const;
  void checkOperation(const FaultRule& rule) const;
  [[nodiscard]] Refusal refusalOf(const FaultRule& rule, std::string_view object) const;

  std::span<const AnyOperation* const> operations_;
  std::span<const ErrorResponse* const> errors_;
  std::vector<FaultRule> rules_{};
};

/// Describes a rule, for example `payment_records.retrieve of pr_1: response lost (2 times left)`.
[[nodiscard]] std::string describe(const FaultRule& rule);

}  // namespace tally::fake::detail
