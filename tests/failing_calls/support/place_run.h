#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "failing_calls/support/trial.h"

namespace tally::test {

/// What a child process that runs a scenario leaves in memory that its parent shares.
struct PlaceRecord;

/// A run of a scenario with one failing call, in a child process, so that a crash or an endless wait affects
/// this run only. It repeats the scenario if something has not been released: only what grows with each
/// repetition is a leak.
class PlaceRun {
 public:
  PlaceRun(const Scenario& scenario, Side side, const Place& place);
  PlaceRun(const PlaceRun&) = delete;
  PlaceRun& operator=(const PlaceRun&) = delete;
  ~PlaceRun();

  [[nodiscard]] pid_t process() const noexcept { return process_; }
  [[nodiscard]] const Place& place() const noexcept { return place_; }

  /// Whether the call was reached. Once the process has ended.
  [[nodiscard]] bool hasFailed() const noexcept;
  /// What is wrong; empty if nothing is. `status` is that of waitpid(2).
  [[nodiscard]] std::string problem(int status) const;
  /// The callers of the call that failed, in lines.
  [[nodiscard]] std::string callers() const;

 private:
  Place place_;
  PlaceRecord* record_;
  pid_t process_ = -1;
};

}  // namespace tally::test
