#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interleavings/support/schedule.h"

namespace tally::test {

/// What a run came to.
struct Run {
  Schedule schedule{};    ///< where a thread other than the usual one continued
  std::size_t steps = 0;  ///< points at which a thread could be interrupted
  std::size_t threads = 0;
  std::optional<std::string>
      failure{};  ///< of check(), an exception of the scenario, a deadlock or a livelock
  std::vector<std::string>
      trace{};  ///< if requested: for each switch, the thread that was interrupted, and where
};

enum class Trace : std::uint8_t { none, switches };

/// Runs a scenario and the threads that it starts, one at a time: `policy` decides at each point which of
/// those that can continue does. Points are the operations of mutexes, condition variables, threads and, in
/// sources that are compiled with `-fsanitize=thread`, of atomics. The scenario uses std::thread, and joins
/// all its threads. A wait with a deadline ends once no other thread can continue, and moves the clocks of
/// the system to it, as the scenario sees them.
///
/// The threads of a deadlock stay blocked until the process ends. One run at a time.
[[nodiscard]] Run runScheduled(const std::function<void()>& scenario, Policy& policy,
                               Trace trace = Trace::none);

/// The run fails if this is false. Any of its threads may call this.
void check(bool isTrue, const std::string& what);

/// What the functions of the system library do in a scheduled thread; they come here from interposed.cpp.
namespace scheduled {

/// Whether the calling thread is scheduled.
[[nodiscard]] bool isCurrent() noexcept;

/// Another thread may run before the calling one does something, such as `locks a mutex`.
void point(const char* before = "goes on") noexcept;
/// Another thread continues if one can: this one waits for something in a loop.
void yield() noexcept;

void lock(void* mutex, bool isRecursive) noexcept;
[[nodiscard]] bool tryLock(void* mutex, bool isRecursive) noexcept;
void unlock(void* mutex) noexcept;

using Nanoseconds = std::int64_t;

/// False: the deadline has passed.
[[nodiscard]] bool wait(void* condition, void* mutex, std::optional<Nanoseconds> deadline) noexcept;
void notify(void* condition, bool all) noexcept;

/// Waits while `*word` is `value`. False: the deadline has passed.
[[nodiscard]] bool waitWhile(const int* word, int value, std::optional<Nanoseconds> deadline) noexcept;
void sleepUntil(Nanoseconds deadline) noexcept;
[[nodiscard]] Nanoseconds now() noexcept;

/// Makes a thread that is scheduled from its start; the new thread calls begin() and end().
[[nodiscard]] void* make() noexcept;
void begin(void* thread) noexcept;
void end() noexcept;
/// Waits for a thread to call end().
void join(void* thread) noexcept;

}  // namespace scheduled

}  // namespace tally::test
