#pragma once

#include <tally/detail/cpp20.h>

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
#include <tally/limit_types.h>
#include <tally/pacer_share.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
class Pacing;
class ShareKeeper;
}  // namespace detail

/// Options of a Pacer. The defaults follow the specification. Spec: "Limits".
struct PacerOptions {
  /// Overrides of limits, for example after support has granted an increase. If several apply to the same
  /// limit, the last one takes effect. `value` must be at least 1, or empty, which switches the limit off.
  /// `country` and `industry` must be empty, because a pacer has no access to them.
  std::vector<LimitOverride> limits{};
  /// Whether keys that start with neither `sk_live_` nor `sk_test_`, such as OAuth access tokens, select live
  /// mode. This also applies to all keys that a ClientOptions::apiKeyProvider returns, whatever their prefix.
  bool livemode = true;
  /// True: all keys of a mode belong to one account and share its limits. False: each key has its own limits.
  bool singleAccount = false;
  /// How long a limit that was lowered after a refusal takes to rise back to its configured value. If the
  /// limit's window is longer, the rise takes as long as the window. More than 0; all values of 100 years or
  /// more are equivalent.
  std::chrono::seconds recovery{60};
  /// How long a request counts beyond the length of the window. The margin covers what the client cannot
  /// measure: varying network delays and thread scheduling. If it is 0, and a limit is fully used, requests
  /// occasionally arrive fractions of a millisecond too early. From 0 to 1 minute.
  std::chrono::milliseconds windowMargin{10};
  /// For a process that starts right after another one ended, for example after a crash: windows up to this
  /// length start full, as if the other process had used them up. If it is `1s`, nothing is sent in the first
  /// second after the pacer's first client is constructed, and hourly limits are unaffected. 0: all windows
  /// start empty; seconds::max(): all start full. At least 0.
  std::chrono::seconds assumeUsed{0};
  /// Shares the limits of the account with other processes. All keys of a mode then belong to one account,
  /// and each of its limits has as many units as this process holds at present. The process holds one unit of
  /// each limit at first, and again whenever it has not reached the other processes for four fifths of
  /// `shareLease`. Limits on each object are not shared, and neither are limits that count for a connected
  /// account itself, such as the limit on card creation. A share needs a ShareRefresher. Null: no other
  /// process uses the account.
  std::shared_ptr<PacerShare> share{};
  /// How long the other processes wait before they take the units of this process if it has vanished. After
  /// four fifths of this time without a successful exchange, each limit of this process falls to one unit.
  /// The lease should be the same in all processes, but need not be. From 5 seconds to 10 minutes.
  std::chrono::seconds shareLease{10};
};

std::ostream& operator<<(std::ostream& out, const PacerOptions& value);

/// The calls that a Pacer is handling at one moment, for all keys.
struct PacerCounts {
  std::size_t waiting = 0;   ///< Calls that wait for a limit.
  std::size_t inFlight = 0;  ///< Requests in flight.
};

std::ostream& operator<<(std::ostream& out, const PacerCounts& value);

/// How much of one limit is used, as counted by a Pacer.
struct PacerUsage {
  std::string limit{};      ///< Such as `global_rate`.
  std::string operation{};  ///< Set if the limit applies to each operation.
  std::string object{};     ///< Set if the limit applies to each object.
  /// Requests in the window or in flight, plus calls that hold a unit of this limit while they wait for
  /// another limit.
  std::int64_t used = 0;
  std::optional<std::int64_t> allowed{};  ///< How many are allowed at present; empty: any number.
  /// How many are allowed if no refusal has lowered the limit; empty: any number.
  std::optional<std::int64_t> configured{};
  /// How many of `configured` this process holds; empty without PacerOptions::share.
  std::optional<std::int64_t> share{};
  std::size_t waiting = 0;  ///< Calls that wait for this limit.

  bool operator==(const PacerUsage&) const = default;
};

/// Prints a line such as `endpoint_rate of payment_records.retrieve: 3 of 12 used, lowered from 25, 4
/// waiting`, or, with a share, `global_rate: 12 of 12 used, share of 100`.
std::ostream& operator<<(std::ostream& out, const PacerUsage& usage);

/// A client-side rate limiter. It delays calls so that the client stays within the service's limits for each
/// operation, resource and object, for the account as a whole, and for each connected account. Each limit
/// admits its calls in the order of arrival. A call acquires units of narrow limits before units of shared
/// limits, so a call that waits for its own endpoint does not block calls to other endpoints.
///
/// If the service still refuses a request, the pacer temporarily lowers the limit that the response names. In
/// the first window of a limit, it attributes a refusal to an earlier process: it pauses, but does not lower
/// the limit. Spec: "Limits", "Values of `Service-Rate-Limited-Reason`".
///
/// To enable a pacer, set `ClientOptions::pacer`. Clients that share the limits of an account share one pacer
/// and one clock. Thread-safe.
class Pacer {
 public:
  /// Throws std::invalid_argument if a number or duration is out of range, or if an override names an unknown
  /// limit, an operation without that limit, a country or an industry.
  explicit Pacer(const PacerOptions& options = {});
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;
  ~Pacer();

  [[nodiscard]] PacerCounts counts() const;

  /// The limits of a key, or of a connected account on whose behalf the key was used. The limits of a
  /// connected account include those that count all requests for it, whatever the key, such as the limit on
  /// card creation. They also include the limits on each object that was used with this key for this account;
  /// those limits count all requests on the object. `now` is the current time on the client's clock. The
  /// empty key represents all keys of key providers. Limits that are neither used nor lowered are left out.
  [[nodiscard]] std::vector<PacerUsage> usage(std::string_view key, Instant now,
                                              std::string_view connectedAccount = {}) const;

  /// Requires PacerOptions::share. Announces the needs of this process to the others, and adopts the units
  /// that it now holds. Returns when to call this function again, as a time on `clock`, which must
  /// be the clock of the clients. Blocks only the calling thread. Does not throw if the exchange fails: see
  /// shareState(). Throws std::logic_error if there is no share; exceptions from `clock` propagate.
  Instant refreshShare(const Clock& clock);

  /// Gives the share back. Each limit then has one unit, until the next refreshShare(). In all other
  /// respects, this function behaves like refreshShare().
  void leaveShare(const Clock& clock);

  /// Whether PacerOptions::share is set.
  [[nodiscard]] bool sharesLimits() const noexcept { return keeper_ != nullptr; }

  /// The state of the share; a default-constructed value if there is no share.
  [[nodiscard]] PacerShareState shareState() const;

 private:
  friend class detail::ClientCore;

  [[nodiscard]] detail::ShareKeeper& keeper();

  std::unique_ptr<detail::Pacing> pacing_;
  std::unique_ptr<detail::ShareKeeper> keeper_;  // null: no share
};

}  // namespace tally
