#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tally/clock.h>

#include "memory/memory_state.h"

namespace tally::detail {

/// What a store asks of the database.
struct MemoryOperation {
  std::string_view name{};  // of the function: `write`
  bool writes = true;
  std::string_view incarnation{};  // of the worker; empty for an application
  std::string_view domain{};       // empty if it is about none
};

/// What happens to an operation. A connection that is lost is replaced, so that only applications notice.
enum class MemoryFault : std::uint8_t {
  none,
  unavailable,  // the database refuses it: OutboxError
  requestLost,  // with the connection, before it arrives
  replyLost,    // with the connection, after it has been carried out
  late,         // the connection is lost, and what it writes arrives with the next deliver()
};

/// Decides about each operation; in the thread that asks, which holds no lock.
using MemoryFaults = std::function<MemoryFault(const MemoryOperation&)>;

/// A database in memory, for any number of stores in one process: for tests and simulated fleets. Runs are
/// the same if the same operations come in the same order. Owned by std::shared_ptr. Thread-safe.
class MemoryDatabase : public std::enable_shared_from_this<MemoryDatabase> {
 public:
  explicit MemoryDatabase(std::shared_ptr<Clock> clock, MemoryFaults faults = {});

  // The server. Each of these breaks all connections, and with them what is late.
  void restart();
  [[nodiscard]] std::shared_ptr<const MemoryState> backup() const;
  /// Shows the contents without a copy. `see` must not use the database.
  void look(const std::function<void(const MemoryState&)>& see) const;
  /// Forgets what was committed after a backup, as a server without durable commits does in a crash.
  void forgetSince(const MemoryState& backup);
  /// The same on another server, which becomes the primary one.
  void failOverTo(const MemoryState& backup);

  /// What is late arrives.
  void deliver();

  /// See OutboxStore::listen().
  [[nodiscard]] std::shared_ptr<void> listen(std::function<void(std::string_view domain)> wake);

 private:
  friend class MemoryConnection;
  using Work = std::function<void(MemoryState&, Instant)>;

  void breakConnections();
  /// Has `work` change the state, and wakes listeners.
  void change(const Work& work);

  const std::shared_ptr<Clock> clock_;
  const MemoryFaults faults_;
  mutable std::mutex mutex_;
  MemoryState state_;
  std::uint64_t epoch_ = 0;  // of connections
  std::vector<Work> late_;
  std::recursive_mutex listenersMutex_;  // a listener may use the database
  std::map<std::uint64_t, std::function<void(std::string_view)>> listeners_;
  std::uint64_t lastListener_ = 0;
};

/// The connection is lost, and it is not known whether the operation was carried out.
class MemoryConnectionLost final : public OutboxError {
 public:
  MemoryConnectionLost() : OutboxError("the connection to the in-memory database is lost", {}) {}
};

/// A connection, which is replaced when it is used again. For one thread.
class MemoryConnection {
 public:
  explicit MemoryConnection(std::shared_ptr<MemoryDatabase> database);

  /// What `work` returns for the state and the time. It may be carried out later, so it owns what it needs.
  /// Throws MemoryConnectionLost, and OutboxError.
  template <class F>
  std::invoke_result_t<F&, MemoryState&, Instant> call(const MemoryOperation& operation, F work) {
    std::optional<std::invoke_result_t<F&, MemoryState&, Instant>> result;
    perform(
        operation, [&](MemoryState& state, Instant now) { result.emplace(work(state, now)); },
        [&]() -> MemoryDatabase::Work {
          return [work](MemoryState& state, Instant now) { (void)work(state, now); };
        });
    return *std::move(result);
  }

 private:
  void perform(const MemoryOperation& operation, const MemoryDatabase::Work& work,
               const std::function<MemoryDatabase::Work()>& late);

  std::shared_ptr<MemoryDatabase> database_;
  std::uint64_t epoch_ = 0;
};

}  // namespace tally::detail
