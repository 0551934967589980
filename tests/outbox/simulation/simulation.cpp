// Simulates a fleet for each seed of a range, and prints what is wrong: `outbox_simulation --seeds FROM..TO`.
// `outbox_simulation --limits` measures how fleets use the limits of the service.

#include <cstdlib>
#include <iostream>
#include <string>

#include "outbox/simulation/fleet.h"
#include "outbox/simulation/limited_fleet.h"

namespace tally::test {
namespace {

int simulateSeeds(const std::string& seeds, std::size_t dots) {
  const std::uint64_t to = std::stoull(seeds.substr(dots + 2));
  std::size_t reports = 0;
  std::size_t violations = 0;
  std::size_t refusals = 0;
  std::size_t lockTimeouts = 0;
  for (std::uint64_t seed = std::stoull(seeds); seed <= to; ++seed) {
    const FleetResult result = simulateFleet(planOf(seed));
    reports += result.reports;
    refusals += result.refusals;
    lockTimeouts += result.lockTimeouts;
    violations += result.violation.empty() ? 0U : 1U;
    std::cout << result.violation;
  }
  std::cout << "seeds " << seeds << ": " << reports << " reports, " << refusals << " refusals by limits, "
            << lockTimeouts << " lock timeouts, " << violations << " violations\n";
  return violations == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

struct MeasuredFleet {
  std::string name{};
  LimitedFleetPlan plan{};
  double goal = 0;  // least use of the limits
};

int measureLimits() {
  const MeasuredFleet fleets[]{
      {"8 workers, 1 domain", {.reports = 20'000}, 0.99},
      {"8 workers, 1 domain, 10 owners killed", {.reports = 20'000, .kills = 10}, 0},
      {"8 workers, 40 domains", {.domains = 40, .reports = 25'000}, 0.97},
  };
  bool isReached = true;
  for (const MeasuredFleet& fleet : fleets) {
    const LimitedFleetResult result = simulateLimitedFleet(fleet.plan);
    std::cout << fleet.name << ": " << result.toText() << std::endl;
    isReached = isReached && result.use >= fleet.goal && result.mostRefusals <= fleet.plan.kills;
  }
  std::cout << (isReached ? "goals reached\n" : "goals missed\n");
  return isReached ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace tally::test

int main(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  const std::string seeds = argc == 3 && option == "--seeds" ? argv[2] : "";
  if (const std::size_t dots = seeds.find(".."); dots != std::string::npos)
    return tally::test::simulateSeeds(seeds, dots);
  if (argc == 2 && option == "--limits") return tally::test::measureLimits();
  std::cerr << "usage: outbox_simulation --seeds FROM..TO\n       outbox_simulation --limits\n";
  return EXIT_FAILURE;
}
