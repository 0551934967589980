#pragma once

#include <atomic>
#include <cstddef>

namespace tally::detail {

/// Counts the outstanding activities of an AsyncClient, and decides whether there is room for more. Only for
/// the holder of the engine's lock, except deliver().
class Admission {
 public:
  explicit Admission(std::size_t limit) : limit_(limit) {}

  /// The activity whose handler runs makes room for those that it starts.
  [[nodiscard]] bool isFull() const noexcept { return outstanding_ - delivering_ >= limit_; }

  /// Counts an activity, also one that is refused, until it leaves. False: there is no room for it.
  bool enter() noexcept {
    const bool admitted = !isFull();
    ++outstanding_;
    return admitted;
  }
  /// The activity has ended, and its result is about to be delivered. Needs no lock.
  void deliver() noexcept { ++delivering_; }
  /// After deliver().
  void leave() noexcept {
    --outstanding_;
    --delivering_;
  }

  /// A canceled call detaches its request, which counts until it ends.
  void detach() noexcept { ++detached_; }
  void detachedEnded() noexcept { --detached_; }

  /// Activities that have not left.
  [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_; }
  /// Requests that calls have detached.
  [[nodiscard]] std::size_t detached() const noexcept { return detached_; }

 private:
  std::size_t limit_;
  std::size_t outstanding_ = 0;
  std::size_t detached_ = 0;
  std::atomic<std::size_t> delivering_{0};
};

}  // namespace tally::detail
