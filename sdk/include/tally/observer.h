#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string_view>

#include <tally/clock.h>
#include <tally/error.h>

namespace tally {

enum class EventKind : std::uint8_t {
  queue,    ///< The call waits until others on the same object are over.
  turn,     ///< Its turn has come; `duration` is how long it waited.
  pace,     ///< The next attempt waits for the pacer, so as to keep to a limit.
  paced,    ///< It may be made; `duration` is how long it waited.
  attempt,  ///< A request is sent.
  answer,   ///< What came of it is known; `duration` is how long that took.
  wait,     ///< It will be sent again after `duration`.
  retry,    ///< The wait is over; `duration` is how long it was.
  end,      ///< The call is over; `duration` is how long all of it took.
};

/// As `answer`.
[[nodiscard]] std::string_view toString(EventKind kind) noexcept;

std::ostream& operator<<(std::ostream& out, EventKind kind);

/// What happens in one call. Holds no key, no body and no metadata. What it refers to lives until
/// Observer::on() returns.
struct Event {
  EventKind kind = EventKind::attempt;
  Instant time{};                ///< On the client's clock.
  std::string_view operation{};  ///< Such as `payment_records.report_failed`.
  std::string_view object{};     ///< The identifier in the path; empty where there is none.
  int attempt = 0;               ///< Which attempt it is about, from 1 on; 0 before the first.
  std::chrono::nanoseconds duration{0};
  int status = 0;                  ///< HTTP status of an answer; 0 where none came.
  const Error* error = nullptr;    ///< Why an attempt, or at the end the call, failed; null: it went well.
  std::string_view requestId{};    ///< Of an answer that bore one.
  std::string_view traceparent{};  ///< The header of that name that the call was given; so too the next.
  std::string_view tracestate{};
};

/// As `time=2026-01-01T00:00:00.05Z event=answer operation=payment_records.retrieve object=pr_1 attempt=1
/// duration=0.05s status=200 request=req_1`, in one line whatever the service sent. What an event has nothing
/// of is left out. Of an error it shows what programs read, and not its message and param: these are texts
/// that may repeat what was sent.
std::ostream& operator<<(std::ostream& out, const Event& event);

/// Is told what a client's calls do: set `ClientOptions::observer`. Ready ones are in <tally/observers.h>.
///
/// Called in the thread of each call, while it goes on: implementations are thread-safe, and quick. They may
/// make calls of the same client, of which they are told too. A call that changes the object which the call
/// at hand changes ends in ErrorKind::queueFull: it would wait for itself.
///
/// `on` is noexcept: one that throws ends the program. Where a transport, a clock or a lack of memory throws,
/// an `attempt` still gets its `answer`, and the call its `end`, both with ErrorKind::exception.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on(const Event& event) noexcept = 0;

 protected:
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
};

}  // namespace tally
