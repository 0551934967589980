// Simulates a fleet for each seed of a range, and prints what is wrong: `outbox_simulation --seeds FROM..TO`.

#include <cstdlib>
#include <iostream>
#include <string>

#include "outbox/simulation/fleet.h"

int main(int argc, char** argv) {
  const std::string seeds = argc == 3 && std::string{argv[1]} == "--seeds" ? argv[2] : "";
  const std::size_t dots = seeds.find("..");
  if (dots == std::string::npos) {
    std::cerr << "usage: outbox_simulation --seeds FROM..TO\n";
    return EXIT_FAILURE;
  }
  const std::uint64_t to = std::stoull(seeds.substr(dots + 2));
  std::size_t reports = 0;
  std::size_t violations = 0;
  for (std::uint64_t seed = std::stoull(seeds); seed <= to; ++seed) {
    const tally::test::FleetResult result = tally::test::simulateFleet(tally::test::planOf(seed));
    reports += result.reports;
    violations += result.violation.empty() ? 0U : 1U;
    std::cout << result.violation;
  }
  std::cout << "seeds " << seeds << ": " << reports << " reports, " << violations << " violations\n";
  return violations == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
