// simulation_runs --seeds FROM..TO [--small]: simulates each seed, and narrows down each violation of a rule
// simulation_runs --seeds N..N --steps FROM..TO: also prints these steps
// simulation_runs --seeds N..N --fork STEP,SEED: from this step on, random choices follow another seed
// simulation_runs --broken NUMBER …: breaks a rule; see enum Broken

#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "simulation/narrow.h"
#include "simulation/plan.h"

namespace tally::simulation {
namespace {

constexpr std::size_t futuresOfEachStep = 10;

using Range = std::pair<std::uint64_t, std::uint64_t>;

struct CommandLine {
  Range seeds{1, 1};
  Range steps{1, 0};
  std::optional<Fork> fork{};
  Broken broken = Broken::none;
  bool isSmall = false;
};

Range rangeOf(const std::string& text, std::string_view between) {
  return {std::stoull(text), std::stoull(text.substr(text.find(between) + between.size()))};
}

bool read(CommandLine& line, int argc, char** argv) {
  for (int at = 1; at < argc; ++at) {
    const std::string_view option = argv[at];
    if (option == "--small") {
      line.isSmall = true;
      continue;
    }
    const std::string value = ++at < argc ? argv[at] : "";
    if (value.empty()) return false;
    if (option == "--seeds") {
      line.seeds = rangeOf(value, "..");
    } else if (option == "--steps") {
      line.steps = rangeOf(value, "..");
    } else if (option == "--fork") {
      const Range fork = rangeOf(value, ",");
      line.fork = Fork{fork.first, fork.second};
    } else if (option == "--broken") {
      line.broken = static_cast<Broken>(std::stoi(value));
    } else {
      return false;
    }
  }
  return argc > 1;
}

Plan planOf(const CommandLine& line, std::uint64_t seed) {
  Plan plan = line.isSmall ? Plan{.seed = seed} : largePlanOf(seed);
  plan.shown = line.steps;
  plan.fork = line.fork;
  plan.broken = line.broken;
  return plan;
}

std::string commandOf(const CommandLine& line, std::uint64_t seed) {
  const std::string number = std::to_string(seed);
  std::string command =
      "simulation_runs --seeds " + number + ".." + number + (line.isSmall ? " --small" : "");
  if (line.broken != Broken::none) command += " --broken " + std::to_string(static_cast<int>(line.broken));
  return command;
}

void explain(const CommandLine& line, const Plan& plan, const Violation& violation) {
  std::cout << "seed " << plan.seed << " violates \"" << violation.rule << "\" at step " << violation.step
            << ":\n  " << violation.text << "\nrepeat it with: " << commandOf(line, plan.seed) << std::endl;
  if (plan.fork) return;
  const auto narrowed = narrow(plan, futuresOfEachStep);
  std::cout << "it is certain after step " << narrowed->step << ":\n  " << narrowed->text
            << "\nsee it with: " << commandOf(line, plan.seed) << " --steps " << narrowed->step << ".."
            << violation.step << std::endl;
}

/// The last line has the totals, for run.py.
int simulateSeeds(const CommandLine& line) {
  Outcome total;
  std::uint64_t hash = 0;
  std::size_t found = 0;
  for (std::uint64_t seed = line.seeds.first; seed <= line.seeds.second; ++seed) {
    const Plan plan = planOf(line, seed);
    const Outcome outcome = simulate(plan);
    for (const ShownStep& step : outcome.shown)
      std::cout << step.step << ": " << step.text << '\n';
    total.calls += outcome.calls;
    total.requests += outcome.requests;
    total.steps += outcome.steps;
    hash ^= outcome.hash;
    for (const auto& [kind, count] : outcome.counts)
      total.counts[kind] += count;
    if (outcome.violation.rule.empty()) continue;
    ++found;
    explain(line, plan, outcome.violation);
  }
  for (const auto& [kind, count] : total.counts)
    std::cout << count << ' ' << kind << '\n';
  std::cout << "hash " << hash << "\ncalls " << total.calls << " requests " << total.requests << " steps "
            << total.steps << " found " << found << std::endl;
  return found == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace tally::simulation

int main(int argc, char** argv) {
  tally::simulation::CommandLine line;
  if (tally::simulation::read(line, argc, argv)) return tally::simulation::simulateSeeds(line);
  std::cerr
      << "usage: simulation_runs --seeds FROM..TO [--small] [--steps FROM..TO] [--fork STEP,SEED] [--broken "
         "NUMBER]\n";
  return EXIT_FAILURE;
}
