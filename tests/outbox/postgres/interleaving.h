#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <libpq-fe.h>

#include "outbox/postgres_database.h"

namespace tally::test {

/// A session that executes one statement at a time while others execute theirs.
class SteppedSession {
 public:
  explicit SteppedSession(const std::string& url);

  void start(const std::string& sql);
  /// Whether no statement is being executed. Returns once the statement has ended, or waits for another
  /// session: `observer` asks the server.
  [[nodiscard]] bool awaitEnd(const Session& observer);
  /// What each statement has returned: the first column of its first row; `none` without a row; an SQLSTATE.
  [[nodiscard]] const std::vector<std::string>& results() const noexcept { return results_; }
  void clear() { results_.clear(); }

 private:
  [[nodiscard]] bool hasArrived();
  void receive();

  Session session_;
  bool isExecuting_ = false;
  std::vector<std::string> results_{};
};

/// What two sessions execute, and what has to be true afterwards, in whichever order.
struct Race {
  /// Both results of one order.
  struct Outcome {
    const Session& session;
    std::string domain{};
    std::vector<std::string> a{};
    std::vector<std::string> b{};
    bool hasAWaited = false;  // for the other one
    bool hasBWaited = false;

    /// The first value that a query returns. `{d}` in it is the domain.
    [[nodiscard]] std::string value(const std::string& sql) const;
  };

  std::string name{};
  std::vector<std::string> before{};  // `{d}` in a statement is the domain, another one for each order
  std::vector<std::string> a{};
  std::vector<std::string> b{};
  /// What is wrong; empty if nothing is.
  std::function<std::string(const Outcome&)> fault{};

  friend void PrintTo(const Race& race, std::ostream* out) { *out << race.name; }
};

/// Executes the race in each order of the statements. A session whose statement waits for the other one goes
/// on as soon as that has ended.
class Interleaving {
 public:
  explicit Interleaving(const std::string& url)
      : observer_(url), sessions_{SteppedSession{url}, SteppedSession{url}} {}

  /// The faults, each with the order, such as `aabbab: …`.
  std::vector<std::string> faultsOf(const Race& race);

 private:
  Race::Outcome run(const Race& race, const std::string& order);
  /// Whether no statement is being executed in a session.
  bool hasEnded(std::size_t session);

  Session observer_;
  std::array<SteppedSession, 2> sessions_;
  std::array<bool, 2> haveWaited_{};  // in this order
  std::size_t orders_ = 0;
};

}  // namespace tally::test
