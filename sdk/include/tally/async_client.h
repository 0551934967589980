#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include <tally/async_services.h>
#include <tally/call.h>
#include <tally/client.h>
#include <tally/completion.h>

namespace tally {

/// What happens to a call that is started while AsyncOptions::maxWaiting calls wait.
enum class WhenFull : std::uint8_t {
  fail,  ///< It ends in ErrorKind::queueFull, with effect `none`.
  /// Starting it blocks the thread until there is room. Within a handler of the same AsyncClient, which must
  /// not block, it fails instead.
  wait,
};

/// The options of an AsyncClient.
struct AsyncOptions {
  /// How many requests may be in flight. At least 1. Further calls wait in the order in which they become
  /// ready; the timeout of an attempt starts when its request is handed to the transport.
  std::size_t maxInFlight = 64;
  /// How many further calls may be outstanding: those that wait for room in flight, for their turn at an
  /// object, for the Pacer, or before a retry.
  std::size_t maxWaiting = 100'000;
  WhenFull whenFull = WhenFull::fail;
  /// Runs the completions of calls elsewhere than in the thread of the AsyncClient, for example
  /// `[&](Completion done) { boost::asio::post(pool, std::move(done)); }`. Called in the thread of the
  /// AsyncClient; must not throw. Empty: completions run in that thread, one at a time.
  std::function<void(Completion)> executor{};
  /// Receives exceptions from handlers that run in the thread of the AsyncClient. Empty: std::terminate() if
  /// the AsyncClient has its own thread; otherwise run() throws them.
  std::function<void(std::exception_ptr)> onException{};
};

/// How many calls of an AsyncClient have not completed.
struct AsyncCounts {
  std::size_t inFlight = 0;  ///< Requests handed to the transport.
  std::size_t waiting = 0;   ///< All other calls that have been started.
};

/// How the calls ended that were outstanding when close() was called.
struct CloseResult {
  std::size_t completed = 0;  ///< Ended by themselves.
  std::size_t unsent = 0;     ///< Canceled; with effect `none`.
  std::size_t unknown = 0;    ///< Canceled; they may have taken effect.
};

/// Many calls at once, without a thread for each: one service per resource, such as
/// `async.paymentRecords().retrieve(id)`, whose methods return a Call. Reports, retries, the mutation queue,
/// the Pacer, the retry budget, observers and the read counter are those of a Client; an AsyncClient made
/// from a Client shares them with it.
///
/// An AsyncClient has one thread, in which it sends, waits and completes calls. Handlers run there unless
/// AsyncOptions::executor is set, so they must not block: no waiting for a future, no blocking call.
///
/// If the transport is Transport::inProcess(), as with the fake, there is no such thread. Calls make progress
/// in the thread that calls run(), one event after another in the order of their times, and run() moves a
/// virtual clock to the next event. The same calls and the same seed give the same run.
///
/// A Transport that is neither of tally nor in this process has only its blocking send(): requests are then
/// sent one at a time.
///
/// Thread-safe, except that only one thread at a time may call run(). Move-only. Services and calls may
/// outlive it: calls started later end in ErrorKind::canceled.
class AsyncClient : public AsyncServices {
 public:
  /// Shares the core of `client`. Throws std::invalid_argument, which names the option, if a number is out of
  /// range, and std::system_error if the thread can't be started.
  explicit AsyncClient(const Client& client, AsyncOptions options = {});
  /// Also throws what the constructor of Client throws.
  explicit AsyncClient(ClientOptions client, AsyncOptions options = {});
  AsyncClient(AsyncClient&&) noexcept = default;
  AsyncClient& operator=(AsyncClient&&) noexcept;
  /// Like close() with a time limit of 0, and waits for completions in progress. In a handler, it does not
  /// wait.
  ~AsyncClient();

  /// Returns when no call is outstanding. If the transport is in this process, carries out the calls in this
  /// thread; otherwise only waits for them. Throws std::logic_error in a handler of this AsyncClient.
  void run();

  /// Completes once the clock has reached `time`. A call like the others: for pauses in coroutines.
  [[nodiscard]] Call<void> sleepUntil(Instant time) const;
  [[nodiscard]] Call<void> sleepFor(std::chrono::nanoseconds duration) const;

  /// Starts no further calls, and completes those that are outstanding: they have `timeLimit`, on the
  /// client's clock, to end by themselves; the others are canceled. Then every call has completed, unless an
  /// executor still holds its completion. Throws std::logic_error in a handler of this AsyncClient.
  CloseResult close(std::chrono::milliseconds timeLimit = std::chrono::milliseconds{0});

  [[nodiscard]] AsyncCounts counts() const;

  /// The clock on which deadlines are measured.
  [[nodiscard]] Clock& clock() const noexcept;
};

}  // namespace tally
