#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tally::simulation {

/// What is broken in the client, a worker, the service or the network, to test that the checker finds it.
enum class Broken : std::uint8_t {
  none,
  resendsUnclear,          ///< The client resends a change whose response was lost.
  letsTwoThrough,          ///< The mutation queue lets two changes to an object through at once.
  tellsNone,               ///< The client says of a lost response that the request had no effect.
  journalForgets,          ///< The journal of a bulk job loses outcomes.
  pacerOveradmits,         ///< The pacer admits twice as many requests as the limits allow.
  takesOverUnfenced,       ///< A frozen worker's lease does not end, and the store accepts what it writes.
  resolvesNothing,         ///< A worker that takes over forgets that reports may have been sent.
  appliesAfterGuaranteed,  ///< The service applies a report after `guaranteed`.
  keepsUnsetMetadata,      ///< The service keeps metadata keys that a request unsets.
  admitsTooMany,           ///< The service admits more requests than its limits allow.
  skipsInPages,            ///< A page of a list begins one object too late.
  leavesLinkCut,           ///< A link is never repaired.
};

/// From this step on, random choices follow another seed.
struct Fork {
  std::uint64_t step = 0;
  std::uint64_t seed = 0;
};

/// What is simulated. Everything that happens follows from it.
struct Plan {
  std::uint64_t seed = 1;
  std::size_t callers = 150;  // asynchronous ones
  std::size_t callsOfEach = 6;
  std::chrono::seconds time{30};  // about how long callers make calls and faults occur; at most twice as long
  std::size_t jobs = 1;           // of bulk reporting
  std::size_t rows = 40;          // of each job
  std::size_t workers = 2;        // of the outbox
  std::size_t spares = 1;         // each replaces a worker that is killed
  Broken broken = Broken::none;
  std::optional<Fork> fork{};
  std::pair<std::uint64_t, std::uint64_t> shown{1, 0};  // the first and the last step to describe
};

/// A step of the history, in readable form.
struct ShownStep {
  std::uint64_t step = 0;
  std::string text{};

  bool operator==(const ShownStep&) const = default;
};

/// What has been found.
struct Violation {
  std::string rule{};  // empty: none
  std::string text{};
  std::uint64_t change = 0;  // that it is about; 0: none
  std::uint64_t step = 0;

  [[nodiscard]] bool isLike(const Violation& other) const {
    return rule == other.rule && change == other.change;
  }
};

struct Outcome {
  std::size_t calls = 0;     // of the callers, with the reports of jobs and of the outbox
  std::size_t requests = 0;  // that reached the service
  std::uint64_t steps = 0;
  std::uint64_t hash = 0;                                    // of the history
  std::map<std::string, std::size_t, std::less<>> counts{};  // of what happened, by kind
  Violation violation{};
  std::vector<ShownStep> shown{};
};

/// Runs everything that the plan says, in virtual time.
[[nodiscard]] Outcome simulate(const Plan& plan);

/// The plan that `./dev prove simulation` runs for a seed: thousands of callers.
[[nodiscard]] Plan largePlanOf(std::uint64_t seed);

}  // namespace tally::simulation
