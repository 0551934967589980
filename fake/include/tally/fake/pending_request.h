#pragma once

#include <memory>
#include <optional>
#include <variant>

#include <tally/clock.h>
#include <tally/transport.h>

namespace tally::fake {

namespace detail {
struct Call;
class Server;
}  // namespace detail

/// What became of a request, and when whoever sent it learns of it, on the service's clock.
struct Outcome {
  std::variant<HttpResponse, TransportFailure> result{};
  Instant due{};
};

/// A request that waits at a Service because somebody else has the lock of its object; made by
/// Service::begin(). It is admitted and in progress, and the limits count it once, however often proceed() is
/// called. Destroying it while it waits is to the service as if its sender had gone away: nothing is
/// processed, and the log has it with status 0.
///
/// Move-only; a moved-from one can be destroyed and assigned. Keeps what its Service is made of alive. Not
/// thread-safe, but may be used while others use the Service.
class [[nodiscard]] PendingRequest {
 public:
  PendingRequest(std::shared_ptr<detail::Server> server, std::unique_ptr<detail::Call> call, Instant until);
  PendingRequest(PendingRequest&& other) noexcept;
  PendingRequest& operator=(PendingRequest&& other) noexcept;
  PendingRequest(const PendingRequest&) = delete;
  PendingRequest& operator=(const PendingRequest&) = delete;
  ~PendingRequest();

  /// When to call proceed(): when the object's lock ends, or the request gives up, as far as is known yet. An
  /// earlier call is useful where a test may have given a lock back.
  [[nodiscard]] Instant lockedUntil() const noexcept { return until_; }

  /// Goes on, without moving the clock or waiting. Nothing where the object is locked still or again, and
  /// then lockedUntil() is another time. Of several requests that wait for one object, the first to proceed
  /// has it. Throws std::logic_error once it has returned the outcome.
  [[nodiscard]] std::optional<Outcome> proceed();

 private:
  void abandon() noexcept;

  std::shared_ptr<detail::Server> server_;
  std::unique_ptr<detail::Call> call_;  // null once there is an outcome
  Instant until_;
};

}  // namespace tally::fake
