#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tally/error.h>
#include <tally/fake/service.h>
#include <tally/result.h>
#include <tally/tally.h>

#include "simulation/checker/history.h"
#include "simulation/checker/limit_counts.h"
#include "simulation/checker/record_model.h"
#include "simulation/network/link.h"
#include "stress/claim.h"

namespace tally::simulation {

using stress::Said;

[[nodiscard]] Said saidBy(const Error& error);
template <class T>
Said saidBy(const Result<T>& result) {
  return result ? Said::happened : saidBy(result.error());
}

/// Compares the outcomes that callers receive with what the service does, at each step.
class Checker {
 public:
  Checker(History& history, fake::Service& service) : history_(history), service_(service) {}

  [[nodiscard]] LimitCounts& limits() { return limits_; }

  // ---- What exists

  /// Inserts a payment record.
  PaymentRecord insertRecord(const std::string& key);
  [[nodiscard]] const RecordModel& record(const std::string& id) const { return records_.at(id).model; }
  [[nodiscard]] std::size_t recordsOf(const std::string& key) const { return order_.at(key).size(); }
  /// The record that was created before this one; empty if there is none.
  [[nodiscard]] std::string recordBefore(const std::string& id) const;

  // ---- What callers request and learn

  /// A change is about to be requested. `stream`: changes to one object in one stream are applied in the
  /// order in which they are announced; 0: none.
  [[nodiscard]] std::uint64_t announce(const std::string& object, std::uint64_t stream = 0);
  /// Notes how a change has ended. A later call may resolve a change whose end was unclear.
  void told(std::uint64_t number, Said said, const std::string& by);
  /// The same, with the number of requests that was reported to the caller.
  void told(std::uint64_t number, Said said, std::size_t requests, const std::string& by);
  /// The record that the response to a change shows.
  void sees(std::uint64_t number, const PaymentRecord& seen);
  /// A record that was read: it must be as it was in some version from `since` on.
  void reads(const PaymentRecord& seen, std::size_t since);
  void require(bool holds, std::string_view rule, const std::string& what, std::uint64_t change = 0) {
    if (!holds) history_.violate(rule, what, change);
  }

  // ---- What the network and the service do

  /// A request is sent. Returns the number of the change that it is about; 0 for a read.
  std::uint64_t departs(Sender& sender, const HttpRequest& request);
  /// The sender has the result of a request, or waits no longer.
  void returns(Sender& sender, const HttpRequest& request);
  /// The service has logged requests, the last of them this one of `sender`. `isLate`: `sender` has given up.
  void readLog(Sender& sender, const HttpRequest& request, bool isLate, Broken broken);

  /// What the log has by now does not belong to the simulation.
  void skipLog() { logged_ = service_.requests().lastNumber(); }
  /// Checks that the service's store agrees with the model.
  void compareStore();
  [[nodiscard]] std::size_t requests() const { return requests_; }
  [[nodiscard]] std::size_t timesApplied(std::uint64_t number) const { return changes_[number].applied; }

 private:
  struct Record {
    std::string key{};
    RecordModel model;
    std::map<std::uint64_t, std::uint64_t> lastOfStream{};  // the last change that was applied
  };
  struct Change {
    std::string object{};
    std::uint64_t stream = 0;
    std::optional<Said> said{};
    std::size_t sent = 0;
    std::size_t applied = 0;
    std::size_t version = 0;  // of the record, after it
  };

  void check(Sender& sender, const fake::LoggedRequest& entry, const HttpRequest& request, bool isLate);
  void applied(Sender& sender, const fake::LoggedRequest& entry, const HttpRequest& request, bool isLate);
  void checkOrder(Sender& sender, std::uint64_t number, Change& change, bool isLate);
  [[nodiscard]] static std::uint64_t numberOf(const HttpRequest& request);

  History& history_;
  fake::Service& service_;
  LimitCounts limits_{};
  std::map<std::string, Record, std::less<>> records_{};
  std::map<std::string, std::vector<std::string>, std::less<>> order_{};  // by keys, oldest first
  std::vector<Change> changes_{1};                                        // by their numbers
  std::uint64_t logged_ = 0;
  std::size_t requests_ = 0;
};

}  // namespace tally::simulation
