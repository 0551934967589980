#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tally/fake/script.h>

#include "tables/refusal.h"

namespace tally::fake::detail {

/// When a script fires: on arrival of a request, after its operation ran, or only if the operation succeeded.
enum class Moment : std::uint8_t { arrival, answered, processed };

/// The effects of a script on one request.
struct ScriptedFault {
  fake::Fault kind = fake::Fault::none;
  std::variant<std::monostate, Refusal, HttpResponse> answer{};  // replaces the service's own
  std::vector<Header> headers{};
  std::chrono::nanoseconds latency{0};
};

/// The pending injected faults, in the order in which they were added.
class Scripts {
 public:
  Scripts(std::span<const Operation* const> operations, std::span<const ErrorAnswer* const> errors)
      : operations_(operations), errors_(errors) {}

  /// Throws std::invalid_argument if the script can never fire.
  void add(Script script);

  /// Consumes one use of the first script that matches a request, if it fires at `moment`. If that script
  /// fires at another moment, returns nothing, and later scripts wait for it.
  [[nodiscard]] std::optional<ScriptedFault> take(std::string_view operation, std::string_view object,
                                                  Moment moment);

  [[nodiscard]] const std::vector<Script>& unfired() const noexcept { return scripts_; }

 private:
  /// Only lists and searches can have empty pages.
  [[nodiscard]] bool canHappen(fake::Fault fault, std::string_view operation) const;
  void checkError(Script& script) const;
  void checkOperation(const Script& script) const;
  [[nodiscard]] Refusal refusalOf(const Script& script, std::string_view object) const;

  std::span<const Operation* const> operations_;
  std::span<const ErrorAnswer* const> errors_;
  std::vector<Script> scripts_{};
};

/// Describes a script, for example `payment_records.retrieve of pr_1: answer lost (2 times left)`.
[[nodiscard]] std::string describe(const Script& script);

}  // namespace tally::fake::detail
