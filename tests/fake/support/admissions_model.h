#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tally/clock.h>

namespace tally::test {

/// A request, reduced to what limits depend on.
struct AdmissionRequest {
  std::string operation{};  // method and path, by name
  bool get = false;
  std::string object{};  // being updated, or for which something is created
  bool givesQuantity = false;
  std::string payer{};   // the account of the key
  std::string acting{};  // the account that the request acts for
  bool live = false;

  [[nodiscard]] bool isOnBehalf() const { return payer != acting; }
};

/// Decides which requests the service admits, based only on the section "Limits" of the specification and
/// docs/reference/assumptions.md. It shares no tables or code with the fake: all numbers and operation names
/// are repeated here.
class AdmissionsModel {
 public:
  /// Why a request is refused: the value of `Service-Rate-Limited-Reason`, empty for the read allocation, and
  /// the relevant line of the specification, for readers.
  struct Refusal {
    std::string reason{};
    std::string line{};
  };

  /// Changes `limit` for all accounts; nullopt disables it.
  void set(const std::string& limit, std::optional<std::int64_t> number) { numbers_[limit] = number; }

  [[nodiscard]] std::optional<Refusal> refusal(const AdmissionRequest& request, Instant now);

  /// The request arrived at `time`, is in progress until just before `end`, and had an effect if it
  /// `changed`.
  void admit(const AdmissionRequest& request, Instant time, Instant end, bool changed);

  /// Records `count` transactions of an account in one mode at `now`.
  void transact(const std::string& account, bool live, Instant now, std::int64_t count);

  /// From now on, the platform reads on behalf of the account.
  void connect(const std::string& platform, const std::string& account, bool live) {
    connected_[{platform, live}].insert(account);
  }

  /// Takes units of a concurrency limit, or returns them; without an operation, only of the global limit.
  void holdConcurrency(const std::string& account, bool live, const std::string& operation,
                       std::int64_t units);

 private:
  /// A limit on a request, and its counter.
  struct Bound {
    std::string reason{};
    std::string line{};
    std::string counter{};
    std::optional<std::int64_t> number{};
    std::chrono::nanoseconds window{};  // zero for a concurrency limit
    bool changesOnly = false;
  };
  using AccountMode = std::pair<std::string, bool>;

  [[nodiscard]] std::vector<Bound> boundsOf(const AdmissionRequest& request) const;
  [[nodiscard]] std::vector<Bound> namedRatesOf(const AdmissionRequest& request) const;
  [[nodiscard]] std::optional<std::int64_t> number(const std::string& limit,
                                                   std::optional<std::int64_t> documented) const;
  [[nodiscard]] std::int64_t used(const Bound& bound, Instant now);
  [[nodiscard]] std::int64_t readsAllowed(const AdmissionRequest& request, Instant now);
  [[nodiscard]] std::deque<Instant>& readsOf(const AdmissionRequest& request);

  std::map<std::string, std::optional<std::int64_t>> numbers_{};
  std::map<std::string, std::deque<Instant>> admitted_{};  // by counter
  std::map<std::string, std::deque<Instant>> ends_{};      // by counter, of requests in progress
  std::map<std::string, std::int64_t> heldUnits_{};        // by counter
  std::map<std::tuple<std::string, bool, bool>, std::deque<Instant>> reads_{};
  std::map<AccountMode, std::deque<std::pair<Instant, std::int64_t>>> transactions_{};
  std::map<AccountMode, std::set<std::string>> connected_{};
};

}  // namespace tally::test
