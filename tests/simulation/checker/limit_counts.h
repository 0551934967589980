#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/logged_request.h>
#include <tally/limit_types.h>

namespace tally::simulation {

/// The limits of the specification, counted naively: a list of the times of the requests that a limit counts.
/// The numbers are written by hand, and nothing is shared with the client or the fake. Spec: "Limits".
class LimitCounts {
 public:
  /// In all accounts.
  void set(std::string_view limit, std::int64_t number) {
    numbers_.insert_or_assign(std::string{limit}, number);
  }
  /// Rules of fault injection that respond in place of the service.
  void answersInstead(std::uint64_t faultRule) { answering_.insert(faultRule); }
  /// Reads that were made before.
  void addReads(const std::string& key, std::int64_t count) { reads_[key] += count; }
  /// No earlier request is in progress any longer.
  void forgetRequestsInProgress() { inProgress_.clear(); }

  /// Counts a request of this key. Empty if it was right to admit it; else what is wrong.
  [[nodiscard]] std::string count(const fake::LoggedRequest& request, const std::string& key,
                                  const std::string& subscription);

 private:
  struct Interval {
    Instant begin{};
    Instant end{};
  };

  [[nodiscard]] std::string countRates(const fake::LoggedRequest& request, const std::string& key,
                                       const std::string& subscription);
  [[nodiscard]] std::string countInProgress(const std::string& limit, const std::string& bucket,
                                            const fake::LoggedRequest& request);
  [[nodiscard]] std::string countReads(const fake::LoggedRequest& request, const std::string& key);
  [[nodiscard]] std::optional<std::int64_t> numberOf(std::string_view limit,
                                                     std::optional<std::int64_t> documented) const;
  [[nodiscard]] std::string add(const std::string& bucket, Instant time, std::chrono::seconds window,
                                std::int64_t number);

  std::map<std::string, std::int64_t, std::less<>> numbers_{};
  std::set<std::uint64_t> answering_{};
  std::map<std::string, std::deque<Instant>, std::less<>> times_{};  // sorted
  std::map<std::string, std::vector<Interval>, std::less<>> inProgress_{};
  std::map<std::string, std::int64_t> transactions_{};  // by keys
  std::map<std::string, std::int64_t> reads_{};         // by keys; a simulation takes less than 30 days
};

}  // namespace tally::simulation
