#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <tally/options.h>
#include <tally/stop_token.h>

#include "async/activity.h"
#include "attempt/attempt_request.h"
#include "attempt/call_report.h"
#include "attempt/call_state_machine.h"
#include "attempt/driven_call.h"
#include "call/turn.h"
#include "event/async_transport.h"
#include "http/response_reader.h"
#include "loop/slots.h"
#include "pacing/paced_request.h"
#include "schema/operation.h"

namespace tally::detail {

class ClientCore;

/// What an asynchronous call sends, or why it sends nothing.
struct AsyncRequest {
  const AnyOperation& operation;
  std::string object{};  // the identifier in the path
  std::variant<KeyedRequest, Error> request;
  PacedRequest paced{};
  RequestOptions options{};
  bool queued = false;
  /// Of an operation of several calls, which keeps it between them; null: the call has its own.
  Turn* turn = nullptr;
  /// With `turn`: the call prepares the one that follows in the turn, see PacedCall.
  bool precedes = false;
};

/// Carries out the steps of a CallStateMachine in the loop, so that no wait needs a thread.
class AsyncDriver : public Activity, private OutgoingRequest, private AsyncTransport::Receiver {
 public:
  AsyncDriver(std::shared_ptr<ActivityHost> engine, AsyncRequest&& request);

  void fail(const Error& error) final;

 protected:
  [[nodiscard]] const AnyOperation& operation() const noexcept { return operation_; }
  /// The identifier in the path; empty if there is none.
  [[nodiscard]] const std::string& object() const noexcept { return object_; }
  /// To be changed only before the start.
  [[nodiscard]] RequestOptions& options() noexcept { return options_; }

  /// Whether its request was still in flight when the call ended.
  [[nodiscard]] bool hasDetachedRequest() const noexcept { return detached_.has_value(); }

  /// Reads a response into the result.
  [[nodiscard]] virtual std::optional<Error> read(TransportResult& result, Instant now) = 0;
  /// The call has ended; its result is an error, or what read() has accepted.
  virtual void setError(const Error& error) = 0;
  /// The pacer, if there is one, has let an attempt pass.
  virtual void passedPacer() noexcept {}

 private:
  class CallReader;
  using Step = CallStateMachine::Step;
  /// Nothing while the call waits.
  using NextStep = std::optional<Step>;

  /// For stop tokens: signals this call.
  struct Notify {
    AsyncDriver* call;
    Signal signal;
    void operator()() const noexcept { call->signal(signal); }
  };
  using OnStop = std::optional<StopCallback<Notify>>;

  void begin() final;
  void resume() final;
  void admit() noexcept final;
  void abort() noexcept final;
  void departs() noexcept final;
  void ended(TransportResult&& received) final;
  void threw(const std::exception_ptr& exception) final;

  void prepare();
  void advance(Step step);
  NextStep carryOut(const CallStateMachine::Queue& queue);
  NextStep carryOut(const CallStateMachine::Pace& pace);
  NextStep carryOut(const CallStateMachine::Admit& admit);
  NextStep carryOut(const CallStateMachine::Send& send);
  NextStep carryOut(const CallStateMachine::Wait& wait);
  NextStep carryOut(const CallStateMachine::Done& done);
  NextStep awaitPacer();
  NextStep afterPacer();
  NextStep afterRoom();
  [[nodiscard]] NextStep afterWait();
  void await(Instant time, const StopToken& woken = {});
  void cancel();
  void cancelInFlight();
  void detachRequest(const Error& error);
  void detachedEnded(TransportResult& result);
  void detachedThrew() noexcept;
  void endWith(const std::optional<Error>& error);
  [[nodiscard]] Error described(const Error& error, const Error& reported) const noexcept;
  void releaseHeld() noexcept;
  void releaseDetached() noexcept;
  void releaseSlot() noexcept;
  [[nodiscard]] bool isPastUntil() const noexcept { return now_ >= until_; }
  [[nodiscard]] const ClientCore& core() const noexcept;
  template <class Function>
  auto withCall(Function function);

  const AnyOperation& operation_;
  std::string object_;
  std::variant<KeyedRequest, Error> request_;
  PacedRequest limits_;
  RequestOptions options_;
  Turn ownTurn_{};
  Turn* turn_;
  bool queued_;
  bool precedes_;

  std::unique_ptr<Turn> preceding_{};  // with the pacer, of a call that precedes another one
  PacedCall* paced_ = nullptr;         // null without a pacer
  std::optional<CallStateMachine> machine_{};
  std::optional<CallReport> report_{};
  std::optional<AttemptRenewal> renewal_{};
  std::unique_ptr<AsyncTransfer> transfer_{};
  bool hasSlot_ = false;
  Instant now_{};
  Instant until_{};
  OnStop woken_{};
  OnStop stopped_{};
  std::optional<Error> detached_{};  // the error with which the call ended, if it detached its request
};

}  // namespace tally::detail
