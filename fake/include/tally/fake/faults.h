#pragma once

#include <tally/detail/cpp20.h>

#include <cstdint>
#include <vector>

#include <tally/fake/fault_rule.h>
#include <tally/fake/fault_script.h>
#include <tally/fake/service_part.h>

namespace tally::fake {

/// The faults that a test injects into a Service. Made by Faults::list(). Thread-safe, cheap to copy, and
/// may outlive the Service.
class Faults : public detail::ServicePart {
 public:
  using ServicePart::ServicePart;

  /// Adds a fault, and returns its id for remove(). If several rules match a request, the one added first
  /// applies; a rule is consumed only when it applies. Throws std::invalid_argument for a rule that can never
  /// apply, such as one with an unknown operation or error, more than one fault, or a value out of range.
  /// Also throws for a response that can't be sent, such as one with a line break in a header.
  std::uint64_t inject(FaultRule rule);

  /// Removes a fault, whether it has happened or not. Returns false if there is none with that id, because it
  /// was removed or has happened as often as its rule allows.
  bool remove(std::uint64_t id);

  /// Removes all faults, and stops all scripts.
  void clear();

  /// Plays a script from now on, on the service's clock, and returns its id for stop(). Its faults follow
  /// those already injected; its limits take precedence over those set otherwise, including those for one
  /// account. Of two scripts that change the same limit, the one played last takes effect. Throws
  /// std::invalid_argument, and plays nothing, for a script with a mistake, which the message names, as in
  /// `steps[1]: …`.
  std::uint64_t play(const FaultScript& script);

  /// Ends a script: removes its faults, and restores the limits. Returns false if there is none with that id.
  bool stop(std::uint64_t id);

  /// The scripts that are playing, and those that are over but have not been stopped, oldest first.
  [[nodiscard]] std::vector<PlayedScript> scripts() const;

  /// All faults that may still happen or wait to be removed, oldest first, and how often each has happened.
  [[nodiscard]] std::vector<InjectedFault> list() const;

  /// The rules that have not been fully consumed, with their remaining `times`; empty if all injected faults
  /// have happened. An unlimited rule is consumed once it has happened. Leaves out those of scripts, which
  /// play whether requests meet them or not. At the end of a test, write
  /// `EXPECT_THAT(service.faults().pending(), IsEmpty())`.
  [[nodiscard]] std::vector<FaultRule> pending() const;
};

}  // namespace tally::fake
