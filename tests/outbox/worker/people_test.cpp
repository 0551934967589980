// People cancel, retry, release, pause and resume at any time, while calls and the database fail, and workers
// stop, die and start. Every report is decided, takes effect at most once and in order, and every request is
// answered.

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "outbox/simulation/parked.h"
#include "outbox/worker/domain_of_worker.h"

namespace tally::test {
namespace {

/// A worker whose rounds take this long without time passing does not wait any more.
constexpr int mostRounds = 20'000;

class OperatorActions : public DomainOfWorker, public testing::WithParamInterface<unsigned> {
 protected:
  OperatorActions() {
    options_.maxInFlight = 1 + below(4);
    options_.window = 2 + below(20);
    options_.retryTimeout = std::chrono::seconds{5 + below(60)};
    if (below(3) == 0) options_.retention = std::chrono::seconds{below(100)};
    if (below(3) == 0) options_.readBefore = ReadBefore::always;
    lease_->extend(service_.clock()->now() + 1'000h);
    for (unsigned i = 0, count = 1 + below(4); i < count; ++i)
      objects_.push_back(record());
    start();
  }

  unsigned below(unsigned bound) { return static_cast<unsigned>(chance_() % bound); }
  bool oneIn(unsigned number) { return below(number) == 0; }

  // ---- The worker

  void start() {
    stopWorker_ = StopSource{};
    work_ = std::make_unique<detail::DomainWork>(std::move(shop_), lease_, domain_, options_);
  }

  /// Works for some time. Starts another worker if this one loses the domain.
  void work(std::chrono::nanoseconds time) {
    const Instant until = service_.clock()->now() + time;
    for (int rounds = 0; service_.clock()->now() < until; ++rounds) {
      ASSERT_LT(rounds, mostRounds) << "it does not wait";
      if (!work_->step(stopWorker_.get_token())) return replace();
      work_->wait(until);
    }
  }

  /// The worker dies, and another one takes over.
  void replace() {
    work_.reset();
    claim();
    start();
  }

  void stopAndReplace() {
    stopWorker_.request_stop();
    for (int rounds = 0; work_->step(stopWorker_.get_token()); ++rounds) {
      ASSERT_LT(rounds, mostRounds) << "the stop does not end";
      work_->wait(service_.clock()->now() + 1s);
    }
    work_.reset();
    worker_->depart();
    claim();
    start();
  }

  // ---- What happens to it

  void enqueueSome() {
    for (unsigned i = 0, count = 1 + below(4); i < count; ++i) {
      EnqueueOptions how;
      if (oneIn(3)) how.priority = ReportPriority::low;
      if (oneIn(5))
        how.notBefore = std::chrono::floor<std::chrono::seconds>(service_.clock()->now()) +
                        std::chrono::seconds{below(40)};
      const std::string sequence = std::to_string(reports_.size() + 1);
      const std::string& object = objects_[below(static_cast<unsigned>(objects_.size()))];
      reports_.emplace_back(enqueue(object, sequence, how), object);
    }
  }

  void ask() {
    if (reports_.empty()) return;
    constexpr std::array actions{"cancel", "cancel", "retry", "release"};
    const unsigned report = below(static_cast<unsigned>(reports_.size()));
    const std::string action = actions[below(actions.size())];
    try {
      (void)store_.ask(action, reports_[report].first, {});
      if (action == "retry") retried_.insert(std::to_string(report + 1));
    } catch (const OutboxError&) {  // it is not for a report in this state
    }
  }

  void pause() {
    try {
      store_.pause("shop", "a person");
    } catch (const OutboxError&) {  // the database fails
    }
  }

  void failCalls() {
    constexpr std::array faults{fake::Fault::connectionRefused, fake::Fault::reset, fake::Fault::responseLost,
                                fake::Fault::errorAfterProcessing, fake::Fault::truncatedBody};
    service_.faults().inject(
        {.times = static_cast<int>(1 + below(3)), .fault = faults[below(faults.size())]});
  }

  void failDatabase() {
    constexpr std::array operations{"read", "write", "carryOut", "answer", "maintain", "pause"};
    fail(operations[below(operations.size())], {static_cast<MemoryFault>(1 + below(3))});
  }

  void happen() {
    switch (below(10)) {
      case 0:
        return pause();
      case 1:
        return store_.resume("shop", {});
      case 2:
        return failCalls();
      case 3:
        return failDatabase();
      case 4:
        return oneIn(2) ? replace() : stopAndReplace();
      case 5:
      case 6:
        return ask();
      default:
        return enqueueSome();
    }
  }

  void endFaults() {
    service_.faults().clear();
    fail("", {});
    store_.resume("shop", {});
  }

  // ---- What must be true

  void expectTrueOutcomes(const std::vector<std::string>& effects) {
    const auto state = database_->backup();
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const auto report = state->reports().find(reports_[i].first);
      if (report == state->reports().end()) continue;  // retention has removed it
      const std::string sequence = std::to_string(i + 1);
      const auto count = std::ranges::count(effects, sequence);
      const std::string& outcome = report->second.end.value().outcome;
      EXPECT_TRUE(outcome == "applied" || outcome == "canceled") << outcome << ' ' << sequence;
      if (retried_.contains(sequence)) continue;
      EXPECT_EQ(count, outcome == "applied" ? 1 : 0) << outcome << ' ' << sequence;
    }
    for (const auto& [number, request] : state->requests())
      EXPECT_TRUE(request.answer) << "the request " << number << " to " << request.action;
  }

  void expectOrder(const std::vector<std::string>& effects) {
    std::map<std::string, int> last;
    for (const std::string& sequence : effects) {
      if (retried_.contains(sequence)) continue;
      const int number = std::stoi(sequence);
      int& before = last[reports_[static_cast<std::size_t>(number - 1)].second];
      EXPECT_LT(before, number);
      before = number;
    }
  }

  std::mt19937 chance_{GetParam()};
  std::vector<std::string> objects_;
  std::vector<std::pair<std::uint64_t, std::string>> reports_;  // and their objects
  std::set<std::string> retried_;
  std::unique_ptr<detail::DomainWork> work_;
  StopSource stopWorker_;
};

TEST_P(OperatorActions, NeverLoseOrRepeatAReport) {
  for (unsigned i = 0, count = 20 + below(60); i < count && !HasFatalFailure(); ++i) {
    happen();
    work(std::chrono::milliseconds{1 + below(oneIn(4) ? 20'000 : 800)});
  }
  endFaults();
  for (int minutes = 0; minutes < 200 && !isDecided(*database_, store_) && !HasFatalFailure(); ++minutes)
    work(60s);
  ASSERT_TRUE(isDecided(*database_, store_));
  stopAndReplace();
  expectTrueOutcomes(effects());
  expectOrder(effects());
}

INSTANTIATE_TEST_SUITE_P(Seeds, OperatorActions, testing::Range(1U, 41U));

}  // namespace
}  // namespace tally::test
