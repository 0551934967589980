#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <memory>
#include <string>

#include <tally/observer.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class MetricsTable;
}

/// Collects metrics about the calls of one or more clients. Thread-safe; recording takes no lock and
/// allocates no memory. Stores no API keys, bodies or metadata.
class MetricsObserver final : public Observer {
 public:
  MetricsObserver();
  MetricsObserver(const MetricsObserver&) = delete;
  MetricsObserver& operator=(const MetricsObserver&) = delete;
  ~MetricsObserver() override;

  void on(const Event& event) noexcept override;

  /// All metrics in the Prometheus text exposition format, version 0.0.4; serve them as `text/plain;
  /// version=0.0.4`. Durations are in seconds. The number of label values is bounded, whatever the service
  /// sends: unknown values appear as `other`. Metrics without events are left out.
  [[nodiscard]] std::string prometheusText() const;

 private:
  std::unique_ptr<detail::MetricsTable> table_;
};

/// Prints MetricsObserver::prometheusText().
std::ostream& operator<<(std::ostream& out, const MetricsObserver& counters);

}  // namespace tally
