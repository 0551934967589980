#pragma once

#include <tally/detail/cpp20.h>

#include <concepts>
#include <coroutine>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

#include <tally/detail/logic_error.h>
#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// Receives the result of one asynchronous operation, exactly once.
template <class T>
class Continuation {
 public:
  virtual void complete(Result<T>&& result) = 0;

 protected:
  Continuation() = default;
  Continuation(const Continuation&) = default;
  Continuation& operator=(const Continuation&) = default;
  ~Continuation() = default;
};

/// An asynchronous operation. Until start(), its Call owns it; from then on, it owns itself.
template <class T>
class AsyncOperation {
 public:
  AsyncOperation() = default;
  AsyncOperation(const AsyncOperation&) = delete;
  AsyncOperation& operator=(const AsyncOperation&) = delete;
  virtual ~AsyncOperation() = default;

  /// `continuation` must exist until its complete() is called, or until abandon() has been called.
  virtual void start(Continuation<T>& continuation) = 0;

  /// Requests cancellation. Thread-safe. Must not be called before start() has returned or after completion.
  virtual void requestCancel() noexcept = 0;

  /// Cancels the operation; nobody receives its result. Must not be called after completion.
  virtual void abandon() noexcept = 0;
};

/// Invokes a handler with the result, then deletes itself.
template <class T, class Handler>
class HandlerContinuation final : public Continuation<T> {
 public:
  explicit HandlerContinuation(Handler&& handler) : handler_(std::move(handler)) {}
  explicit HandlerContinuation(const Handler& handler) : handler_(handler) {}

  void complete(Result<T>&& result) override {
    const std::unique_ptr<HandlerContinuation> self{this};
    handler_(std::move(result));
  }

 private:
  Handler handler_;
};

/// Passes the result to a future, then deletes itself.
template <class T>
class FutureContinuation final : public Continuation<T> {
 public:
  [[nodiscard]] std::future<Result<T>> future() { return promise_.get_future(); }

  void complete(Result<T>&& result) override {
    const std::unique_ptr<FutureContinuation> self{this};
    promise_.set_value(std::move(result));
  }

 private:
  std::promise<Result<T>> promise_{};
};

}  // namespace detail

/// A prepared asynchronous call whose outcome is a `Result<T>`. It does nothing until it is started. Start it
/// once, in one of these ways:
///
///     records.retrieve(id).then([](Result<PaymentRecord> record) { … });
///     std::future<Result<PaymentRecord>> record = records.retrieve(id).future();
///     Result<PaymentRecord> record = co_await records.retrieve(id);
///     co_await records.retrieve(id)(boost::asio::use_awaitable);   // with <tally/asio.h>
///
/// The request is encoded when the Call is made, so the arguments need not outlive the expression. A call may
/// be started in any thread. It completes once, in the thread of its AsyncClient or through
/// AsyncOptions::executor. It never completes inside the function that starts or stops it, with one
/// exception: a call that is started after AsyncClient::close() or after the destruction of the AsyncClient
/// fails inside the function that starts it.
///
/// RequestOptions::stop, AsyncClient::close() and the destruction of a suspended coroutine cancel a call. A
/// call without a request in flight ends immediately, with ErrorKind::canceled and the effect of its earlier
/// attempts (`none` if there are none). A read in flight ends in the same way, and so does a report if no
/// part of its request can have been sent. Any other report in flight ends immediately with effect `unknown`.
/// Its request continues until it ends or the AsyncClient is closed. Until then, the request keeps the call's
/// turn at the object and its units of the Pacer's limits. The observer receives the outcome of the request.
///
/// If a transport, a clock or a memory allocation throws, the call ends in ErrorKind::exception. If the clock
/// throws while the AsyncClient waits, all of its outstanding calls end in the same way.
///
/// Move-only. A Call that is destroyed before it is started has no effect. Starting a Call twice, or after it
/// has been moved from, throws std::logic_error.
template <class T>
class [[nodiscard]] Call {
 public:
  class Awaiter;

  explicit Call(std::unique_ptr<detail::AsyncOperation<T>> operation) : operation_(std::move(operation)) {}

  /// Starts the call and invokes `handler(Result<T>)` when it ends. The handler may be move-only, and is
  /// destroyed after its invocation. For its exceptions, see AsyncOptions::onException.
  template <class Handler>
    requires std::invocable<std::decay_t<Handler>&, Result<T>>
  void then(Handler&& handler) {
    using Continuation = detail::HandlerContinuation<T, std::decay_t<Handler>>;
    auto continuation = std::make_unique<Continuation>(std::forward<Handler>(handler));
    startWith(continuation);
  }

  /// Starts the call. Waiting for the future blocks, so never wait in a handler. If the transport is in this
  /// process, call AsyncClient::run() before waiting.
  [[nodiscard]] std::future<Result<T>> future() {
    auto continuation = std::make_unique<detail::FutureContinuation<T>>();
    // If starting throws, this is destroyed before its promise, which then need not allocate an exception.
    auto result = continuation->future();
    startWith(continuation);
    return result;
  }

  /// Starts the call and suspends the coroutine until the call completes. Destroying the suspended coroutine
  /// cancels the call; this is allowed only in the thread in which the coroutine would be resumed.
  Awaiter operator co_await() { return Awaiter{checked()}; }

  /// Starts the call with an Asio completion token. Requires <tally/asio.h>.
  template <class CompletionToken>
  auto operator()(CompletionToken&& token);

 private:
  template <class Continuation>
  void startWith(std::unique_ptr<Continuation>& continuation) {
    take()->start(*continuation);
    (void)continuation.release();
  }

  /// Releases the operation to be started; if starting throws, the operation has deleted itself.
  detail::AsyncOperation<T>* take() { return checked().release(); }

  std::unique_ptr<detail::AsyncOperation<T>> checked() {
    if (!operation_) detail::throwLogicError("this tally::Call has been started or moved from");
    return std::move(operation_);
  }

  std::unique_ptr<detail::AsyncOperation<T>> operation_;
};

/// The awaiter of a call.
template <class T>
class Call<T>::Awaiter final : private detail::Continuation<T> {
 public:
  explicit Awaiter(std::unique_ptr<detail::AsyncOperation<T>> operation) : owned_(std::move(operation)) {}
  Awaiter(const Awaiter&) = delete;
  Awaiter& operator=(const Awaiter&) = delete;
  ~Awaiter() {
    if (started_ != nullptr) started_->abandon();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  /// Not inlined: clang before version 17 would keep this function's local variables in the frame of the
  /// coroutine, which another thread may destroy before the function returns.
  [[gnu::noinline]] void await_suspend(std::coroutine_handle<> coroutine) {
    coroutine_ = coroutine;
    started_ = owned_.get();
    NotStarted ifThrown{*this};
    owned_.release()->start(*this);  // `*this` may have been destroyed when start() returns
    ifThrown.dismiss();
  }
  Result<T> await_resume() { return std::move(*result_); }

 private:
  /// Used instead of a `catch`, which would not compile with -fno-exceptions.
  class NotStarted {
   public:
    explicit NotStarted(Awaiter& awaiter) : awaiter_(&awaiter) {}
    NotStarted(const NotStarted&) = delete;
    NotStarted& operator=(const NotStarted&) = delete;
    ~NotStarted() {
      if (awaiter_ != nullptr) awaiter_->started_ = nullptr;
    }
    void dismiss() noexcept { awaiter_ = nullptr; }

   private:
    Awaiter* awaiter_;
  };

  void complete(Result<T>&& result) override {
    started_ = nullptr;
    result_ = &result;  // taken before resume() returns
    coroutine_.resume();
  }

  std::unique_ptr<detail::AsyncOperation<T>> owned_;
  detail::AsyncOperation<T>* started_ = nullptr;
  std::coroutine_handle<> coroutine_{};
  Result<T>* result_ = nullptr;
};

}  // namespace tally
