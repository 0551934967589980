#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include <tally/fake/service.h>
#include <tally/transport.h>

namespace tally::stress {

/// Carries requests to a service on a clock that the service does not wait by. Each is under way for a while,
/// so that they overtake each other; one whose sender gives up meanwhile does not arrive. For threads that
/// run one at a time.
class Network final : public Transport {
 public:
  Network(fake::Service& service, std::shared_ptr<Clock> clock, std::uint64_t seed)
      : service_(service), clock_(std::move(clock)), random_(seed) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override;
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

  /// How many requests it was given, and how many of them arrived.
  [[nodiscard]] std::size_t sent() const { return sent_; }
  [[nodiscard]] std::size_t arrived() const { return arrived_; }

  /// How many changes it was given to carry for that call.
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
