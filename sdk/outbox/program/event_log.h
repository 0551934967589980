#pragma once

#include <initializer_list>
#include <iosfwd>
#include <mutex>
#include <string_view>
#include <utility>

#include <tally/outbox.h>

namespace tally::detail {

/// Writes one line for each event: `time=2026-01-01T00:00:00Z event=report_refused domain=shop report=7
/// object=pr_1 reason="…"`. Thread-safe.
class EventLog {
 public:
  using Field = std::pair<std::string_view, std::string_view>;

  /// `out` must outlive this.
  explicit EventLog(std::ostream& out) : out_(out) {}

  void write(const OutboxEvent& event);

  /// Fields without a value are left out.
  void write(std::string_view event, std::initializer_list<Field> fields);

 private:
  std::mutex mutex_{};
  std::ostream& out_;
};

}  // namespace tally::detail
