#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <tally/pacer.h>
#include <tally/transport.h>

#include "http/answer.h"
#include "pacing/pace_lines.h"
#include "pacing/paced_count.h"
#include "pacing/paced_request.h"
#include "schema/limit_plan.h"
#include "time/least_lately.h"

namespace tally::detail {

/// Whose limits a request is counted against: those of an account, or of an account that is connected to it.
struct PacedAccount {
  std::uint64_t key = 0;  // stands for the key, which is not kept
  bool livemode = true;
  std::string connected{};  // empty: the account itself, whomever it acts for

  auto operator<=>(const PacedAccount&) const = default;
};

/// Where the limits of a connected account itself are counted: whichever key a request for it is made with.
[[nodiscard]] PacedAccount whoeverMakesIt(PacedAccount connected);

/// What became of a request that was sent.
struct PacedOutcome {
  bool answered = false;  // in the time that an answer takes; a 429 may come sooner
  bool counted = true;    // it may have reached the service
  bool changed = true;    // it may have changed something
  std::optional<RateLimitedReason> refusedBy{};
};

[[nodiscard]] PacedOutcome pacedOutcome(const Answer& answer, const std::optional<Error>& error);

/// The counts of a Pacer and those who wait for them. Thread-safe.
class Pacing {
 public:
  /// Throws std::invalid_argument for options out of range.
  Pacing(LimitPlan plan, PacerOptions options);

  /// The process may send from now on. Unless it was told, the pacer begins with the first call.
  void begin(Instant now);

  [[nodiscard]] PacedRequest request(const Operation& operation, std::string_view id,
                                     const void* params) const;
  [[nodiscard]] PacedAccount accountOf(std::string_view key, std::string_view connected) const;

  [[nodiscard]] PacerCounts counts() const;
  /// How many counts are kept; those that nobody needs and that know nothing are dropped now and then.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::vector<PacerUsage> usage(const PacedAccount& account, Instant now) const;

 private:
  friend class PacedCall;

  static constexpr std::size_t dropAtLeast = 1'024;
  using Key = std::pair<PacedAccount, std::tuple<std::size_t, std::string, bool>>;  // as in a PacedLimit

  [[nodiscard]] bool isOfConnectedAccount(const PacedLimit& limit) const;
  [[nodiscard]] PacedCount& count(const PacedAccount& account, const PacedLimit& limit);
  void addUsage(const PacedAccount& account, Instant now, std::vector<PacerUsage>& lines) const;
  void dropIdle();
  /// The present. Threads may bring the times that they have read in another order.
  Instant present(Instant now);

  LimitPlan plan_;
  PacerOptions options_;
  PaceTerms terms_;
  LimitNumbers live_;
  LimitNumbers sandbox_;

  mutable std::mutex mutex_{};
  std::map<Key, PacedCount> counts_{};
  std::size_t dropAt_ = dropAtLeast;
  std::uint64_t made_ = 0;
  PaceLines lines_{};
  std::size_t underWay_ = 0;
  std::unordered_map<const Operation*, LeastLately> answerTimes_{};
  Instant latest_ = Instant::min();
};

}  // namespace tally::detail
