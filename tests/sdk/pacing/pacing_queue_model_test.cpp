#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "pacing/pacing_queue.h"
#include "pacing/reservation.h"
#include "support/random_runs.h"

namespace tally::detail {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

/// Calls that need any subset of several limits, with various durations.
class AnyCalls {
 public:
  AnyCalls() {
    for (const Limit* limit :
         {&ofObject, &ofObject, &ofOperation, &ofOperation, &ofResource, &inAll, &atOnce})
      counts_.emplace_back(Slot{limit}, *rc::gen::inRange<std::int64_t>(1, 6), terms_, counts_.size());
  }

  void begin() {
    Reservation& units = units_.emplace_back();
    for (LimitTracker& count : counts_)
      if (*rc::gen::arbitrary<bool>()) units.add(count);
    units.sort();
    PaceTicket& ticket = tickets_.emplace_back(units);
    (void)lines_.ask(ticket, now_, woken_);
    look();
  }

  void withdrawOne() {
    PaceTicket& ticket = tickets_[*rc::gen::inRange<std::size_t>(0, tickets_.size())];
    if (!ticket.waits) return;
    lines_.withdraw(ticket);
    over_.insert(&ticket);
    lines_.serve(now_, woken_);
    look();
  }

  /// Advances to the next event: a request ends, or the first call in a line can proceed.
  bool passOn() {
    std::optional<Instant> next;
    const auto consider = [&](std::optional<Instant> time) {
      if (time && (!next || *time < *next)) next = time;
    };
    for (const auto& [end, ticket] : inFlight_)
      consider(end);
    for (const PaceTicket& ticket : tickets_)
      if (ticket.waits) consider(PacingQueue::wakeUp(ticket, now_));
    if (!next) return false;
    RC_ASSERT(*next >= now_);
    now_ = *next;
    while (!inFlight_.empty() && inFlight_.begin()->first <= now_)
      end();
    lines_.serve(now_, woken_);
    look();
    return true;
  }

  void expectAllOver() const {
    RC_ASSERT(over_.size() == tickets_.size());
    RC_ASSERT(lines_.waiting() == 0U);
  }

 private:
  void look() {
    for (PaceTicket& ticket : tickets_)
      if (ticket.units.hasAll() && !over_.contains(&ticket) && !goes(ticket)) go(ticket);
    for (const LimitTracker& count : counts_)
      RC_ASSERT(count.used(now_) <= *count.number().at(now_));
  }
  [[nodiscard]] bool goes(const PaceTicket& ticket) const {
    return std::ranges::any_of(inFlight_, [&](const auto& each) { return each.second == &ticket; });
  }
  /// Calls with the same needs proceed in order.
  void go(PaceTicket& ticket) {
    for (const PaceTicket& other : tickets_)
      if (other.waits && other.number < ticket.number)
        RC_ASSERT(!std::ranges::equal(other.units.units(), ticket.units.units(), {},
                                      &Reservation::Unit::count, &Reservation::Unit::count));
    inFlight_.emplace(now_ + *rc::gen::element(milliseconds{0}, milliseconds{70}, milliseconds{2'500}),
                      &ticket);
  }
  void end() {
    PaceTicket& ticket = *inFlight_.begin()->second;
    inFlight_.erase(inFlight_.begin());
    ticket.units.end({}, now_, now_, now_);
    over_.insert(&ticket);
  }

  static constexpr Limit ofObject{.name = "of_object", .scope = LimitScope::object, .window = seconds{3}};
  static constexpr Limit ofOperation{
      .name = "of_operation", .scope = LimitScope::operation, .window = seconds{1}};
  static constexpr Limit ofResource{.name = "of_resource", .window = seconds{2}};
  static constexpr Limit inAll{.name = "in_all", .window = seconds{1}};
  static constexpr Limit atOnce{.name = "at_once", .metric = LimitMetric::inProgress};

  PaceTerms terms_{.recovery = seconds{60}};
  std::deque<LimitTracker> counts_{};
  std::deque<Reservation> units_{};
  std::deque<PaceTicket> tickets_{};
  std::multimap<Instant, PaceTicket*> inFlight_{};
  std::set<const PaceTicket*> over_{};
  PacingQueue lines_{};
  PaceWoken woken_{};
  Instant now_ = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
};

TEST(PacingQueueModel, AdmitsEveryCallWithinEveryLimit) {
  test::holdsInRuns(300, [] {
    AnyCalls calls;
    const int steps = *rc::gen::inRange(1, 60);
    for (int n = 0; n < steps; ++n) {
      calls.begin();
      if (n % 5 == 4) (void)calls.passOn();
      if (n % 7 == 6) calls.withdrawOne();
    }
    for (int n = 0; n < 100 * steps && calls.passOn(); ++n) {
    }
    calls.expectAllOver();
  });
}

}  // namespace
}  // namespace tally::detail
