#include "interleavings/support/schedule.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <random>
#include <stdexcept>

namespace tally::test {

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return static_cast<std::size_t>(random() % end);
}

bool contains(std::span<const ThreadNumber> threads, ThreadNumber thread) {
  return std::ranges::find(threads, thread) != threads.end();
}

class RandomPolicy final : public Policy {
 public:
  explicit RandomPolicy(std::uint64_t seed) : random_(seed) {}

  ThreadNumber choose(const Choice& choice) override {
    return choice.threads[below(random_, choice.threads.size())];
  }

 private:
  Random random_;
};

class PriorityPolicy final : public Policy {
 public:
  PriorityPolicy(std::uint64_t seed, std::size_t length, std::size_t changes) : random_(seed) {
    for (std::size_t i = 0; i < changes; ++i)
      changes_.push_back(below(random_, std::max<std::size_t>(length, 1)));
    std::ranges::sort(changes_);
  }

  ThreadNumber choose(const Choice& choice) override {
    while (next_ < changes_.size() && changes_[next_] <= choice.step) {
      if (choice.current) priorities_[*choice.current] = -static_cast<std::int64_t>(next_) - 1;
      ++next_;
    }
    return *std::ranges::max_element(choice.threads, {},
                                     [&](ThreadNumber thread) { return priorityOf(thread); });
  }

 private:
  std::int64_t priorityOf(ThreadNumber thread) {
    const auto [at, isNew] = priorities_.try_emplace(thread, 0);
    if (isNew) at->second = static_cast<std::int64_t>(random_() >> 1U);
    return at->second;
  }

  Random random_;
  std::vector<std::size_t> changes_{};
  std::size_t next_ = 0;
  std::map<ThreadNumber, std::int64_t> priorities_{};
};

class StarvationPolicy final : public Policy {
 public:
  StarvationPolicy(std::uint64_t seed, ThreadNumber starved) : random_(seed), starved_(starved) {}

  ThreadNumber choose(const Choice& choice) override {
    std::vector<ThreadNumber> others;
    std::ranges::copy_if(choice.threads, std::back_inserter(others),
                         [&](ThreadNumber thread) { return thread != starved_; });
    return others.empty() ? starved_ : others[below(random_, others.size())];
  }

 private:
  Random random_;
  ThreadNumber starved_;
};

class ReplayPolicy final : public Policy {
 public:
  explicit ReplayPolicy(const Schedule& schedule) {
    for (const Schedule::Switch& one : schedule.switches)
      threads_[one.step] = one.thread;
  }

  ThreadNumber choose(const Choice& choice) override {
    const auto known = threads_.find(choice.step);
    return known != threads_.end() && contains(choice.threads, known->second) ? known->second
                                                                              : choice.usual();
  }

 private:
  std::map<std::size_t, ThreadNumber> threads_{};
};

std::size_t numberIn(std::string_view text) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size() || text.empty())
    throw std::invalid_argument{"a schedule consists of STEP:THREAD pairs, separated by spaces"};
  return number;
}

}  // namespace

std::string Schedule::toText() const {
  std::string text;
  for (const Switch& one : switches)
    text += (text.empty() ? "" : " ") + std::to_string(one.step) + ':' + std::to_string(one.thread);
  return text;
}

Schedule Schedule::fromText(std::string_view text) {
  Schedule schedule;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (one.empty()) continue;
    const std::size_t colon = std::min(one.find(':'), one.size());
    schedule.switches.push_back({.step = numberIn(one.substr(0, colon)),
                                 .thread = numberIn(one.substr(std::min(colon + 1, one.size())))});
  }
  return schedule;
}

std::unique_ptr<Policy> randomPolicy(std::uint64_t seed) {
  return std::make_unique<RandomPolicy>(seed);
}

std::unique_ptr<Policy> priorityPolicy(std::uint64_t seed, std::size_t length, std::size_t changes) {
  return std::make_unique<PriorityPolicy>(seed, length, changes);
}

std::unique_ptr<Policy> starvationPolicy(std::uint64_t seed, ThreadNumber starved) {
  return std::make_unique<StarvationPolicy>(seed, starved);
}

std::unique_ptr<Policy> replayPolicy(const Schedule& schedule) {
  return std::make_unique<ReplayPolicy>(schedule);
}

class ExhaustiveSearch::Run final : public Policy {
 public:
  explicit Run(ExhaustiveSearch& search) : search_(search) {}

  ThreadNumber choose(const Choice& choice) override {
    const std::size_t at = next_++;
    const ThreadNumber thread = search_.decide(at, preemptions_, choice);
    if (search_.decisions_[at].isPreemption && thread != choice.usual()) ++preemptions_;
    return thread;
  }

 private:
  ExhaustiveSearch& search_;
  std::size_t next_ = 0;
  std::size_t preemptions_ = 0;  // so far
};

std::unique_ptr<Policy> ExhaustiveSearch::policy() {
  return std::make_unique<Run>(*this);
}

ThreadNumber ExhaustiveSearch::decide(std::size_t at, std::size_t used, const Choice& choice) {
  if (at == decisions_.size()) {
    Decision decision{.options = {choice.usual()}, .isPreemption = choice.current.has_value()};
    if (!decision.isPreemption || used < preemptions_)
      std::ranges::copy_if(choice.threads, std::back_inserter(decision.options),
                           [&](ThreadNumber thread) { return thread != choice.usual(); });
    decisions_.push_back(std::move(decision));
  }
  const Decision& decision = decisions_[at];
  const ThreadNumber thread = decision.options[decision.chosen];
  if (!contains(choice.threads, thread) || decision.options.front() != choice.usual())
    throw std::logic_error{"the scenario does not depend only on the schedule"};
  return thread;
}

bool ExhaustiveSearch::advance() {
  while (!decisions_.empty() && ++decisions_.back().chosen == decisions_.back().options.size())
    decisions_.pop_back();
  return !decisions_.empty();
}

}  // namespace tally::test
