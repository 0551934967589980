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

/// What happens to a call that is started when no further call may be outstanding. See
/// AsyncOptions::maxWaiting.
enum class WhenFull : std::uint8_t {
  fail,  ///< It ends in ErrorKind::queueFull, with effect `none`.
  /// Starting it blocks until there is room. If the transport is in this process, the thread carries out
  /// other calls meanwhile, as run() does. In the thread of the AsyncClient, which must not block, the call
  /// fails.
  wait,
};

std::ostream& operator<<(std::ostream& out, WhenFull value);

/// The options of an AsyncClient.
struct AsyncOptions {
  /// How many requests may be in flight. At least 1. Further calls wait in the order in which they become
  /// ready; the timeout of an attempt starts when its request is handed to the transport.
  std::size_t maxInFlight = 64;
  /// How many further calls may be outstanding: those that wait for room in flight, for their turn at an
  /// object, for the Pacer, before a retry, or in sleepUntil().
  std::size_t maxWaiting = 100'000;
  /// What happens to a call that exceeds these limits.
  WhenFull whenFull = WhenFull::fail;
  /// Runs the completions of calls somewhere other than in the thread of the AsyncClient, for example
  /// `[&](Completion done) { boost::asio::post(pool, std::move(done)); }`. Called in the thread of the
  /// AsyncClient; must not throw. Empty: completions run in that thread, one at a time.
  std::function<void(Completion)> executor{};
  /// Receives exceptions from handlers that run in the thread of the AsyncClient; must not throw. Empty:
  /// std::terminate() is called if the AsyncClient has its own thread, or in its destructor; otherwise run()
  /// or close() throws the first exception, and the next run() continues.
  std::function<void(std::exception_ptr)> onException{};
};

std::ostream& operator<<(std::ostream& out, const AsyncOptions& value);

/// How many calls of an AsyncClient have not completed.
struct AsyncCounts {
  std::size_t inFlight = 0;  ///< Requests handed to the transport.
  std::size_t waiting = 0;   ///< All other calls that have been started.
};

std::ostream& operator<<(std::ostream& out, const AsyncCounts& value);

/// The outcomes of the calls that were outstanding when close() was called.
struct CloseResult {
  std::size_t completed = 0;  ///< Ended on their own, successfully or not.
  std::size_t unsent = 0;     ///< Canceled with effect `none`: nothing was sent that could have an effect.
  std::size_t unknown = 0;    ///< Canceled with effect `unknown`: they may have taken effect.
};

std::ostream& operator<<(std::ostream& out, const CloseResult& value);

/// Makes many calls at once, without a thread for each. It has one service per resource, as in
/// `async.paymentRecords().retrieve(id)`, whose methods return a Call. An AsyncClient made from a Client
/// shares with it the options, the mutation queue, the Pacer, the retry budget, the observer and the read
/// counter, but no connections.
///
/// An AsyncClient has one thread, in which it sends, waits and completes calls. Handlers run there unless
/// AsyncOptions::executor is set, so they must not block, for example by waiting for a future. The same holds
/// for observers, which are always called there. A blocking call delays all others, and ends in
/// ErrorKind::queueFull if it would have to wait for its turn at an object or for the pacer.
///
/// If the transport is Transport::inProcess(), as with the fake, there is no such thread. Calls make progress
/// in the thread that calls run(), one event after another in chronological order, and run() moves a virtual
/// clock to the next event. The same calls and the same seed give the same run.
///
/// A user-written Transport has only a blocking send(). Requests are then sent one at a time, in the thread
/// of the AsyncClient, and handlers, timeouts and close() wait until send() returns.
///
/// Thread-safe, except that only one thread at a time may call run(). Services and calls may outlive it:
/// calls started later end in ErrorKind::canceled, inside the function that starts them.
///
/// Move-only. Each function of an AsyncClient that has been moved from throws std::logic_error; it may be
/// assigned to and destroyed.
class AsyncClient : public AsyncServices {
 public:
  /// Shares the state of `client`, which need not outlive this. Throws std::invalid_argument, which names the
  /// option, if a number is out of range, and std::system_error if a thread or a file descriptor is not
  /// available.
  explicit AsyncClient(const Client& client, AsyncOptions options = {});
  /// Also throws the exceptions of the constructor of Client.
  explicit AsyncClient(ClientOptions client, AsyncOptions options = {});
  /// Does not compile: the base URL is required too.
  template <std::convertible_to<ApiKey> Key>
  explicit AsyncClient(const Key&, const AsyncOptions& = {}) : AsyncClient(ClientOptions{}) {
    static_assert(std::is_void_v<Key>, "tally: a client needs ClientOptions{.apiKey = ..., .baseUrl = ...}");
  }
  AsyncClient(AsyncClient&&) noexcept = default;
  AsyncClient& operator=(AsyncClient&&) noexcept;
  /// Like close() with a time limit of 0. In a handler, it does not wait until all calls have completed.
  ~AsyncClient();

  /// Returns when no call is outstanding, and no report of a canceled call is in flight. If the transport is
  /// in this process, carries out the calls in this thread; otherwise only waits for them. Throws
  /// std::logic_error in a handler of this AsyncClient.
  void run();

  /// Makes a request that no typed method covers; see Client::send().
  [[nodiscard]] Call<RawResponse> send(const RawRequest& request,
                                       const Borrowed<RequestOptions>& options = {}) const;
  /// Rejects temporaries, which g++ 12 would destroy twice in a `co_await`. Use a variable.
  Call<RawResponse> send(const RawRequest&& request,
                         const Borrowed<RequestOptions>& options = {}) const = delete;

  /// Completes once the clock has reached `time`: for pauses in coroutines. Counts as an outstanding call.
  /// Ends in ErrorKind::canceled if the AsyncClient is closed first.
  [[nodiscard]] Call<void> sleepUntil(Instant time) const;
  /// Like sleepUntil(), `duration` from now.
  [[nodiscard]] Call<void> sleepFor(std::chrono::nanoseconds duration) const;

  /// Starts no further calls. Outstanding calls have `timeLimit`, on the client's clock, to end on their own;
  /// the rest are canceled. Returns when every call has completed, unless an executor still holds its
  /// Completion, and no request is in flight. The time limit of the first close() applies. Throws
  /// std::logic_error in a handler of this AsyncClient.
  CloseResult close(std::chrono::milliseconds timeLimit = std::chrono::milliseconds{0});

  [[nodiscard]] AsyncCounts counts() const;

  /// The clock on which deadlines are measured.
  [[nodiscard]] Clock& clock() const;
};

}  // namespace tally
