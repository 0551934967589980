#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include <tally/clock.h>
#include <tally/options.h>

#include "bulk/bulk_row.h"
#include "bulk/limit_gate.h"

namespace tally::detail {

/// The calls of one kind: some occupy a slot in flight, others wait for one.
struct CallQueue {
  std::vector<LimitGate*> gates{};  // those that a call must pass
  std::deque<BulkRow*> waiting{};
  std::size_t begun = 0;
};

/// Decides which call begins next: each kind of call has slots in flight, and the limits that have refused
/// calls have gates.
class GatedCalls {
 public:
  /// The slots of each kind. They begin as `now`.
  struct Slots {
    std::size_t now = 1;
    std::size_t most = 1;
  };

  /// `backoff` must outlive this.
  GatedCalls(const Backoff& backoff, Slots slots) : backoff_(backoff), slots_(slots), global_(backoff) {}

  /// The row waits for the call that its action names.
  void wait(BulkRow& row, Instant now);

  /// Takes the next call that may begin, which then occupies a slot; null if none may. Calls that resolve
  /// reports come first. The others follow in the order in which their reports got their turns: otherwise,
  /// the objects of a whole window would be read before the first report is sent. `heedsGates`: false if the
  /// limits no longer matter.
  [[nodiscard]] BulkRow* begin(Instant now, bool heedsGates);
  /// When a limit lets the next call begin, if no call ends before.
  [[nodiscard]] Instant opening(Instant now) const;

  /// Removes a row that waits for its call.
  void withdraw(BulkRow& row);

  /// Gives up the row's slot, if it has one.
  void leave(BulkRow& row);
  /// Like leave(), after the row's call. The gates learn what the service has let pass.
  void end(BulkRow& row, Instant now);
  /// The service has refused the row's last call because of a limit. Returns the limit's gate.
  LimitGate& refuse(const BulkRow& row, std::chrono::nanoseconds retryAfter, double jitter, Instant now);

  /// Removes the rows that wait: all, or only those behind `gate`.
  [[nodiscard]] std::vector<BulkRow*> takeWaiting(const LimitGate* gate = nullptr);

  /// Adds slots, because more calls at once are faster.
  void addSlots();

 private:
  [[nodiscard]] CallQueue& queueOf(const BulkRow& row);
  [[nodiscard]] LimitGate& gateOf(const Resource& resource);
  [[nodiscard]] LimitGate& gateOf(const AnyOperation& operation);
  [[nodiscard]] LimitGate& gateOfReads(const BulkRow& row);
  [[nodiscard]] LimitGate& refusingGate(const BulkRow& row);
  [[nodiscard]] bool hasSlot(const CallQueue& queue) const;

  const Backoff& backoff_;
  Slots slots_;
  std::map<std::tuple<const AnyOperation*, Action, bool>, CallQueue> queues_{};  // see isReadOnBehalf()
  LimitGate global_;
  std::map<const Resource*, LimitGate> ofResources_{};
  std::map<const AnyOperation*, LimitGate> ofOperations_{};
  std::map<bool, LimitGate> ofReads_{};  // of the read allocations, by isReadOnBehalf()
};

}  // namespace tally::detail
