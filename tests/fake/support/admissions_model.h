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

/// A request, as the limits of the specification see it.
struct AdmissionRequest {
  std::string operation{};  // method and path, by name
  bool get = false;
  std::string object{};  // that is updated, or of which something is created
  bool givesQuantity = false;
  std::string payer{};   // the account whose key made it
  std::string acting{};  // the account for which it acts
  bool live = false;

  [[nodiscard]] bool isOnBehalf() const { return payer != acting; }
};

/// Which requests the service admits, by the specification's section "Limits" and docs/assumptions.md alone.
/// It shares neither tables nor code with the fake: every number and every name of an operation is typed in
/// here.
class AdmissionsModel {
 public:
  /// Why a request is refused: the value of `Service-Rate-Limited-Reason`, which is empty for the read
  /// allocation; and which line of the specification it is, for a person to read.
  struct Refusal {
    std::string reason{};
    std::string line{};
  };

  /// Makes `limit` another for all accounts, or, for nothing, switches it off.
  void set(const std::string& limit, std::optional<std::int64_t> number) { numbers_[limit] = number; }

  [[nodiscard]] std::optional<Refusal> refusal(const AdmissionRequest& request, Instant now);

  /// It arrived at `time`, is in progress until just before `end`, and had its effect if it `changed`.
  void admit(const AdmissionRequest& request, Instant time, Instant end, bool changed);

  /// So many transactions, now, of an account in one mode.
  void transact(const std::string& account, bool live, Instant now, std::int64_t count);

  /// From now on the platform reads on behalf of the account.
  void connect(const std::string& platform, const std::string& account, bool live) {
    connected_[{platform, live}].insert(account);
  }

  /// Takes places of a concurrency limit, or gives them back; of no operation in particular where it is
  /// empty.
  void occupy(const std::string& account, bool live, const std::string& operation, std::int64_t places);

 private:
  /// One of the limits on a request, and where it is counted.
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
  std::map<std::string, std::deque<Instant>> ends_{};      // by counter, those in progress
  std::map<std::string, std::int64_t> occupied_{};         // by counter
  std::map<std::tuple<std::string, bool, bool>, std::deque<Instant>> reads_{};
  std::map<AccountMode, std::deque<std::pair<Instant, std::int64_t>>> transactions_{};
  std::map<AccountMode, std::set<std::string>> connected_{};
};

}  // namespace tally::test
