#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "accounts/accounts.h"
#include "findings/findings.h"
#include "observed/inventory.h"
#include "observed/observation.h"
#include "schema/limit_plan.h"
#include "tables/catalog.h"
#include "text/string_map.h"

namespace tally::fake::detail {

/// Judges which requests the recorded service admitted and refused.
///
/// A recording contains a request's start and end, but not when the service received it. It arrived somewhere
/// in between, within the margin after its start. A refusal differs from the fake only if no such arrivals
/// fill a limit with the given reason; an admission, only if all such arrivals exceed a limit. So no jitter
/// of the network or of the recorder makes a difference. Spec: "Limits".
///
/// A recording does not show which account pays for a key: two keys that show the same objects may be those
/// of an account and of a platform that acts for it, and two others may belong to one account.
class LimitJudge {
 public:
  /// What was used before the start of the recording is not known.
  LimitJudge(const Catalog& catalog, const Inventory& inventory, std::chrono::nanoseconds margin,
             Findings& findings)
      : catalog_(catalog), inventory_(inventory), margin_(margin), findings_(findings) {}

  /// A request that the service admitted. `changed`: whether it made a change. `certain`: false if the
  /// service may not have got it. `exists`: whether there is the object in its path.
  void admitted(const Observation& seen, const Caller& caller, bool changed, bool certain, bool exists);

  /// A request that a limit refused, with the reason in the response, which may be empty.
  void refused(const Observation& seen, const Caller& caller, std::string_view reason, bool exists);

  /// Judges refusals whose surroundings are known: those that arrived before `time`.
  void settle(Instant time);

 private:
  /// The time in which a request arrived, when it ended, and the number of the key that sent it.
  struct Span {
    Instant first{};
    Instant last{};
    Instant end{};
    std::size_t key = 0;
    bool certain = false;
  };
  using Spans = std::deque<Span>;
  /// What counts against one limit, in one account and mode.
  struct Use {
    Spans all{};
    tally::detail::StringMap<Spans> objects{};
  };
  /// Of an account in a mode.
  struct Uses {
    bool livemode = false;
    std::vector<Use> bySlot{};
  };
  /// A limit that applies to a request.
  struct Applying {
    const Limit* limit = nullptr;
    std::size_t slot = 0;
    bool livemode = false;
    std::int64_t number = 0;
    Spans* spans = nullptr;
    bool knownUse = false;  // all of it, because the recording shows the creation of the object
  };
  struct Pending {
    std::uint64_t request = 0;
    std::string name{};
    std::string reason{};
    Span span{};
    std::vector<Applying> applying{};
  };

  [[nodiscard]] Span spanOf(const Observation& seen, bool certain);
  template <class Visit>
  void forEachLimit(const Observation& seen, const Caller& caller, bool exists, const Visit& visit);
  void drop(const Limit& limit, Spans& spans, Instant now) const;
  [[nodiscard]] static std::int64_t most(const Limit& limit, const Spans& spans, const Span& at);
  [[nodiscard]] std::int64_t mostOfAllKeys(const Applying& one, const Span& at) const;
  [[nodiscard]] std::int64_t least(const Applying& one, const Span& at) const;
  [[nodiscard]] bool isExceeded(const Applying& one, const Span& added) const;
  void judge(const Pending& refusal);
  [[nodiscard]] bool mayShareLimit(const Pending& refusal) const;
  void unexplained(const Pending& refusal);
  void otherReason(const Pending& refusal, const Limit& limit, std::string_view assumption);

  const Catalog& catalog_;
  const Inventory& inventory_;
  const std::chrono::nanoseconds margin_;
  Findings& findings_;
  std::unordered_map<const ModeState*, Uses> uses_{};
  tally::detail::StringMap<std::size_t> keys_{};
  std::deque<Pending> pending_{};
};

}  // namespace tally::fake::detail
