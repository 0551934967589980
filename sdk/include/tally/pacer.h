#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tally/clock.h>
#include <tally/limit.h>

namespace tally {

namespace detail {
class Core;
class Pacing;
}  // namespace detail

/// What a Pacer goes by. Without any of it: by the numbers of the specification.
struct PacerOptions {
  /// Numbers of your own, where support has granted an increase; of several for a limit, the last. At least
  /// 1; nothing lets go of the limit. `country` and `industry` stay empty: a pacer does not know an
  /// account's.
  std::vector<LimitSetting> limits{};
  /// The mode of keys that do not tell by `sk_live_` or `sk_test_`, such as OAuth access tokens.
  bool livemode = true;
  /// Whether all keys of a mode belong to one account, and so share its limits. If not, each key has limits
  /// of its own.
  bool oneAccount = false;
  /// In how long a limit that was lowered after a refusal is back at its number; for one whose window is
  /// longer, in as long as that. More than 0; 100 years and longer are the same.
  std::chrono::seconds recovery{60};
  /// For how much longer than its window a request counts. Covers what can't be measured from here: the way
  /// to the service is not always equally long, and threads are held up. With 0, a limit that is used to the
  /// full is passed by fractions of a millisecond now and then. From 0 to a minute.
  std::chrono::milliseconds margin{10};
  /// For a process that follows one that ended just before, as after a crash: windows of up to this length
  /// start full, as if that process had used all of them. So with `1s` nothing is sent in the first second
  /// after the first client of this pacer is made, and limits by the hour are not affected. 0: they start
  /// empty; seconds::max(): all start full. At least 0.
  std::chrono::seconds fullAtStart{0};
};

/// How many calls a Pacer has to do with at one moment.
struct PacerCounts {
  std::size_t waiting = 0;   ///< Calls that wait for it.
  std::size_t underWay = 0;  ///< Requests that are sent and not yet answered.
};

/// What a Pacer has counted for one limit.
struct PacerUsage {
  std::string limit{};      ///< Such as `global_rate`.
  std::string operation{};  ///< For a limit on each operation.
  std::string object{};     ///< For a limit on each object.
  /// Requests that count now or are under way, and calls that have a place here and wait for another limit.
  std::int64_t used = 0;
  std::optional<std::int64_t> number{};  ///< How many are let through at this moment; nothing: any number.
  std::optional<std::int64_t> full{};    ///< The same while the service has refused nothing.
  std::size_t waiting = 0;               ///< Calls that wait for this limit now.

  bool operator==(const PacerUsage&) const = default;
};

/// As `endpoint_rate of payment_records.retrieve: 3 of 12 used, lowered from 25, 4 waiting`.
std::ostream& operator<<(std::ostream& out, const PacerUsage& usage);

/// Holds calls back so that no more are sent than the service allows: for each operation, resource and
/// object, for an account in all, and for each connected account. Calls wait in the order in which they came,
/// those that are held back by their own limit in nobody else's way. What the service refuses all the same
/// lowers the limit that its answer names, for a while; but in a limit's first window it is taken to be what
/// an earlier process has sent, and lowers nothing. Spec: "Limits", "Values of
/// `Service-Rate-Limited-Reason`".
///
/// Set `ClientOptions::pacer` to switch it on, to the same one for clients that share an account's limits;
/// they share a clock then, too. Thread-safe.
class Pacer {
 public:
  /// Throws std::invalid_argument for a limit that does not exist, and for a number or a duration out of
  /// range.
  explicit Pacer(const PacerOptions& options = {});
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;
  ~Pacer();

  [[nodiscard]] PacerCounts counts() const;

  /// What has been counted for a key, in all; or for a connected account on whose behalf it was used, with what
  /// counts for that account whichever key is used, as the cards that it issues do. Limits of which nothing is
  /// used and that were not lowered are left out.
  [[nodiscard]] std::vector<PacerUsage> usage(std::string_view key, Instant now,
                                              std::string_view connectedAccount = {}) const;

 private:
  friend class detail::Core;

  std::unique_ptr<detail::Pacing> pacing_;
};

}  // namespace tally
