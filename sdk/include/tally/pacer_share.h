#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <tally/clock.h>

namespace [[gnu::visibility("default")]] tally {

/// A process that shares the limits of an account.
struct ShareProcess {
  std::string process{};  ///< From PacerShare::newProcess().
  /// Increases with each exchange of the process, so that the others see that it is alive.
  std::int64_t beat = 0;
  /// The others take the units of a process whose beat has not changed for this long, on their clocks. The
  /// process stops using them after four fifths of it, on its own clock. More than 0.
  std::chrono::milliseconds lease{};

  bool operator==(const ShareProcess&) const = default;
};

/// The claim of a process on one limit.
struct ShareClaim {
  std::string limit{};     ///< Such as `live endpoint_rate of payment_records.retrieve`.
  std::int64_t total = 0;  ///< How many units all processes together may hold. At least 1.
  std::int64_t want = 0;   ///< How many units it could use at present.
  /// How many units it holds from now on: fewer than before, if it has stopped using the rest, or more, if
  /// the others leave them.
  std::int64_t units = 0;
  /// A SharePool::freed that the process saw a window ago: units freed since then may still count at the
  /// service, and can't be taken yet.
  std::int64_t freedBefore = 0;

  bool operator==(const ShareClaim&) const = default;
};

/// The part of one limit that one process has.
struct SharePart {
  std::string limit{};
  std::string process{};
  std::int64_t want = 0;
  std::int64_t units = 0;

  bool operator==(const SharePart&) const = default;
};

/// How many units of one limit have ever been given back.
struct SharePool {
  std::string limit{};
  std::int64_t freed = 0;

  bool operator==(const SharePool&) const = default;
};

/// One exchange of a process with the others.
struct ShareRequest {
  ShareProcess self{};
  std::vector<ShareClaim> claims{};
  /// Processes that the sender has seen without a new beat for their whole lease.
  std::vector<ShareProcess> vanished{};
  bool leaving = false;  ///< Whether the process is ending.

  bool operator==(const ShareRequest&) const = default;
};

/// What all processes hold after an exchange.
struct ShareReply {
  std::vector<ShareProcess> processes{};
  std::vector<SharePart> parts{};  ///< Omits those that neither hold nor want units.
  std::vector<SharePool> pools{};  ///< Those of the limits that the request claims.

  bool operator==(const ShareReply&) const = default;
};

/// The state of a Pacer's share at one moment.
struct PacerShareState {
  std::size_t processes = 0;  ///< At the last exchange, including this one; 0 before the first.
  /// When each limit falls to one unit, unless an exchange succeeds first.
  std::optional<Instant> heldUntil{};
  std::string problem{};  ///< Why the last exchange failed; empty if it succeeded.

  bool operator==(const PacerShareState&) const = default;
};

std::ostream& operator<<(std::ostream& out, const ShareProcess& value);
std::ostream& operator<<(std::ostream& out, const ShareClaim& value);
std::ostream& operator<<(std::ostream& out, const SharePart& value);
std::ostream& operator<<(std::ostream& out, const SharePool& value);
std::ostream& operator<<(std::ostream& out, const ShareRequest& value);
std::ostream& operator<<(std::ostream& out, const ShareReply& value);
std::ostream& operator<<(std::ostream& out, const PacerShareState& value);

/// Where the processes of one account note which part of each limit they use: PacerOptions::share. Each
/// account has its own. MemoryShare serves the pacers of one process; PostgresShare of the component `outbox`
/// those of several. Implementations must be thread-safe.
///
/// An implementation only adds up; the pacers decide. exchange() does the following for all processes, one
/// exchange after the other:
/// - A request whose beat is not greater than the recorded one of its process changes nothing: it has been
///   overtaken.
/// - A `vanished` process whose beat is still the same is removed, and all its units are freed.
/// - A claim of fewer units than the process holds frees the difference: SharePool::freed grows by it.
/// - A claim of more units takes as many as possible, so that the units ever taken are at most `total` plus
///   `freedBefore`. The first unit of a process is always taken.
/// - A `leaving` process is removed if it then holds nothing.
class PacerShare {
 public:
  virtual ~PacerShare() = default;

  /// A name that no other process has, now or later.
  [[nodiscard]] virtual std::string newProcess() = 0;

  /// May block and may throw std::exception, neither of which delays a call. If it throws, the request may or
  /// may not have been carried out, and may still be carried out, even after a later one.
  [[nodiscard]] virtual ShareReply exchange(const ShareRequest& request) = 0;

 protected:
  PacerShare() = default;
  PacerShare(const PacerShare&) = default;
  PacerShare& operator=(const PacerShare&) = default;
};

}  // namespace tally
