#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/limit_history.h>
#include <tally/fake/limit_usage.h>

#include "limits/concurrency_counter.h"
#include "limits/use_history.h"
#include "schema/limit_plan.h"
#include "store/copy_on_write.h"
#include "tables/schema_types.h"
#include "text/string_map.h"
#include "time/sliding_window.h"

namespace tally::fake::detail {

using tally::detail::Check;
using tally::detail::LimitNumbers;
using tally::detail::LimitPlan;
using tally::detail::Slot;

/// A request that applies for admission.
struct Applicant {
  const AnyOperation& operation;
  std::string_view id{};    // of the object in the path; empty if there is none
  ConstObjectRef params{};  // empty if the operation has none
  Instant now{};
  bool countsForConnectedAccount =
      false;  // limits of the account it acts for (true) or of its sender (false)

  [[nodiscard]] bool asks(const Limit& limit) const {
    return limit.countsForConnectedAccount == countsForConnectedAccount;
  }
};

/// The usage of the limits of an account in one mode. Takes memory only for limits that have been used, and
/// copies share it until one of them counts.
class LimitCounters {
 public:
  /// The slot of the first limit that refuses the request, if any. Counts nothing.
  [[nodiscard]] std::optional<std::size_t> refusal(const LimitPlan& plan, const LimitNumbers& numbers,
                                                   const Applicant& applicant);

  /// Notes in the history of that limit that it refused the request.
  void noteRefusal(const LimitPlan& plan, std::size_t slot, const Applicant& applicant);

  /// Counts an admitted request, also for limits that are off, as they may be set while it counts. It is in
  /// flight until finish() is called for it.
  void admit(const LimitPlan& plan, const Applicant& applicant);

  /// Records the outcome of an admitted request: whether it made a change, and until when it is in flight.
  void finish(const LimitPlan& plan, const Applicant& applicant, bool changed, Instant end);

  /// An admitted request waits, until endWait(). Only such requests may be unfinished when the counters are
  /// copied.
  void beginWait(const LimitPlan& plan, const Applicant& applicant);
  void endWait(const LimitPlan& plan, const Applicant& applicant);

  /// Holds concurrency from `now` on, as requests of `operation` in flight would; a negative number releases
  /// it. With null, only the limits on all operations count it.
  void hold(const LimitPlan& plan, const AnyOperation* operation, std::int64_t units, Instant now);

  /// Releases all held concurrency, including that of requests that have not finished, and gives back the
  /// changes that waiting requests have not made.
  void dropHeld();

  /// The number of objects with their own counts.
  [[nodiscard]] std::size_t objects() const noexcept;

  /// The events that a limit counts: those of all requests, or of requests for one object.
  struct CountedEvents {
    std::size_t slot = 0;
    std::string_view object{};
    std::vector<SlidingWindow::Run> runs{};
  };

  /// All that count at `now`, ordered by slot and object.
  [[nodiscard]] std::vector<CountedEvents> events(Instant now) const;

  /// Counts events that are not older than those counted there before.
  void add(const LimitPlan& plan, const CountedEvents& events);

  /// The usage of every limit that is on or used.
  [[nodiscard]] std::vector<LimitUsage> usage(const LimitPlan& plan, const LimitNumbers& numbers,
                                              Instant now) const;

  /// The history of every limit that has one, in the order of the plan.
  [[nodiscard]] std::vector<LimitHistory> history(const LimitPlan& plan, const LimitNumbers& numbers,
                                                  Instant now) const;

  /// That of one slot, to save and restore it. Null if nothing has been counted there.
  [[nodiscard]] const UseHistory* historyOf(std::size_t slot) const;
  [[nodiscard]] UseHistory& historyOf(const LimitPlan& plan, std::size_t slot) {
    return make(plan, slot).history;
  }

 private:
  /// The windows of a per-object limit. Those without recent requests are dropped as the map grows.
  class ByObject {
   public:
    [[nodiscard]] SlidingWindow* find(std::string_view id);
    [[nodiscard]] SlidingWindow& make(std::string_view id, const Limit& limit, Instant now);
    [[nodiscard]] auto& all() noexcept { return windows_; }
    [[nodiscard]] const auto& all() const noexcept { return windows_; }
    [[nodiscard]] std::size_t size() const noexcept { return windows_.size(); }

   private:
    tally::detail::StringMap<SlidingWindow> windows_{};
    std::size_t sweepAt_ = 64;
  };

  /// The limit of the slot determines which of the first three is used.
  struct Counter {
    SlidingWindow window{std::chrono::nanoseconds{0}};
    ConcurrencyCounter inProgress{};
    ByObject objects{};
    UseHistory history{};
  };

  /// A change that is counted, but that a waiting request has not made.
  struct Awaited {
    std::size_t slot = 0;
    std::string object{};
    Instant admitted{};

    auto operator<=>(const Awaited&) const = default;
  };

  [[nodiscard]] static std::vector<Awaited> awaitedBy(const LimitPlan& plan, const Applicant& applicant);
  void giveBack(const Awaited& change);

  /// Null if nothing has been counted there.
  [[nodiscard]] Counter* find(std::size_t slot);
  [[nodiscard]] Counter& make(const LimitPlan& plan, std::size_t slot);
  void holdIn(const LimitPlan& plan, std::size_t slot, std::int64_t units, Instant now);

  /// Whether the limit concerns the request. One on each object in the path does not if there is none.
  [[nodiscard]] static bool concerns(const Slot& slot, const Check& check, const Applicant& applicant);
  [[nodiscard]] std::int64_t used(const Slot& slot, const Check& check, const Applicant& applicant);
  [[nodiscard]] static SlidingWindow* windowOf(Counter& counter, const Slot& slot, const Check& check,
                                               const Applicant& applicant);
  /// Empty if the limit is not on each object.
  [[nodiscard]] static std::string_view objectOf(const Slot& slot, const Check& check,
                                                 const Applicant& applicant);
  static void addUsage(const Slot& slot, std::optional<std::int64_t> number, const SlidingWindow& window,
                       std::string_view object, Instant now, std::vector<LimitUsage>& usage);

  std::vector<CopyOnWrite<Counter>> counters_{};  // by slot; empty until the first use
  std::multiset<Awaited> awaited_{};
};

}  // namespace tally::fake::detail
