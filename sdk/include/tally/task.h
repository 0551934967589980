#pragma once

#include <tally/detail/cpp20.h>

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <tally/detail/logic_error.h>

namespace [[gnu::visibility("default")]] tally {

template <class T>
class Task;

namespace detail {

/// Resumes the awaiting coroutine. The owner of the task destroys the task's frame.
struct FinalAwaiter {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> task) const noexcept {
    return task.promise().awaiting;
  }
  void await_resume() const noexcept {}
};

struct TaskPromiseBase {
  static std::suspend_always initial_suspend() noexcept { return {}; }
  static FinalAwaiter final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { exception = std::current_exception(); }

  bool awaited = false;
  std::coroutine_handle<> awaiting = std::noop_coroutine();
  std::exception_ptr exception{};
};

template <class T>
struct TaskPromise : TaskPromiseBase {
  tally::Task<T> get_return_object();
  template <class Value>
  void return_value(Value&& value) {
    result.emplace(std::forward<Value>(value));
  }
  T take() {
    if (exception) std::rethrow_exception(exception);
    return *std::move(result);
  }

  std::optional<T> result{};
};

template <>
struct TaskPromise<void> : TaskPromiseBase {
  tally::Task<void> get_return_object();
  void return_void() const noexcept {}
  void take() const {
    if (exception) std::rethrow_exception(exception);
  }
};

}  // namespace detail

/// A coroutine that starts when it is awaited or passed to spawn(), and returns a `T` or throws. For users
/// without a coroutine library: a Call can be awaited in any coroutine. Move-only. Awaiting it twice, or
/// after it has been moved from, throws std::logic_error. Destroying it destroys the coroutine, wherever it
/// is suspended.
template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::TaskPromise<T>;

  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  [[nodiscard]] bool await_ready() const {
    if (!coroutine_ || coroutine_.promise().awaited)
      detail::throwLogicError("this tally::Task has been awaited or moved from");
    return false;
  }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    coroutine_.promise().awaited = true;
    coroutine_.promise().awaiting = awaiting;
    return coroutine_;
  }
  T await_resume() { return coroutine_.promise().take(); }

 private:
  friend promise_type;

  explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

namespace detail {

template <class T>
tally::Task<T> TaskPromise<T>::get_return_object() {
  return tally::Task<T>{std::coroutine_handle<TaskPromise>::from_promise(*this)};
}

inline tally::Task<void> TaskPromise<void>::get_return_object() {
  return tally::Task<void>{std::coroutine_handle<TaskPromise>::from_promise(*this)};
}

/// A coroutine that owns itself. An exception that leaves it ends the program, like one that leaves a thread.
struct Detached {
  struct promise_type {
    static Detached get_return_object() noexcept { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };
};

}  // namespace detail

/// Starts a task that nobody awaits. It runs in this thread until it first suspends, and owns itself. If an
/// exception leaves it, std::terminate() is called. Throws std::logic_error if the task has been awaited or
/// moved from.
inline void spawn(Task<void> task) {
  (void)task.await_ready();  // throws to the caller, since nobody awaits the coroutine below
  [](Task<void> owned) -> detail::Detached { co_await owned; }(std::move(task));
}

}  // namespace tally
