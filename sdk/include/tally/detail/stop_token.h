#pragma once

#include <tally/detail/cpp20.h>

#include <concepts>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <version>

namespace [[gnu::visibility("default")]] tally {

namespace detail {

// The parts of std::stop_token that tally needs, for standard libraries that lack it. See
// <tally/stop_token.h>.

/// A function to call when the stop is requested. The list of these functions needs no allocations.
class StopListener {
 public:
  StopListener(const StopListener&) = delete;
  StopListener& operator=(const StopListener&) = delete;

 protected:
  StopListener() = default;
  virtual ~StopListener() = default;

 private:
  friend class StopState;

  virtual void call() noexcept = 0;

  StopListener* before_ = nullptr;
  StopListener* after_ = nullptr;
  bool listed_ = false;
};

/// The state that a source, its tokens and its callbacks share. Thread-safe.
class StopState {
 public:
  [[nodiscard]] bool isRequested() const {
    const std::lock_guard guard{mutex_};
    return requested_;
  }

  /// Returns false if a stop was already requested. Returns once all listeners have been called.
  bool request() {
    std::unique_lock lock{mutex_};
    if (requested_) return false;
    requested_ = true;
    caller_ = std::this_thread::get_id();
    while (first_ != nullptr) {
      StopListener& next = *first_;
      unlist(next);
      calling_ = &next;
      lock.unlock();
      next.call();
      lock.lock();
      calling_ = nullptr;
      called_.notify_all();
    }
    return true;
  }

  /// Returns false, without adding the listener, if a stop was requested.
  bool add(StopListener& listener) {
    const std::lock_guard guard{mutex_};
    if (requested_) return false;
    listener.after_ = first_;
    if (first_ != nullptr) first_->before_ = &listener;
    first_ = &listener;
    listener.listed_ = true;
    return true;
  }

  /// Removes the listener. If another thread is calling it, waits until that call ends.
  void remove(StopListener& listener) {
    std::unique_lock lock{mutex_};
    if (listener.listed_) return unlist(listener);
    if (caller_ == std::this_thread::get_id()) return;
    called_.wait(lock, [&] { return calling_ != &listener; });
  }

 private:
  void unlist(StopListener& listener) {
    (listener.before_ == nullptr ? first_ : listener.before_->after_) = listener.after_;
    if (listener.after_ != nullptr) listener.after_->before_ = listener.before_;
    listener.before_ = listener.after_ = nullptr;
    listener.listed_ = false;
  }

  mutable std::mutex mutex_{};
  std::condition_variable called_{};
  StopListener* first_ = nullptr;
  StopListener* calling_ = nullptr;
  std::thread::id caller_{};
  bool requested_ = false;
};

template <class F>
class OwnStopCallback;

/// The part of std::stop_token's interface that tally uses.
class OwnStopToken {
 public:
  OwnStopToken() noexcept = default;

  [[nodiscard]] bool stop_requested() const noexcept { return state_ != nullptr && state_->isRequested(); }
  [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }

  bool operator==(const OwnStopToken&) const noexcept = default;

 private:
  friend class OwnStopSource;
  template <class F>
  friend class OwnStopCallback;

  explicit OwnStopToken(std::shared_ptr<StopState> state) noexcept : state_(std::move(state)) {}

  std::shared_ptr<StopState> state_{};
};

/// Like std::nostopstate_t.
struct NoStopState {
  explicit NoStopState() = default;
};

/// The part of std::stop_source's interface that tally uses.
class OwnStopSource {
 public:
  OwnStopSource() : state_(std::make_shared<StopState>()) {}
  explicit OwnStopSource(NoStopState /*none*/) noexcept {}

  [[nodiscard]] OwnStopToken get_token() const noexcept { return OwnStopToken{state_}; }
  [[nodiscard]] bool stop_requested() const noexcept { return state_ != nullptr && state_->isRequested(); }
  [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }
  /// Keeps the state alive, since a callback may destroy this source.
  bool request_stop() const noexcept {
    const std::shared_ptr<StopState> state = state_;
    return state != nullptr && state->request();
  }

  bool operator==(const OwnStopSource&) const noexcept = default;

 private:
  std::shared_ptr<StopState> state_{};
};

/// Like std::stop_callback: calls the function once, in the thread that requests the stop. The destructor
/// waits until a call in another thread has ended.
template <class F>
class OwnStopCallback : private StopListener {
 public:
  template <class Function>
    requires std::constructible_from<F, Function>
  OwnStopCallback(const OwnStopToken& token, Function&& function)
      : function_(std::forward<Function>(function)), state_(token.state_) {
    if (state_ != nullptr && !state_->add(*this)) std::forward<F>(function_)();
  }
  ~OwnStopCallback() override {
    if (state_ != nullptr) state_->remove(*this);
  }

 private:
  void call() noexcept override { std::forward<F>(function_)(); }

  F function_;
  std::shared_ptr<StopState> state_;
};

template <class F>
OwnStopCallback(OwnStopToken, F) -> OwnStopCallback<F>;

#ifndef __cpp_lib_jthread
using StopTokenBase = OwnStopToken;
using StopSourceBase = OwnStopSource;
template <class F>
using StopCallbackBase = OwnStopCallback<F>;
inline constexpr NoStopState noStopState{};
#endif

}  // namespace detail

}  // namespace tally
