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
  /// Increases with each exchange of the process, so that the other processes see that it is alive.
  std::int64_t beat = 0;
  /// If the beat of the process has not changed for this long on the clocks of the other processes, they take
  /// its units. The process itself stops using its units after four fifths of this time without an exchange,
  /// on its own clock. More than 0.
  std::chrono::milliseconds lease{};

  bool operator==(const ShareProcess&) const = default;
};

/// The claim of a process on one limit.
struct ShareClaim {
  std::string limit{};     ///< Such as `live endpoint_rate of payment_records.retrieve`.
  std::int64_t total = 0;  ///< How many units all processes together may hold. At least 1.
  std::int64_t want = 0;   ///< How many units the process could use at present.
  /// How many units the process claims to hold from now on: fewer than before if it has stopped using the
  /// rest, or more if the other processes leave them free.
  std::int64_t units = 0;
  /// A value of SharePool::freed that the process saw one window ago. Units freed since then may still count
  /// at the service, so they can't be taken yet.
  std::int64_t freedBefore = 0;

  bool operator==(const ShareClaim&) const = default;
};

/// One process's part of one limit.
struct SharePart {
  std::string limit{};
  std::string process{};
  std::int64_t want = 0;
  std::int64_t units = 0;

  bool operator==(const SharePart&) const = default;
};

/// How many units of one limit have been given back in total.
struct SharePool {
  std::string limit{};
  std::int64_t freed = 0;

  bool operator==(const SharePool&) const = default;
};

/// One exchange of a process with the other processes.
struct ShareRequest {
  ShareProcess self{};
  std::vector<ShareClaim> claims{};
  /// Processes whose beat, as the sender sees it, has not changed for the length of their lease.
  std::vector<ShareProcess> vanished{};
  bool leaving = false;  ///< Whether the process is giving up its share.

  bool operator==(const ShareRequest&) const = default;
};

/// What all processes hold after an exchange.
struct ShareReply {
  std::vector<ShareProcess> processes{};
  std::vector<SharePart> parts{};  ///< Omits processes that neither hold nor want units.
  std::vector<SharePool> pools{};  ///< The pools of the limits that the request claims.

  bool operator==(const ShareReply&) const = default;
};

/// The state of a Pacer's share at one moment.
struct PacerShareState {
  /// How many processes there were at the last exchange, including this one; 0 before the first exchange.
  std::size_t processes = 0;
  /// When each limit falls to one unit, unless an exchange succeeds before then.
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

/// Where the processes of one account record which part of each limit they use. Set it as
/// PacerOptions::share. Each account has its own PacerShare. MemoryShare serves the pacers of one process.
/// PostgresShare, in the component `outbox`, serves the pacers of several processes. Implementations must be
/// thread-safe.
///
/// An implementation only does the arithmetic; the pacers make the decisions. exchange() processes one
/// request at a time, as follows:
/// - A request whose beat is not greater than the recorded beat of its process changes nothing, because a
///   later request has overtaken it.
/// - A `vanished` process whose beat is still the same is removed, and all its units are freed.
/// - A claim of fewer units than the process holds frees the difference, which is added to SharePool::freed.
/// - A claim of more units takes as many of them as possible without raising the number of units ever taken
///   above `total` plus `freedBefore`. A process can always take its first unit.
/// - A `leaving` process is removed if it then holds nothing.
class PacerShare {
 public:
  virtual ~PacerShare() = default;

  /// A name that no other process has, now or later.
  [[nodiscard]] virtual std::string newProcess() = 0;

  /// This function may block and may throw std::exception; neither delays a call. If it throws, the request
  /// may have been carried out, or may still be carried out, even after a later request.
  [[nodiscard]] virtual ShareReply exchange(const ShareRequest& request) = 0;

 protected:
  PacerShare() = default;
  PacerShare(const PacerShare&) = default;
  PacerShare& operator=(const PacerShare&) = default;
};

}  // namespace tally
