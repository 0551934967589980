#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <memory>
#include <type_traits>
#include <utility>

#include <tally/async_services.h>
#include <tally/call.h>
#include <tally/client.h>
#include <tally/completion.h>

namespace [[gnu::visibility("default")]] tally {

/// What happens when a call is started while the maximum number of calls is outstanding. See
/// AsyncOptions::maxWaiting.
enum class WhenFull : std::uint8_t {
  fail,  ///< The call ends in ErrorKind::queueFull, with effect `none`.
  /// Starting the call blocks until there is room. If the transport is in this process, the calling thread
  /// carries out other calls in the meantime, as run() does. In the thread of the AsyncClient, which must not
  /// block, the call fails instead.
  wait,
};

std::ostream& operator<<(std::ostream& out, WhenFull value);

/// The options of an AsyncClient.
struct AsyncOptions {
  /// How many requests may be in flight at once. At least 1. Further calls wait, in the order in which they
  /// become ready. The timeout of an attempt starts when its request is handed to the transport.
  std::size_t maxInFlight = 64;
  /// How many more calls may be outstanding: those that wait for another request to end, for their turn at an
  /// object, for the Pacer or for a retry, and those in sleepUntil().
  std::size_t maxWaiting = 100'000;
  /// What happens to a call that exceeds these limits.
  WhenFull whenFull = WhenFull::fail;
  /// Runs the completions of calls outside the thread of the AsyncClient, for example
  /// `[&](Completion done) { boost::asio::post(pool, std::move(done)); }`. Called in the thread of the
  /// AsyncClient; must not throw. Empty: completions run in that thread, one at a time.
  std::function<void(Completion)> executor{};
  /// Receives exceptions from handlers that run in the thread of the AsyncClient; must not throw. Empty:
  /// std::terminate() is called if the AsyncClient has its own thread or its destructor is running.
  /// Otherwise, run() or close() throws the first exception, and the next run() continues.
  std::function<void(std::exception_ptr)> onException{};
};

std::ostream& operator<<(std::ostream& out, const AsyncOptions& value);

/// How many calls of an AsyncClient have not completed.
struct AsyncCounts {
  std::size_t inFlight = 0;  ///< Requests handed to the transport.
  std::size_t waiting = 0;   ///< All other outstanding calls.
};

std::ostream& operator<<(std::ostream& out, const AsyncCounts& value);

/// The outcomes of the calls that were outstanding when close() was called.
struct CloseResult {
  std::size_t completed = 0;  ///< Ended on their own, successfully or not.
  std::size_t unsent = 0;     ///< Canceled with effect `none`: nothing that could have an effect was sent.
  std::size_t unknown = 0;    ///< Canceled with effect `unknown`: they may have taken effect.
};

std::ostream& operator<<(std::ostream& out, const CloseResult& value);

/// Makes many calls at once, without a thread for each. It has one service per resource. The methods of a
/// service return a Call, as in `async.paymentRecords().retrieve(id)`. An AsyncClient made from a Client
/// shares the Client's options, mutation queue, Pacer, retry budget, observer and read counter, but not its
/// connections.
///
/// An AsyncClient has one thread, in which it sends requests, waits, and completes calls. Unless
/// AsyncOptions::executor is set, handlers run in that thread and must not block, for example by waiting for
/// a future. Observers, which are always called in that thread, must not block either. A blocking call made
/// in that thread delays all others. It ends in ErrorKind::queueFull if it would have to wait for its turn at
/// an object or for the pacer.
///
/// If Transport::inProcess() is true, as with the fake, the AsyncClient has no thread of its own. Calls make
/// progress in the thread that calls run(), one event after another in chronological order, and run() moves a
/// virtual clock to the next event. The same calls and the same seed always lead to the same sequence of
/// events.
///
/// A user-written Transport has only a blocking send(), so requests are sent one at a time, in the thread of
/// the AsyncClient. Handlers, timeouts and close() wait until send() returns.
///
/// Thread-safe, except that only one thread at a time may call run(). Services and calls may outlive the
/// AsyncClient. A call that is started after the AsyncClient has been destroyed ends in ErrorKind::canceled,
/// inside the function that starts it.
///
/// A process made by fork() can't use the AsyncClients of its parent, unless Transport::inProcess() is true:
/// calls that it starts end in ErrorKind::canceled, as after destruction, and those that were outstanding
/// never complete in it. It may make an AsyncClient from a Client of its parent.
///
/// Move-only. A moved-from AsyncClient can be assigned to and destroyed; its functions throw
/// std::logic_error.
class AsyncClient : public AsyncServices {
 public:
  /// Shares the state of `client`, which need not outlive the AsyncClient. Throws std::invalid_argument,
  /// which names the option, if a number is out of range. Throws std::system_error if no thread or no file
  /// descriptor is available.
  explicit AsyncClient(const Client& client, AsyncOptions options = {});
  /// Also throws what the constructor of Client throws.
  explicit AsyncClient(ClientOptions client, AsyncOptions options = {});
  /// Does not compile: the base URL is required too.
  template <std::convertible_to<ApiKey> Key>
  explicit AsyncClient(const Key&, const AsyncOptions& = {}) : AsyncClient(ClientOptions{}) {
    static_assert(std::is_void_v<Key>, "tally: a client needs ClientOptions{.apiKey = ..., .baseUrl = ...}");
  }
  AsyncClient(AsyncClient&&) noexcept = default;
  AsyncClient& operator=(AsyncClient&&) noexcept;
  /// Like close() with a time limit of 0. If it runs in a handler, it does not wait until all calls have
  /// completed.
  ~AsyncClient();

  /// Returns when no call is outstanding and no report of a canceled call is in flight. If the transport is
  /// in this process, carries out the calls in the calling thread; otherwise only waits for them. Throws
  /// std::logic_error if it is called in a handler of this AsyncClient.
  void run();

  /// Makes a request that no typed method covers; see Client::send().
  [[nodiscard]] Call<RawResponse> send(const RawRequest& request,
                                       const Borrowed<RequestOptions>& options = detail::defaulted) const;
  /// Rejects temporaries, which g++ 12 would destroy twice in a `co_await`. Use a variable instead.
  Call<RawResponse> send(const RawRequest&& request,
                         const Borrowed<RequestOptions>& options = detail::defaulted) const = delete;

  /// A call that completes once the clock has reached `time`, for pauses in coroutines. It counts as an
  /// outstanding call. It ends in ErrorKind::canceled if the AsyncClient is closed before `time`.
  [[nodiscard]] Call<void> sleepUntil(Instant time) const;
  /// Like sleepUntil(), but until `duration` from now.
  [[nodiscard]] Call<void> sleepFor(std::chrono::nanoseconds duration) const;

  /// Prevents further calls from being started. Outstanding calls have `timeLimit`, on the client's clock, to
  /// end on their own; calls that have not ended by then are canceled. Returns when no request is in flight
  /// and all calls have completed, except those whose Completion an executor still holds. This includes calls
  /// that are refused, so no thread or handler may start calls endlessly meanwhile. If close() is called
  /// again, the first time limit applies. Throws std::logic_error if it is called in a handler of this
  /// AsyncClient.
  CloseResult close(std::chrono::milliseconds timeLimit = std::chrono::milliseconds{0});

  [[nodiscard]] AsyncCounts counts() const;

  /// The clock on which deadlines are measured.
  [[nodiscard]] Clock& clock() const;
};

}  // namespace tally
