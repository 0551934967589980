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

/// When a script happens to a request: as it comes, once its object has answered, or once it did what it asks
/// for.
enum class Moment : std::uint8_t { arrival, answered, processed };

/// What a script has happen to one request.
struct ScriptedFault {
  fake::Fault kind = fake::Fault::none;
  std::variant<std::monostate, Refusal, HttpResponse> answer{};  // in place of the service's own
  std::vector<Header> headers{};
  std::chrono::nanoseconds latency{0};
};

/// The faults that were arranged and have not all happened, in the order in which they were added.
class Scripts {
 public:
  Scripts(std::span<const Operation* const> operations, std::span<const ErrorAnswer* const> errors)
      : operations_(operations), errors_(errors) {}

  /// Throws std::invalid_argument for what can never fire.
  void add(Script script);

  /// What is arranged for a request at that moment, if anything is. It is used up by that. What is arranged
  /// for another moment is left as it is, and what was added later waits for it.
  [[nodiscard]] std::optional<ScriptedFault> take(std::string_view operation, std::string_view object,
                                                  Moment moment);

  [[nodiscard]] const std::vector<Script>& unfired() const noexcept { return scripts_; }

 private:
  [[nodiscard]] const ErrorAnswer* find(std::string_view error) const;
  /// Only lists and searches have pages that could be empty.
  [[nodiscard]] bool canHappen(fake::Fault fault, std::string_view operation) const;
  void checkError(Script& script) const;
  void checkOperation(const Script& script) const;
  [[nodiscard]] Refusal refusalOf(const Script& script, std::string_view object) const;

  std::span<const Operation* const> operations_;
  std::span<const ErrorAnswer* const> errors_;
  std::vector<Script> scripts_{};
};

/// A script in words, as `payment_records.retrieve of pr_1: answer lost (2 times left)`.
[[nodiscard]] std::string describe(const Script& script);

}  // namespace tally::fake::detail
