#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tally/fake/script.h>

#include "refusal.h"

namespace tally::fake::detail {

/// The faults that were arranged and have not all happened, in the order in which they were added.
class Scripts {
 public:
  Scripts(std::span<const Operation* const> operations, std::span<const ErrorAnswer* const> errors)
      : operations_(operations), errors_(errors) {}

  /// Throws std::invalid_argument for what can never fire.
  void add(Script script);

  /// The fault that is arranged for a request, if there is one. It is used up by that.
  [[nodiscard]] Fault take(std::string_view operation, std::string_view object);

  [[nodiscard]] const std::vector<Script>& unfired() const noexcept { return scripts_; }

 private:
  [[nodiscard]] const ErrorAnswer* find(std::string_view error) const;
  [[nodiscard]] Refusal refusalOf(const Script& script, std::string_view object) const;

  std::span<const Operation* const> operations_;
  std::span<const ErrorAnswer* const> errors_;
  std::vector<Script> scripts_{};
};

}  // namespace tally::fake::detail
