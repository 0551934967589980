#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace tally {

template <class T>
class Task;

namespace detail {

/// Resumes whoever awaits the task. The task's owner destroys its frame.
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

  std::coroutine_handle<> awaiting = std::noop_coroutine();
  std::exception_ptr exception{};
};

template <class T>
struct TaskPromise : TaskPromiseBase {
  Task<T> get_return_object();
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
  Task<void> get_return_object();
  void return_void() const noexcept {}
  void take() const {
    if (exception) std::rethrow_exception(exception);
  }
};

}  // namespace detail

/// A coroutine that starts when it is awaited, or with spawn(), and ends in a `T`. For users without a
/// coroutine library: a Call can be awaited in any coroutine. Move-only; destroying it destroys the
/// coroutine, wherever it is suspended.
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

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
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
Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>{std::coroutine_handle<TaskPromise>::from_promise(*this)};
}

inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>{std::coroutine_handle<TaskPromise>::from_promise(*this)};
}

/// A coroutine that owns itself. An exception ends the program, as one that leaves a thread does.
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

/// Starts a task that nobody awaits, in this thread until it first suspends. It owns itself. An exception
/// that leaves it ends in std::terminate().
inline void spawn(Task<void> task) {
  [](Task<void> owned) -> detail::Detached { co_await owned; }(std::move(task));
}

}  // namespace tally
