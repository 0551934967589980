#include "simulation/director.h"
#include "simulation/plan.h"
#include "simulation/world.h"

namespace tally::simulation {

Outcome simulate(const Plan& plan) {
  World world{plan};
  Director director{world, plan};
  world.run([&] { director.run(); });
  return world.outcome();
}

Plan largePlanOf(std::uint64_t seed) {
  return {.seed = seed,
          .callers = 3'000,
          .callsOfEach = 8,
          .time = std::chrono::seconds{60},
          .jobs = 2,
          .rows = 200,
          .workers = 3,
          .spares = 2};
}

}  // namespace tally::simulation
