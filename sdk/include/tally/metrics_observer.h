#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include <tally/observer.h>

namespace tally {

namespace detail {
class MetricsTable;
}

/// Collects metrics about the calls of one or more clients. Thread-safe; recording takes no lock and
/// allocates no memory. Keeps no API key, body or metadata.
class Counters final : public Observer {
 public:
  Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  ~Counters() override;

  void on(const Event& event) noexcept override;

  /// All metrics in the Prometheus text exposition format, version 0.0.4; serve them as `text/plain;
  /// version=0.0.4`. Durations are in seconds. The number of label values is bounded, whatever the service
  /// sends: unknown values appear as `other`. Metrics without events are left out.
  [[nodiscard]] std::string text() const;

 private:
  std::unique_ptr<detail::MetricsTable> table_;
};

/// Prints Counters::text().
std::ostream& operator<<(std::ostream& out, const Counters& counters);

}  // namespace tally
