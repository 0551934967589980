#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <optional>

#include <tally/clock.h>
#include <tally/fake/scheduled_result.h>

namespace tally::fake {

namespace detail {
class Engine;
struct ResumableRequest;
}  // namespace detail

/// A request that waits at a Service because the lock of its object is held. Made by Service::begin(). It is
/// admitted and in progress, and counts once against the limits, however often proceed() is called.
/// Destroying it while it waits has the same effect as its sender disconnecting: nothing is processed, and it
/// is logged with status 0.
///
/// Move-only; a moved-from object can only be destroyed and assigned to. Keeps the state of its Service
/// alive. Not thread-safe, but may be used while other threads use the Service.
class [[nodiscard]] PendingRequest {
 public:
  PendingRequest(std::shared_ptr<detail::Engine> engine, std::unique_ptr<detail::ResumableRequest> request,
                 Instant until);
  PendingRequest(PendingRequest&& other) noexcept;
  PendingRequest& operator=(PendingRequest&& other) noexcept;
  PendingRequest(const PendingRequest&) = delete;
  PendingRequest& operator=(const PendingRequest&) = delete;
  ~PendingRequest();

  /// When to call proceed(): when the object's lock or the request's wait for it ends, as far as is known
  /// now. An earlier call is useful if a test may have released a lock.
  [[nodiscard]] Instant lockedUntil() const noexcept { return until_; }

  /// Continues the request, without moving the clock or waiting. Returns std::nullopt if the object is still
  /// locked, or locked again; lockedUntil() is then updated. If several requests wait for one object, the
  /// first to proceed gets its lock. Throws std::logic_error once it has returned the result.
  [[nodiscard]] std::optional<ScheduledResult> proceed();

 private:
  void abandon() noexcept;

  std::shared_ptr<detail::Engine> engine_;
  std::unique_ptr<detail::ResumableRequest> request_;  // null once it has its result
  Instant until_;
};

}  // namespace tally::fake
