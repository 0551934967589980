#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "failing_calls/support/injection.h"

namespace tally::test {

/// One run of a scenario, in which a call fails or none does.
///
/// A scenario prepares, passes what may fail to attempt(), and then checks the results, compares them with
/// those of the other side, and checks that the same operation now succeeds. It must release all that it
/// holds.
class Trial {
 public:
  Trial(Injection& injection, Side side, const Place* place);

  /// Calls `action`, during which calls fail. Returns what it threw; empty if it threw nothing.
  std::string attempt(const std::function<void()>& action);

  /// A scenario can't continue if this is false: throws ScenarioFailed.
  void require(bool holds, const std::string& otherwise);
  /// Adds `otherwise` to the problems if `holds` is false.
  void check(bool holds, std::string_view otherwise);

  /// Whether no call fails in this run.
  [[nodiscard]] bool isClean() const noexcept { return place_ == nullptr; }
  /// The failing call; null if none fails.
  [[nodiscard]] const Place* place() const noexcept { return place_; }
  /// In lines; empty if there are none.
  [[nodiscard]] const std::string& problems() const noexcept { return problems_; }

 private:
  Injection& injection_;
  Side side_;
  const Place* place_;
  std::string problems_{};
};

using Scenario = std::function<void(Trial&)>;

/// Runs the scenario. Returns its problems.
[[nodiscard]] std::string problemsOf(const Scenario& scenario, Injection& injection, Side side,
                                     const Place* place);

}  // namespace tally::test
