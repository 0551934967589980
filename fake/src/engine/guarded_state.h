#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <tally/fake/change_signal.h>
#include <tally/stop_token.h>

#include "engine/service_state.h"

namespace tally::fake::detail {

/// The state of a service, and the requests that wait in it. Only two guards lead to it: read() cannot change
/// it, and change() notes the change. So no change remains unnoted.
class GuardedState {
  using Lock = std::unique_lock<std::mutex>;

 public:
  class Reading;
  class Change;

  /// `changes` must outlive this.
  GuardedState(std::shared_ptr<ServiceState> state, ChangeSignal& changes)
      : changes_(changes), state_(std::move(state)) {}

  /// Holds the lock until the result is destroyed.
  [[nodiscard]] Reading read() const;

  /// The same. Then notes the change, without the lock.
  [[nodiscard]] Change change();

 private:
  ChangeSignal& changes_;
  mutable std::mutex mutex_{};
  std::shared_ptr<ServiceState> state_;
  std::uint64_t lastTurn_ = 0;
  std::map<std::uint64_t, StopSource> waiting_{};  // by turn
};

class GuardedState::Reading {
 public:
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() = default;

  [[nodiscard]] const ServiceState& operator*() const noexcept { return state_; }
  [[nodiscard]] const ServiceState* operator->() const noexcept { return &state_; }

 private:
  friend class GuardedState;

  explicit Reading(const GuardedState& guarded) : lock_(guarded.mutex_), state_(*guarded.state_) {}

  const Lock lock_;
  const ServiceState& state_;
};

class GuardedState::Change {
 public:
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() {
    if (lock_.owns_lock()) lock_.unlock();  // not if an action without the lock threw
    guarded_.changes_.note();
  }

  [[nodiscard]] ServiceState& operator*() const noexcept { return *guarded_.state_; }
  [[nodiscard]] ServiceState* operator->() const noexcept { return guarded_.state_.get(); }

  /// For a request, which continues with this state if another one replaces it meanwhile. Such a request
  /// changes it only under a guard, too.
  [[nodiscard]] const std::shared_ptr<ServiceState>& shared() const noexcept { return guarded_.state_; }

  /// Swaps the state with `state`, which the caller may then destroy without the lock.
  void replace(std::shared_ptr<ServiceState>& state) const noexcept { guarded_.state_.swap(state); }

  /// In the middle of the change: other threads may then change the state, even replace it.
  template <class Action>
  void withoutLock(const Action& action) {
    lock_.unlock();
    action();
    lock_.lock();
  }

  /// Stops `wake` as soon as a lock or a place is released, until endWait(). `turn` is 0 when the request
  /// waits for the first time; it keeps the turn that it then gets.
  void beginWait(std::uint64_t& turn, const StopSource& wake) const {
    if (turn == 0) turn = ++guarded_.lastTurn_;
    guarded_.waiting_.emplace(turn, wake);
  }
  void endWait(std::uint64_t turn) const {
    if (turn != 0) guarded_.waiting_.erase(turn);
  }

  /// In the order in which the requests began to wait.
  void wakeAll() const {
    for (auto& [turn, wake] : guarded_.waiting_)
      wake.request_stop();
  }

 private:
  friend class GuardedState;

  explicit Change(GuardedState& guarded) : guarded_(guarded), lock_(guarded.mutex_) {}

  GuardedState& guarded_;
  Lock lock_;
};

inline GuardedState::Reading GuardedState::read() const {
  return Reading{*this};
}

inline GuardedState::Change GuardedState::change() {
  return Change{*this};
}

}  // namespace tally::fake::detail
