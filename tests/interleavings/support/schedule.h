#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tally::test {

/// The number of a controlled thread: 0 is the scenario's own, the others follow in the order of their
/// starts.
using ThreadNumber = std::size_t;

/// A point of a run at which more than one thread can continue.
struct Choice {
  std::size_t step = 0;                     ///< its number in the run, from 0
  std::optional<ThreadNumber> current{};    ///< the thread that has come here, if it can continue
  std::span<const ThreadNumber> threads{};  ///< all that can continue, in ascending order

  /// The thread that continues unless a policy decides otherwise.
  [[nodiscard]] ThreadNumber usual() const { return current ? *current : threads.front(); }
};

/// Which thread continues at which step. Elsewhere, the usual one does.
struct Schedule {
  struct Switch {
    std::size_t step = 0;
    ThreadNumber thread = 0;

    auto operator<=>(const Switch&) const = default;
  };

  std::vector<Switch> switches{};

  /// Such as `14:1 20:0`.
  [[nodiscard]] std::string toText() const;
  /// Throws std::invalid_argument.
  [[nodiscard]] static Schedule fromText(std::string_view text);
};

/// Decides which thread continues.
class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  [[nodiscard]] virtual ThreadNumber choose(const Choice& choice) = 0;
};

/// Any thread, at each point.
[[nodiscard]] std::unique_ptr<Policy> randomPolicy(std::uint64_t seed);

/// Probabilistic concurrency testing: each thread has a random priority, and the one with the highest goes
/// on; at `changes` random steps of the first `length`, it falls behind all others. Finds any race that needs
/// `changes` + 1 ordered steps with a probability of at least 1 / (threads · length ^ changes).
[[nodiscard]] std::unique_ptr<Policy> priorityPolicy(std::uint64_t seed, std::size_t length,
                                                     std::size_t changes);

/// `starved` continues only if no other thread can. The others take random turns.
[[nodiscard]] std::unique_ptr<Policy> starvationPolicy(std::uint64_t seed, ThreadNumber starved);

/// A schedule that is known. A thread that can't continue where it should is skipped.
[[nodiscard]] std::unique_ptr<Policy> replayPolicy(const Schedule& schedule);

/// Every schedule in which at most `preemptions` threads are interrupted where they could continue.
class ExhaustiveSearch {
 public:
  explicit ExhaustiveSearch(std::size_t preemptions) : preemptions_(preemptions) {}

  /// That of the next run. Throws std::logic_error in choose() if a run does not repeat the previous one.
  [[nodiscard]] std::unique_ptr<Policy> policy();

  /// Call it after each run. False: there is no further schedule.
  [[nodiscard]] bool advance();

 private:
  class Run;
  struct Decision {
    std::vector<ThreadNumber> options{};  // the usual one first
    std::size_t chosen = 0;
    bool isPreemption = false;  // if it is not the usual one
  };

  [[nodiscard]] ThreadNumber decide(std::size_t at, std::size_t used, const Choice& choice);

  std::size_t preemptions_;
  std::vector<Decision> decisions_{};
};

}  // namespace tally::test
