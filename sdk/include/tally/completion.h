#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/detail/logic_error.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

/// A call that has ended but has not yet delivered its result.
class Completing {
 public:
  Completing() = default;
  Completing(const Completing&) = delete;
  Completing& operator=(const Completing&) = delete;
  virtual ~Completing() = default;
  virtual void complete() = 0;
};

}  // namespace detail

/// Delivers the result of a call that has ended, for AsyncOptions::executor. Invoke it once, in any thread;
/// an exception from the handler propagates to the caller. Move-only. Invoking it twice, or after it has been
/// moved from, throws std::logic_error.
///
/// Destroying a Completion that has not been invoked delivers the result in the destroying thread, so
/// shutting down an executor loses no result. If the handler then throws, std::terminate() is called.
class Completion {
 public:
  explicit Completion(std::unique_ptr<detail::Completing> ended) : ended_(std::move(ended)) {}
  Completion(Completion&&) noexcept = default;
  Completion& operator=(Completion&&) = delete;
  ~Completion() {
    if (ended_) (*this)();
  }

  void operator()() {
    const auto ended = std::move(ended_);
    if (!ended) detail::throwLogicError("this tally::Completion has been invoked or moved from");
    ended->complete();
  }

 private:
  std::unique_ptr<detail::Completing> ended_;
};

}  // namespace tally
