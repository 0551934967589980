#pragma once

#include <tally/detail/cpp20.h>

// Asynchronous calls with Boost.Asio: `call(token)` starts a call with any completion token. This is the only
// header of tally that includes Asio.

#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include <tally/async.h>
#include <tally/detail/asio_waiters.h>
#include <tally/detail/logic_error.h>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// When an execution context shuts down, notifies the calls whose handlers are to run in it.
class AsioService final : public boost::asio::execution_context::service {
 public:
  using key_type = AsioService;
  inline static boost::asio::execution_context::id id{};  // NOLINT(readability-identifier-naming): for Asio

  explicit AsioService(boost::asio::execution_context& context) : service(context) {}

  [[nodiscard]] const std::shared_ptr<AsioWaiters>& waiters() const noexcept { return waiters_; }

 private:
  void shutdown() override { waiters_->shutDown(); }

  std::shared_ptr<AsioWaiters> waiters_ = std::make_shared<AsioWaiters>();
};

/// Whether a handler has an associated executor. Handlers without one run in the thread of the AsyncClient or
/// through AsyncOptions::executor.
template <class Handler>
inline constexpr bool hasAsioExecutor = !requires {
  typename boost::asio::associated_executor<Handler>::asio_associated_executor_is_unspecialised;
};

/// A function object that invokes a handler with its result. The handler's executor runs it.
template <class Handler, class T>
class AsioCompletion {
 public:
  using allocator_type = boost::asio::associated_allocator_t<Handler>;

  AsioCompletion(Handler&& handler, Result<T>&& result)
      : handler_(std::move(handler)), result_(std::move(result)) {}

  [[nodiscard]] allocator_type get_allocator() const noexcept {
    return boost::asio::get_associated_allocator(handler_);
  }

  void operator()() {
    if (auto slot = boost::asio::get_associated_cancellation_slot(handler_); slot.is_connected())
      slot.clear();
    std::move(handler_)(std::move(result_));
  }

 private:
  Handler handler_;
  Result<T> result_;
};

/// Invokes a handler on its associated executor. Owns itself from the start of the call to its completion.
template <class T, class Handler>
class AsioContinuation final : public Continuation<T>,
                               public AsioWaiter,
                               public std::enable_shared_from_this<AsioContinuation<T, Handler>> {
 public:
  explicit AsioContinuation(Handler handler) : pending_(std::in_place, std::move(handler)) {}

  /// Starts the operation, unless the execution context has shut down.
  void start(std::unique_ptr<AsyncOperation<T>> operation) {
    if (!join()) return;
    heedSlot();
    self_ = this->shared_from_this();
    AsyncOperation<T>* const started = operation.get();
    Starting starting{*this};
    operation.release()->start(*this);
    starting.end();
    setStarted(*started);
  }

  void complete(Result<T>&& result) override {
    const auto self = std::move(self_);
    setCompleted();
    if (const Departure departure{*this}) deliver(std::move(result));
  }

  /// Thread-safe. May be called at any time.
  void cancel() noexcept {
    const std::lock_guard lock{mutex_};
    canceled_ = true;
    if (operation_ != nullptr) operation_->requestCancel();
  }

  void shutDown() noexcept override {
    cancel();
    pending_.reset();
  }

 private:
  using Executor = boost::asio::associated_executor_t<Handler>;

  /// The handler, and outstanding work that keeps its execution context from running out of work.
  struct Pending {
    explicit Pending(Handler&& moved)
        : executor(boost::asio::prefer(boost::asio::get_associated_executor(moved),
                                       boost::asio::execution::outstanding_work.tracked)),
          handler(std::move(moved)) {}
    std::decay_t<typename boost::asio::prefer_result<
        Executor, boost::asio::execution::outstanding_work_t::tracked_t>::type>
        executor;
    Handler handler;
  };

  static constexpr bool isBound = hasAsioExecutor<Handler>;
  static constexpr bool hasContext =
      isBound && boost::asio::can_query_v<const Executor&, boost::asio::execution::context_t>;

  bool join() {
    if constexpr (hasContext) {
      boost::asio::execution_context& context = boost::asio::query(
          boost::asio::get_associated_executor(pending_->handler), boost::asio::execution::context);
      waiters_ = boost::asio::use_service<AsioService>(context).waiters();
      return waiters_->add(this->shared_from_this(), place_);
    } else {
      return true;
    }
  }

  /// While an object of this class exists and converts to true, the execution context exists.
  class Departure {
   public:
    explicit Departure(AsioContinuation& call)
        : waiters_(call.waiters_), may_(!waiters_ || waiters_->remove(call.place_)) {}
    Departure(const Departure&) = delete;
    Departure& operator=(const Departure&) = delete;
    ~Departure() {
      if (waiters_ && may_) waiters_->delivered();
    }
    explicit operator bool() const noexcept { return may_; }

   private:
    std::shared_ptr<AsioWaiters> waiters_;
    bool may_;
  };

  /// Marks the call as the one that this thread is starting. If starting it throws, the destructor makes the
  /// call leave its execution context. A `catch` would not compile with -fno-exceptions.
  class Starting {
   public:
    explicit Starting(AsioContinuation& call) : call_(&call), outer_(std::exchange(starting_, &call)) {}
    Starting(const Starting&) = delete;
    Starting& operator=(const Starting&) = delete;
    ~Starting() {
      if (call_ == nullptr) return;
      starting_ = outer_;
      const auto self = std::move(call_->self_);
      const Departure departure{*call_};
    }
    void end() noexcept {
      starting_ = outer_;
      call_ = nullptr;
    }

   private:
    AsioContinuation* call_;
    const void* outer_;
  };

  void heedSlot() {
    auto slot = boost::asio::get_associated_cancellation_slot(pending_->handler);
    if (!slot.is_connected()) return;
    slot.assign([call = this->weak_from_this()](boost::asio::cancellation_type type) {
      if (type == boost::asio::cancellation_type::none) return;
      if (const auto waiting = call.lock()) waiting->cancel();
    });
  }

  void setStarted(AsyncOperation<T>& operation) {
    const std::lock_guard lock{mutex_};
    if (completed_) return;
    operation_ = &operation;
    if (canceled_) operation.requestCancel();
  }

  void setCompleted() {
    const std::lock_guard lock{mutex_};
    completed_ = true;
    operation_ = nullptr;
  }

  /// Asio forbids running a handler inside the function that starts its operation.
  void deliver(Result<T>&& result) {
    Pending pending = *std::exchange(pending_, std::nullopt);
    if constexpr (!isBound) {
      std::move(pending.handler)(std::move(result));
    } else {
      AsioCompletion<Handler, T> completion{std::move(pending.handler), std::move(result)};
      if (starting_ == this) {
        boost::asio::post(pending.executor, std::move(completion));
      } else {
        boost::asio::dispatch(pending.executor, std::move(completion));
      }
    }
  }

  inline static thread_local const void* starting_ = nullptr;  // the call that this thread is starting

  std::optional<Pending> pending_;
  std::shared_ptr<AsioContinuation> self_{};
  std::shared_ptr<AsioWaiters> waiters_{};
  AsioWaiters::Place place_{};
  std::mutex mutex_{};                      // guards the following members
  AsyncOperation<T>* operation_ = nullptr;  // from the start to the completion
  bool completed_ = false;
  bool canceled_ = false;
};

/// Starts a call for a handler that Asio has made from a completion token. Copies, which `deferred` needs,
/// start the same call.
template <class T>
class AsioInitiation {
 public:
  explicit AsioInitiation(std::unique_ptr<AsyncOperation<T>> operation)
      : operation_(std::make_shared<std::unique_ptr<AsyncOperation<T>>>(std::move(operation))) {}

  template <class Handler>
  void operator()(Handler&& handler) const {
    if (*operation_ == nullptr) throwLogicError("this tally::Call has been started");
    using Continuation = AsioContinuation<T, std::decay_t<Handler>>;
    std::make_shared<Continuation>(std::forward<Handler>(handler))->start(std::move(*operation_));
  }

 private:
  std::shared_ptr<std::unique_ptr<AsyncOperation<T>>> operation_;
};

}  // namespace detail

/// Starts the call with a completion token for the signature `void(Result<T>)`: a callback, `use_awaitable`,
/// `use_future`, `deferred`, `detached`, or any other. Adapters such as `bind_executor` and `as_tuple` work
/// too.
///
/// The handler runs on its associated executor, which has outstanding work until the handler runs. A handler
/// without an executor, such as a plain callback, runs in the thread of the AsyncClient or through
/// AsyncOptions::executor. The handler may be move-only.
///
/// A cancellation signal of any type that reaches the handler's cancellation slot cancels the call, as
/// RequestOptions::stop does. The handler then receives ErrorKind::canceled. As with Asio's own operations, a
/// signal must not be emitted while the handler is being invoked.
///
/// If the execution context is destroyed before the handler is invoked, it destroys the handler, and the call
/// is canceled.
///
/// If the transport is in this process, the calls make progress only in AsyncClient::run(), which returns
/// when no call is outstanding. To run everything in one thread, call run() after every step of the execution
/// context: `do async.run(); while (io.run_one() > 0);`.
template <class T>
template <class CompletionToken>
// NOLINTNEXTLINE(cppcoreguidelines-missing-std-forward): async_initiate() takes a reference
auto Call<T>::operator()(CompletionToken&& token) {
  return boost::asio::async_initiate<CompletionToken, void(Result<T>)>(detail::AsioInitiation<T>{checked()},
                                                                       token);
}

}  // namespace tally
