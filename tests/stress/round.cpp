#include "round.h"

#include <atomic>
#include <deque>
#include <functional>
#include <iterator>
#include <sstream>
#include <thread>

#include "fault_injector.h"
#include "ledger.h"
#include "stop_tokens.h"
#include "worker.h"

namespace tally::stress {

namespace {

constexpr std::uint64_t numbersOfEach = 1'000'000;

template <class List>
void append(List& list, const List& more) {
  list.insert(list.end(), more.begin(), more.end());
}

class Round {
 public:
  explicit Round(const RoundOptions& options) : options_(options), world_(options.seed, options.threads) {
    for (int i = 0; i < options_.workers; ++i)
      workers_.emplace_back(world_, stopTokens_, numbersOfEach * static_cast<std::uint64_t>(i + 1),
                            world_.random.number());
  }

  RoundResult play() {
    run(works());
    const auto log = world_.service.requests().list();
    compare(log);
    note(log);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<std::function<void()>> works();
  void run(const std::vector<std::function<void()>>& works) const;
  void compare(const std::vector<fake::LoggedRequest>& log);
  void note(const std::vector<fake::LoggedRequest>& log);

  RoundOptions options_;
  World world_;
  StopTokens stopTokens_{};
  std::deque<Worker> workers_{};
  FaultInjector injector_{world_, stopTokens_, world_.random.number()};
  std::atomic<int> working_ = 0;
  std::atomic<bool> over_ = false;
  RoundResult result_{};
};

std::vector<std::function<void()>> Round::works() {
  std::vector<std::function<void()>> works;
  working_ = options_.workers;
  for (Worker& worker : workers_)
    works.emplace_back([this, &worker] {
      worker.work(options_.callsOfEach);
      if (--working_ == 0) over_ = true;
    });
  works.emplace_back([this] { injector_.work(options_.workers * options_.callsOfEach, over_); });
  return works;
}

void Round::run(const std::vector<std::function<void()>>& works) const {
  if (options_.threads == Threads::inTurns)
    return world_.service.clock()->runThreads(works.size(), [&](std::size_t n) { works[n](); });
  std::vector<std::jthread> threads;
  for (const auto& work : works)
    threads.emplace_back(work);
}

void Round::compare(const std::vector<fake::LoggedRequest>& log) {
  std::vector<Sending> sendings;
  for (const Worker& worker : workers_) {
    append(result_.claims, worker.claims());
    append(result_.problems, worker.problems());
    append(sendings, worker.sendings());
  }
  const Ledger ledger{log};
  append(result_.problems, ledger.disagreements(result_.claims));
  append(result_.problems, ledger.disagreements(sendings));
  append(result_.problems, ledger.disagreements(world_));
  for (const Sending& sending : sendings)
    if (world_.network && world_.network->sentFor(sending.call) != sending.requests)
      result_.problems.push_back(sending.what +
                                 " is reported as sent a different number of times than it was");
  if (world_.network && world_.network->sent() != world_.counter->attempts)
    result_.problems.emplace_back("observers received other attempts than were made");
  if (world_.network && world_.network->arrived() != log.size())
    result_.problems.emplace_back("the log has other requests than arrived");
}

void Round::note(const std::vector<fake::LoggedRequest>& log) {
  for (const fake::LoggedRequest& logged : log) {
    std::ostringstream line;
    line << logged;
    result_.log.push_back(line.str());
    if (logged.fault != fake::Fault::none) result_.mishaps.insert(std::string{toString(logged.fault)});
    if (!logged.errorCode.empty()) result_.mishaps.insert(logged.errorCode);
  }
}

}  // namespace

RoundResult play(const RoundOptions& options) {
  return Round{options}.play();
}

}  // namespace tally::stress
