#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>

#include <tally/async_client.h>

#include <boost/intrusive/list.hpp>

#include "async/activity.h"
#include "call/client_core.h"
#include "event/async_transport.h"
#include "event/event_loop.h"
#include "loop/admission.h"
#include "loop/closing.h"
#include "loop/loop_owner.h"
#include "loop/slots.h"

namespace tally::detail {

/// What an AsyncClient, its services and its calls share. Lets activities start, as Admission and Closing
/// allow, in the loop of its LoopOwner, and delivers their results.
class AsyncEngine final : public ActivityHost,
                          public std::enable_shared_from_this<AsyncEngine>,
                          private LoopOwner::Work {
 public:
  AsyncEngine(std::shared_ptr<const ClientCore> core, AsyncOptions options);
  AsyncEngine(const AsyncEngine&) = delete;
  AsyncEngine& operator=(const AsyncEngine&) = delete;
  ~AsyncEngine() override;

  /// Starts the thread of the loop, unless requests are handled in this process.
  void startThread() { owner_.startThread(shared_from_this()); }

  [[nodiscard]] const ClientCore& core() const noexcept override { return *core_; }
  [[nodiscard]] const std::shared_ptr<const ClientCore>& sharedCore() const noexcept { return core_; }
  [[nodiscard]] EventLoop& loop() noexcept override { return owner_.loop(); }
  [[nodiscard]] AsyncTransport& transport() noexcept override { return owner_.transport(); }

  // For any thread.

  void start(Activity& activity) override;
  void run();
  CloseResult close(std::chrono::milliseconds timeLimit);
  CloseResult closeAt(Instant deadline);
  /// Does not wait if this is the thread of the loop.
  void closeInDestructor() noexcept;
  [[nodiscard]] AsyncCounts counts() const;

  // For the thread of the loop.

  void began(Activity& activity) noexcept override { outstanding_.push_back(activity); }
  [[nodiscard]] bool cancelsAll() const noexcept override { return closing_.cancels(); }
  [[nodiscard]] Slots& slots() noexcept override { return slots_; }
  void detached(OutgoingRequest& request) noexcept override;
  void detachedEnded() noexcept override;
  void deliver(ActivityRef activity, const Error* error) noexcept override;

 private:
  class Delivery;
  using Activities = boost::intrusive::list<Activity, boost::intrusive::constant_time_size<false>>;

  /// Why an activity is refused.
  enum class Refusal : std::uint8_t { none, full, closed, stopped };

  [[nodiscard]] Refusal enter();
  void refuseStopped(Activity& activity, ActivityRef first);
  [[nodiscard]] static std::unique_ptr<Completing> deliveryOf(ActivityRef& activity);
  void leave(const CloseResult& outcome) noexcept;
  void handlerThrew() noexcept;
  void requestClose(Instant deadline);
  void signalAll() noexcept;
  void abortDetached() noexcept;
  void stopIfClosed() noexcept;

  void polled() noexcept override { stopIfClosed(); }
  void fail(const std::exception_ptr& exception) noexcept override;
  [[nodiscard]] bool isIdle() const noexcept override;
  [[nodiscard]] bool needsLoop() const noexcept override;

  std::shared_ptr<const ClientCore> core_;
  AsyncOptions options_;

  // Made in advance, so that a refusal needs no memory.
  const Error full_;
  const Error closed_;

  // For the thread of the loop.
  Activities outstanding_{};
  OutgoingRequests detached_{};
  Slots slots_;

  // Guarded by the lock of `owner_`.
  Admission admission_;
  Closing closing_;

  LoopOwner owner_;  // last, so that transfers end while the rest exists
};

}  // namespace tally::detail
