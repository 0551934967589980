#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/transport.h>

namespace tally::fake {

class VirtualClock;

namespace detail {
class Engine;
}

/// The transport between a Client and a Service in the same process. Requests go to the service regardless of
/// the scheme and host in their URL. Made by Service::transport().
///
/// An attempt that is canceled or out of time before it starts is not sent. Thread-safe; may outlive its
/// Service, whose state it keeps alive.
class Transport final : public tally::Transport {
 public:
  explicit Transport(std::shared_ptr<detail::Engine> engine) : engine_(std::move(engine)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override;
  [[nodiscard]] bool inProcess() const noexcept override { return true; }
  /// Null if `clock` is not the service's clock.
  [[nodiscard]] std::unique_ptr<tally::detail::AsyncSetup> makeAsync(
      const std::shared_ptr<Clock>& clock) override;

 private:
  std::shared_ptr<detail::Engine> engine_;
};

}  // namespace tally::fake
