#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string_view>
#include <vector>

#include <tally/clock.h>
#include <tally/error.h>
#include <tally/transport.h>

namespace [[gnu::visibility("default")]] tally {

/// What happened in a call.
enum class EventKind : std::uint8_t {
  queued,          ///< The call waits for other calls on the same object to end.
  dequeued,        ///< The call's turn has come, after a wait of `duration`.
  throttled,       ///< The pacer delays the next attempt to stay within a limit.
  unthrottled,     ///< The pacer admits the attempt, after a wait of `duration`.
  attemptStarted,  ///< A request is sent.
  attemptEnded,    ///< The attempt has ended, with or without a response, after `duration`.
  backoffStarted,  ///< The call will be retried after `duration`.
  backoffEnded,    ///< The wait before the retry has ended, after `duration`.
  callEnded,       ///< The call has ended, after `duration` in total.
};

/// The name, such as `attempt_ended`.
[[nodiscard]] std::string_view toString(EventKind kind) noexcept;

std::ostream& operator<<(std::ostream& out, EventKind kind);

/// One step of a call. Contains no API key. Metadata can appear only in `url` and in `error`. Everything that
/// the event refers to is valid until Observer::on() returns.
struct Event {
  EventKind kind = EventKind::attemptStarted;
  Instant time{};                ///< On the client's clock.
  std::string_view operation{};  ///< Such as `payment_records.report_failed`.
  std::string_view object{};     ///< The identifier in the path; empty if there is none.
  int attempt = 0;               ///< The number of the latest attempt, from 1; 0 if there is none.
  std::chrono::nanoseconds duration{0};
  int status = 0;                ///< For `attemptEnded`: the HTTP status; 0 if no response arrived.
  const Error* error = nullptr;  ///< Why the attempt or, for `callEnded`, the call failed; otherwise null.
  std::string_view requestId{};  ///< For `attemptEnded`: the request ID; empty if there is none.
  /// The `traceparent` header of the latest attempt, or of the call before its first attempt. The same
  /// applies to `tracestate`.
  std::string_view traceparent{};
  std::string_view tracestate{};
  std::uint64_t call = 0;  ///< Identifies the call in this process; the same in all its events.
  Method method = Method::get;
  std::string_view url{};  ///< Of the request; its query may repeat arguments of the call.
};

/// Prints one line, whatever the service sent: `time=2026-01-01T00:00:00.05Z event=attempt_ended
/// operation=payment_records.retrieve object=pr_1 attempt=1 duration=0.05s status=200 request=req_1`. Empty
/// fields, `tracestate`, `call`, `method` and `url` are left out. An error is printed with the fields that
/// programs evaluate, but without `message` and `param`, which may repeat what was sent.
std::ostream& operator<<(std::ostream& out, const Event& event);

/// Receives the events of a client's calls: set `ClientOptions::observer`. Ready-made observers are in
/// <tally/log_observer.h> and <tally/metrics_observer.h>.
///
/// An observer is called during each call, in the thread that makes the call, so implementations must be
/// thread-safe and fast. An observer may make calls with the same client, and also receives the events of
/// those calls. So that no two calls wait for each other, such a call ends in ErrorKind::queueFull, with
/// effect `none`, if it would have to wait
/// - for its turn at an object, while the current call waits for its turn or has it, or has passed the pacer
///   and awaits its response;
/// - for the pacer until a request in flight ends, while the current call has passed the pacer and awaits its
///   response. It does wait for time to pass.
///
/// Events of asynchronous calls arrive in the thread of the AsyncClient. A blocking call made in that thread
/// delays all others. It ends in ErrorKind::queueFull if it would have to wait for its turn at an object or
/// for the pacer. Prefer asynchronous calls in that thread.
///
/// A request that the transport refuses to send, such as one to a forbidden URL, has an `attemptStarted` and
/// an `attemptEnded` event, but does not count as an attempt of the call.
///
/// There are no events for calls whose parameters or options are rejected, or for the waits of
/// resolveReport() between the calls that it makes.
///
/// `on` is noexcept: if it throws, the program ends. If a transport, a clock or a memory allocation throws,
/// each `attemptStarted` is still followed by an `attemptEnded`, and the call still ends with `callEnded`,
/// both with ErrorKind::exception.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Receives one event.
  virtual void on(const Event& event) noexcept = 0;

 protected:
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
};

/// Combines observers: each event goes to all of them, in the given order. Null pointers are ignored.
[[nodiscard]] std::shared_ptr<Observer> combineObservers(std::vector<std::shared_ptr<Observer>> all);

}  // namespace tally
