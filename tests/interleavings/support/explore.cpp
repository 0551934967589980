#include "interleavings/support/explore.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>

#include "interleavings/support/schedule.h"
#include "interleavings/support/scheduler.h"

namespace tally::test {

namespace {

constexpr std::size_t priorityChanges = 3;
constexpr std::size_t mostLines = 18;  // of a trace

class Exploring {
 public:
  explicit Exploring(const std::function<void()>& scenario) : scenario_(scenario) {}

  /// False: it has failed.
  bool run(Policy& policy) {
    last_ = runScheduled(scenario_, policy);
    ++result_.schedules;
    return !last_.failure;
  }

  void search(const Exploration& exploration) {
    ExhaustiveSearch search{exploration.preemptions};
    bool isMore = true;
    for (std::size_t i = 0; isMore && i < exploration.maxSchedules; ++i) {
      if (!run(*search.policy())) return report();
      isMore = search.advance();
    }
    result_.isExhaustive = !isMore;
    const std::size_t length = last_.steps;
    const std::size_t threads = last_.threads;
    for (std::uint64_t seed = exploration.firstSeed; seed < exploration.firstSeed + exploration.seeds;
         ++seed) {
      if (!run(*randomPolicy(seed)) || !run(*priorityPolicy(seed, length, priorityChanges))) return report();
      if (!run(*starvationPolicy(seed, seed % threads))) return report();
    }
  }

  void replay(const Schedule& schedule) {
    if (!run(*replayPolicy(schedule))) report();
  }

  [[nodiscard]] const Explored& result() const { return result_; }

 private:
  /// Without the switches that the failure does not need.
  [[nodiscard]] Schedule reduced(Schedule schedule) const {
    for (std::size_t at = schedule.switches.size(); at-- > 0;) {
      Schedule shorter = schedule;
      shorter.switches.erase(shorter.switches.begin() + static_cast<std::ptrdiff_t>(at));
      const Run run = runScheduled(scenario_, *replayPolicy(shorter));
      if (run.failure)
        schedule = run.schedule.switches.size() < schedule.switches.size() ? run.schedule : shorter;
      at = std::min(at, schedule.switches.size());
    }
    return schedule;
  }

  void report() {
    const std::string first = *last_.failure;
    const Schedule schedule = reduced(last_.schedule);
    const Run run = runScheduled(scenario_, *replayPolicy(schedule), Trace::switches);
    std::ostringstream text;
    text << run.failure.value_or(first) << "\nTALLY_SCHEDULE='" << schedule.toText() << "'\n";
    for (std::size_t line = 0; line < run.trace.size() && line < mostLines; ++line)
      text << run.trace[line] << '\n';
    result_.failure = text.str();
  }

  const std::function<void()>& scenario_;
  Run last_{};
  Explored result_{};
};

}  // namespace

Explored explore(const std::function<void()>& scenario, const Exploration& exploration) {
  Exploring exploring{scenario};
  exploring.search(exploration);
  return exploring.result();
}

void testInterleavings(const std::function<void()>& scenario, Exploration exploration) {
  Exploring exploring{scenario};
  if (const char* const schedule = std::getenv("TALLY_SCHEDULE")) {
    exploring.replay(Schedule::fromText(schedule));
  } else {
    if (const char* const text = std::getenv("TALLY_INTERLEAVINGS")) {
      char comma = 0;
      std::istringstream{text} >> exploration.preemptions >> comma >> exploration.seeds >> comma >>
          exploration.firstSeed;
      exploration.maxSchedules *= 10;
    }
    exploring.search(exploration);
  }
  const Explored& explored = exploring.result();
  EXPECT_EQ(explored.failure, "");
  testing::Test::RecordProperty("schedules", std::to_string(explored.schedules));
  testing::Test::RecordProperty("preemptions",
                                explored.isExhaustive ? std::to_string(exploration.preemptions) : "-");
}

}  // namespace tally::test
