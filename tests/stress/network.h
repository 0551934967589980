#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include <tally/fake/service.h>
#include <tally/transport.h>

namespace tally::stress {

/// Delivers requests to a service. Each is in flight for a while, so requests can overtake each other. A
/// request whose sender gives up in the meantime does not arrive. For threads that run one at a time.
class Network final : public Transport {
 public:
  Network(fake::Service& service, std::uint64_t seed)
      : service_(service), clock_(service.clock()), random_(seed) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override;
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  /// The number of requests handed to it, and of those that arrived.
  [[nodiscard]] std::size_t sent() const { return sent_; }
  [[nodiscard]] std::size_t arrived() const { return arrived_; }

  /// The number of changes that the call handed to it.
  [[nodiscard]] std::size_t sentFor(std::uint64_t call) const {
    const auto at = changes_.find(call);
    return at == changes_.end() ? 0 : at->second;
  }

 private:
  [[nodiscard]] Instant arrival();
  void count(const HttpRequest& request);

  fake::Service& service_;
  std::shared_ptr<Clock> clock_;
  std::uint64_t random_;
  std::map<std::uint64_t, std::size_t> changes_{};  // by call
  std::size_t sent_ = 0;
  std::size_t arrived_ = 0;
};

}  // namespace tally::stress
