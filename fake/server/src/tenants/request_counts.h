#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include <tally/fake/scheduled_result.h>

namespace tally::fake::detail {

/// Counts requests by what became of them. All names are constants, so that the counts are bounded, whatever
/// clients send. Thread-safe.
class RequestCounts {
 public:
  using ByName = std::map<std::string_view, std::uint64_t>;

  struct Totals {
    /// By operation, empty if the path has none, and status, 0 without a response.
    std::map<std::pair<std::string_view, int>, std::uint64_t> requests{};
    ByName refusals{};  // by the limit that refused them
    ByName faults{};    // by the injected fault that happened to them
  };

  void add(const ScheduledResult& result);

  [[nodiscard]] Totals totals() const;

 private:
  mutable std::mutex mutex_{};
  Totals totals_{};
};

}  // namespace tally::fake::detail
