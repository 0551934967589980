#pragma once

#include <coroutine>
#include <exception>

#include <tally/task.h>

namespace tally::test {

/// A coroutine that a test destroys while it is suspended.
struct Suspended {
  struct promise_type {
    Suspended get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_always final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };
  std::coroutine_handle<promise_type> coroutine;
};

/// Tells a coroutine its handle. Not in an anonymous namespace, since g++ warns of it in the frame of a
/// coroutine that is a template.
struct OwnHandle {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> coroutine) const noexcept {
    own = coroutine;
    return false;
  }
  void await_resume() const noexcept {}

  std::coroutine_handle<>& own;
};

/// Starts a task.
inline Suspended startSuspended(Task<> task) {
  co_await task;
}

}  // namespace tally::test
