#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <tally/async_client.h>

#include <boost/intrusive/list.hpp>

#include "async/activity.h"
#include "async/async_driver.h"
#include "call/client_core.h"
#include "event/async_transport.h"
#include "event/event_loop.h"

namespace tally::detail {

/// What an AsyncClient, its services and its calls share: the loop, its thread if it has one, and the bounds.
class AsyncEngine final : public ActivityHost, public std::enable_shared_from_this<AsyncEngine> {
 public:
  AsyncEngine(std::shared_ptr<const ClientCore> core, AsyncOptions options);
  AsyncEngine(const AsyncEngine&) = delete;
  AsyncEngine& operator=(const AsyncEngine&) = delete;
  ~AsyncEngine() override;

  /// Starts the thread of the loop, unless requests are handled in this process.
  void startThread();

  [[nodiscard]] const ClientCore& core() const noexcept override { return *core_; }
  [[nodiscard]] const std::shared_ptr<const ClientCore>& sharedCore() const noexcept { return core_; }
  [[nodiscard]] EventLoop& loop() noexcept override { return *setup_.loop; }
  [[nodiscard]] AsyncTransport& transport() noexcept override { return *setup_.transport; }

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
  [[nodiscard]] bool cancelsAll() const noexcept override { return cancelsAll_; }
  void leftInFlight(AsyncDriver& call) noexcept override;
  void leftEnded() noexcept override;
  void deliver(ActivityRef activity, const Error* error) noexcept override;
  [[nodiscard]] bool acquireSlot(AsyncDriver& call) noexcept override;
  void releaseSlot() noexcept override;

 private:
  class Closer;  // NOLINT(cppcoreguidelines-virtual-class-destructor): it is final
  class Delivery;
  class Turning;
  using Activities = boost::intrusive::list<Activity, boost::intrusive::constant_time_size<false>>;
  using Admission = boost::intrusive::list<AsyncDriver, boost::intrusive::base_hook<AdmissionHook>,
                                           boost::intrusive::constant_time_size<false>>;
  using Lock = std::unique_lock<std::mutex>;
  using Condition = bool (AsyncEngine::*)() const noexcept;

  /// Why an activity is refused.
  enum class Refusal : std::uint8_t { none, full, closed, stopped };

  [[nodiscard]] Refusal enter();
  template <class Holds>
  void watch(Lock& lock, const Holds& holds);
  void awaitRoom(Lock& lock);
  [[nodiscard]] bool awaitsRoom() const noexcept;
  /// The call whose handler runs makes room for those that it starts.
  [[nodiscard]] bool isFull() const noexcept { return unfinished_ - delivering_ >= most_; }
  void work() noexcept;
  void turn();
  void turnUntil(Condition over);
  void failAll(const std::exception_ptr& exception) noexcept;
  void awaitCalls();
  [[nodiscard]] bool holds(Condition condition) const;
  // Conditions; with the mutex.
  [[nodiscard]] bool isIdle() const noexcept { return closed_ ? stopped_ : unfinished_ == 0 && left_ == 0; }
  [[nodiscard]] bool isClosedAndDone() const noexcept { return closed_ && unfinished_ == 0; }
  [[nodiscard]] bool hasRoom() const noexcept { return closed_ || !isFull(); }
  [[nodiscard]] bool isStopped() const noexcept { return stopped_; }
  void handlerThrew() noexcept;
  void leave(const CloseResult& change) noexcept;
  void requestClose(Instant deadline);
  void cancelAll() noexcept;
  void stopIfClosed() noexcept;

  std::shared_ptr<const ClientCore> core_;
  AsyncOptions options_;
  std::size_t most_;
  bool inProcess_;

  // For the thread of the loop.
  Activities outstanding_{};
  Admission admission_{};
  Admission late_{};  // requests whose calls have ended
  bool cancelsAll_ = false;
  bool isOrphaned_ = false;      // a handler has destroyed the client
  std::exception_ptr thrown_{};  // by a handler, for run()
  std::unique_ptr<Closer> closer_;

  std::atomic<std::size_t> inFlight_{0};
  std::atomic<std::size_t> delivering_{0};  // calls whose handlers run
  mutable std::mutex mutex_{};              // guards the following members
  std::condition_variable changed_{};
  std::size_t unfinished_ = 0;  // started, and not delivered
  std::size_t left_ = 0;        // the length of late_
  bool closed_ = false;         // nothing else starts
  bool stopped_ = false;        // all that was started has ended, and the loop with it
  bool turning_ = false;        // a thread that the user has lent turns the loop
  bool awaitsCalls_ = false;    // in awaitCalls()
  std::size_t watching_ = 0;    // threads in watch()
  CloseResult closing_{};

  std::mutex joining_{};  // held by the thread that joins the loop's
  AsyncSetup setup_;      // last of the state, so that transfers end while it exists
  std::thread thread_{};
};

}  // namespace tally::detail
