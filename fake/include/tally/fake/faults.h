#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <vector>

#include <tally/fake/fault_rule.h>
#include <tally/fake/fault_script.h>
#include <tally/fake/service_part.h>

namespace tally::fake {

/// The faults that a test injects into a Service. Made by Service::faults(). Thread-safe, cheap to copy, and
/// may outlive the Service.
class Faults : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Adds a fault, and returns its id for remove(). If several rules match a request, the one added first
  /// applies; a rule is consumed only when it applies. Throws std::invalid_argument for a rule that can never
  /// apply, such as one with an unknown operation or error, more than one fault, or a value out of range.
  /// Also throws for a response that can't be sent, such as one with a line break in a header.
  std::uint64_t inject(FaultRule rule);

  /// Removes a fault, whether it has happened or not. Returns false if there is no fault with that id,
  /// because it was removed or has happened as often as its rule allows.
  bool remove(std::uint64_t id);

  /// Removes all faults, and stops all scripts.
  void clear();

  /// Plays a script from now on, on the service's clock, and returns its id for stop(). Its faults come after
  /// those already injected. Its limits take precedence over limits that were set in other ways, including
  /// limits for one account. If two scripts change the same limit, the one that was started last takes
  /// effect. If the script has a mistake, plays nothing and throws std::invalid_argument, which names the
  /// mistake, as in `steps[1]: …`.
  std::uint64_t play(const FaultScript& script);

  /// Ends a script: removes its faults, and restores the limits. Returns false if there is no script with
  /// that id.
  bool stop(std::uint64_t id);

  /// The scripts that are playing, and those that are over but have not been stopped, oldest first.
  [[nodiscard]] std::vector<PlayedScript> scripts() const;

  /// All faults that have not been used up or removed, oldest first, and how many times each has happened.
  [[nodiscard]] std::vector<InjectedFault> list() const;

  /// The rules that have not been fully consumed, with their remaining `times`; empty if all injected faults
  /// have happened. An unlimited rule counts as consumed once it has happened. Rules of scripts are left out,
  /// because a script plays whether or not requests meet its faults. At the end of a test, write
  /// `EXPECT_THAT(service.faults().pending(), IsEmpty())`.
  [[nodiscard]] std::vector<FaultRule> pending() const;
};

}  // namespace tally::fake
