#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>

#include <boost/system/error_code.hpp>

namespace tally::fake::detail {

/// A coroutine that begins immediately, and that nobody awaits.
struct Detached {
  struct promise_type {
    Detached get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// A part of a coroutine: it begins immediately, and its caller awaits it before it calls the next. So all
/// subroutines of one object use the same memory, one after the other, which `object.frame(size)` returns.
class [[nodiscard]] Subroutine {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    struct Final {
      [[nodiscard]] bool await_ready() const noexcept { return false; }
      [[nodiscard]] std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
        return ended.promise().waiting;
      }
      void await_resume() const noexcept {}
    };

    template <class Object, class... Arguments>
    static void* operator new(std::size_t size, Object& object, Arguments&...) {
      return object.frame(size);
    }
    static void operator delete(void*, std::size_t) noexcept {}

    Subroutine get_return_object() noexcept { return Subroutine{Handle::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    [[noreturn]] void unhandled_exception() noexcept { std::terminate(); }

    std::coroutine_handle<> waiting = std::noop_coroutine();
  };

  Subroutine(const Subroutine&) = delete;
  Subroutine& operator=(const Subroutine&) = delete;
  ~Subroutine() { handle_.destroy(); }

  [[nodiscard]] bool await_ready() const noexcept { return handle_.done(); }
  void await_suspend(std::coroutine_handle<> waiting) noexcept { handle_.promise().waiting = waiting; }
  void await_resume() const noexcept {}

 private:
  explicit Subroutine(Handle handle) : handle_(handle) {}

  Handle handle_;
};

/// Suspends a coroutine until an operation of Asio ends, unless `over`. `start` starts the operation with the
/// handler that it gets. It captures only pointers and references: g++ 12 destroys other captures twice.
template <class Start>
class Wait {
 public:
  using Error = boost::system::error_code;

  Wait(bool over, const Start& start) : over_(over), start_(start) {}

  [[nodiscard]] bool await_ready() const noexcept { return over_; }
  void await_suspend(std::coroutine_handle<> waiting) {
    start_([this, waiting](const Error& error, std::size_t = 0) {
      error_ = error;
      waiting.resume();
    });
  }
  Error await_resume() const noexcept { return error_; }

 private:
  bool over_;
  Start start_;
  Error error_{};
};

}  // namespace tally::fake::detail
