#pragma once

#include <array>
#include <climits>
#include <cstddef>
#include <string_view>

#include <tally/observer.h>

#include "observability/histogram.h"
#include "schema/operation.h"
#include "text/string_map.h"

namespace tally::detail {

/// The label of a response's status: that of the first range that contains it.
struct StatusLabel {
  int first = 0;
  int last = 0;
  std::string_view label{};
};

constexpr auto statusLabels = std::to_array<StatusLabel>({
    {200, 200, "200"},
    {0, 0, "none"},
    {400, 400, "400"},
    {401, 401, "401"},
    {403, 403, "403"},
    {404, 404, "404"},
    {409, 409, "409"},
    {429, 429, "429"},
    {500, 500, "500"},
    {502, 502, "502"},
    {503, 503, "503"},
    {504, 504, "504"},
    {100, 199, "1xx"},
    {200, 299, "2xx"},
    {300, 399, "3xx"},
    {400, 499, "4xx"},
    {500, 599, "5xx"},
    {INT_MIN, INT_MAX, "other"},
});

/// The kind of event that ends a wait and reports its duration, and the label of that wait.
struct WaitLabel {
  EventKind end{};
  std::string_view label{};
};

constexpr auto waitLabels = std::to_array<WaitLabel>({
    {EventKind::dequeued, "queue"},
    {EventKind::unthrottled, "pacer"},
    {EventKind::backoffEnded, "backoff"},
});

/// The counters of one operation's calls.
struct OperationMetrics {
  static constexpr std::size_t kinds = 32;  // more than ErrorKind has
  static constexpr std::size_t effects = 2;
  static constexpr std::size_t reasons = std::size(EnumTexts<RateLimitedReason>::values);

  struct Waits {
    Count times{};
    Count nanoseconds{};
  };

  void sent() noexcept;
  void responded(const Event& event) noexcept;
  void waited(const Event& event) noexcept;
  void ended(const Event& event) noexcept;

  Count callsThatWentWell{};
  std::array<std::array<Count, effects>, kinds> callErrors{};
  Count attempts{};
  Count inProgress{};
  std::array<Count, statusLabels.size()> responses{};
  std::array<Count, kinds> attemptErrors{};
  std::array<Count, reasons + 1> rateLimited{};  // the last one is for unknown reasons
  std::array<Waits, waitLabels.size()> waits{};
  Histogram callDurations{};
  Histogram attemptDurations{};
};

/// The counters of every operation of the API description, created in advance, and one set for all others.
class MetricsTable {
 public:
  static constexpr std::string_view other = "other";

  MetricsTable();

  [[nodiscard]] OperationMetrics& of(std::string_view operation) noexcept;

  /// Calls `visit` with the name and counters of each, in the order of the API description.
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (const AnyOperation* operation : operations)
      visit(operation->name, table_.find(operation->name)->second);
    visit(other, other_);
  }

 private:
  StringMap<OperationMetrics> table_{};
  OperationMetrics other_{};
};

}  // namespace tally::detail
