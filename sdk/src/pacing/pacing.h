#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tally/pacer.h>
#include <tally/transport.h>

#include "http/response_reader.h"
#include "pacing/limit_tracker.h"
#include "pacing/paced_request.h"
#include "pacing/pacing_entry.h"
#include "pacing/pacing_queue.h"
#include "schema/limit_plan.h"
#include "time/windowed_min.h"

namespace tally::detail {

/// The owner of the limits that a request counts against: an account, or an account connected to it.
struct PacedAccount {
  std::uint64_t key = 0;  // a hash of the API key, which is not stored
  bool livemode = true;
  std::string connected{};  // empty: the account itself, whomever it acts for

  auto operator<=>(const PacedAccount&) const = default;
};

/// The owner of the limits that apply to a connected account itself, whichever key the request has.
[[nodiscard]] PacedAccount whoeverMakesIt(PacedAccount connected);

/// The owner of the limits on each object. A client does not know to which account a key belongs, but
/// identifiers name the object. Should two accounts have the same one, calls only wait longer.
[[nodiscard]] PacedAccount ownerOfObjects(bool livemode);

[[nodiscard]] PacedOutcome pacedOutcome(const TransportResult& result, const std::optional<Error>& error);

/// A limit that several processes share, and what this one does with it.
struct SharedLimit {
  std::string name{};
  std::int64_t number = 0;            // at most 1,000,000,000
  std::chrono::nanoseconds window{};  // 0: of a concurrency limit
  PaceDemand demand{};                // since the last time
};

/// The counts of a Pacer, and the calls that wait for them. Thread-safe.
class Pacing {
 public:
  /// Throws std::invalid_argument for invalid options.
  Pacing(LimitPlan plan, PacerOptions options);

  /// Starts the pacer: the process may send from now on. Otherwise it starts with the first call.
  void begin(Instant now);

  [[nodiscard]] PacedRequest request(const AnyOperation& operation, std::string_view id,
                                     ConstObjectRef params) const;
  [[nodiscard]] PacedAccount accountOf(std::string_view key, std::string_view connected) const;

  // The steps of a call: see PacedCall.

  /// Adds the units that a request needs, with this key and on behalf of that account.
  void join(PacingEntry& entry, const PacedRequest& limits, std::string_view key, std::string_view connected);
  [[nodiscard]] PaceVerdict ask(PacingEntry& entry, Instant now, Instant until);
  /// After a wait.
  [[nodiscard]] PaceVerdict askAgain(PacingEntry& entry, Instant now, Instant until);
  /// The call stops waiting, and gives back its units, until it asks again.
  void withdraw(PacingEntry& entry) noexcept;
  void sending(PacingEntry& entry, Instant now) noexcept;
  void responded(PacingEntry& entry, Instant now, const PacedOutcome& outcome) noexcept;
  /// Releases everything that the call holds.
  void leave(PacingEntry& entry) noexcept;

  /// The shared limits that have been used, always in the same order, and the demand since the last call.
  [[nodiscard]] std::vector<SharedLimit> measureShared();
  /// Sets the shares of the first shared limits. Returns how many units of each are held.
  std::vector<std::int64_t> setShares(std::span<const ShareOfLimit> shares, Instant now);

  [[nodiscard]] PacerCounts counts() const;
  /// The number of counts held. Unused counts in their initial state are dropped from time to time.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::vector<PacerUsage> usage(const PacedAccount& account, Instant now) const;

 private:
  static constexpr std::size_t dropAtLeast = 1'024;
  using Key = std::pair<PacedAccount, std::tuple<std::size_t, std::string, bool>>;  // a PacedLimit as a tuple
  struct Count {
    Count(const Slot& slot, std::optional<std::int64_t> number, const PaceTerms& terms, std::uint64_t serial)
        : tracker(slot, number, terms, serial) {}

    LimitTracker tracker;
    std::vector<PacedAccount> users{};  // of a limit on an object: whose requests it counts
  };

  void addUnits(PacingEntry& entry, const PacedLimit& limit, const PacedAccount& maker,
                const PacedAccount& actedFor);
  [[nodiscard]] LimitTracker& count(const PacedAccount& account, const PacedLimit& limit) {
    return counted(account, limit).tracker;
  }
  [[nodiscard]] LimitTracker& countOfObject(const PacedAccount& user, const PacedLimit& limit);
  [[nodiscard]] bool isShared(const PacedAccount& account, const PacedLimit& limit) const;
  [[nodiscard]] Count& counted(const PacedAccount& account, const PacedLimit& limit);
  /// With `user`, only what counts its requests.
  void addUsage(const PacedAccount& owner, const PacedAccount* user, Instant now,
                std::vector<PacerUsage>& lines) const;
  void dropIdle();
  /// Returns the latest time seen, since threads may pass their clock readings out of order.
  Instant present(Instant now);

  LimitPlan plan_;
  PacerOptions options_;
  PaceTerms terms_;
  LimitNumbers live_;
  LimitNumbers sandbox_;

  mutable std::mutex mutex_{};
  std::map<Key, Count> counts_{};
  std::vector<std::pair<std::string, LimitTracker*>> shared_{};  // in `counts_`, which drops none of them
  std::size_t dropAt_ = dropAtLeast;
  std::uint64_t made_ = 0;
  PacingQueue lines_{};
  std::size_t inFlight_ = 0;
  std::unordered_map<const AnyOperation*, WindowedMin> responseTimes_{};
  Instant latest_ = Instant::min();
};

}  // namespace tally::detail
