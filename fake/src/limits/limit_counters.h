#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <tally/fake/limits.h>

#include "limits/in_progress.h"
#include "schema/limit_plan.h"
#include "text/by_text.h"
#include "time/sliding_window.h"

namespace tally::fake::detail {

using tally::detail::Check;
using tally::detail::LimitNumbers;
using tally::detail::LimitPlan;
using tally::detail::Operation;
using tally::detail::SlidingWindow;
using tally::detail::Slot;

/// A request that asks for admission.
struct Applicant {
  const Operation& operation;
  std::string_view id{};         // of the object; empty where the path names none
  const void* params = nullptr;  // null where the operation has none
  Instant now{};
  bool ofConnectedAccount = false;  // asks the limits of the account that it acts for; false: its maker's

  [[nodiscard]] bool asks(const Limit& limit) const { return limit.ofConnectedAccount == ofConnectedAccount; }
};

/// What an account, in one mode, has used of its limits.
class LimitCounters {
 public:
  explicit LimitCounters(const LimitPlan& plan);

  /// The slot of the first limit that does not admit the request, if there is one. Counts nothing.
  [[nodiscard]] std::optional<std::size_t> refusal(const LimitPlan& plan, const LimitNumbers& numbers,
                                                   const Applicant& applicant);

  /// Counts a request that was admitted, for limits that are off too, since they may be set while it counts.
  /// It is in progress until settle() is called for it.
  void admit(const LimitPlan& plan, const Applicant& applicant);

  /// What became of a request that was admitted: whether it made a change, and until when it is in progress.
  void settle(const LimitPlan& plan, const Applicant& applicant, bool changed, Instant end);

  /// Occupies or frees places as requests of an operation in progress would; null: as those of any, which
  /// only the limits on all operations count.
  void hold(const LimitPlan& plan, const Operation* operation, std::int64_t places);

  /// Frees every place that was occupied, and those of requests that were not settled.
  void dropHeld();

  /// How many objects have a count of their own.
  [[nodiscard]] std::size_t objects() const noexcept;

  /// Every limit that is on or used.
  [[nodiscard]] std::vector<LimitUsage> usage(const LimitPlan& plan, const LimitNumbers& numbers,
                                              Instant now);

 private:
  /// The windows of a limit on each object. Those of objects to which nothing happened lately are dropped.
  class ByObject {
   public:
    [[nodiscard]] SlidingWindow* find(std::string_view id);
    [[nodiscard]] SlidingWindow& make(std::string_view id, const Limit& limit, Instant now);
    [[nodiscard]] auto& all() noexcept { return windows_; }
    [[nodiscard]] std::size_t size() const noexcept { return windows_.size(); }

   private:
    tally::detail::ByText<SlidingWindow> windows_{};
    std::size_t sweepAt_ = 64;
  };

  /// One of the three is used, as the slot's limit has it.
  struct Counter {
    SlidingWindow window;
    InProgress inProgress{};
    ByObject objects{};
  };

  [[nodiscard]] std::int64_t used(const Slot& slot, const Check& check, const Applicant& applicant);
  [[nodiscard]] SlidingWindow* windowOf(const Slot& slot, const Check& check, const Applicant& applicant);
  static void addUsage(const Slot& slot, std::optional<std::int64_t> number, SlidingWindow& window,
                       std::string_view object, Instant now, std::vector<LimitUsage>& usage);

  std::vector<Counter> counters_{};  // by slot
};

}  // namespace tally::fake::detail
