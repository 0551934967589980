// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <tally/id.h>
#include <tally/json.h>
#include <tally/options.h>
#include <tally/pager.h>

namespace tally {

namespace detail {
class Core;
}

/// Stands for what the reporting product gives to read.
/// Assumed, see docs/assumptions.md: Data, reporting and tax endpoints.
struct ReportingReportRun {
  static constexpr std::string_view object = "reporting_report_run";

  Id<ReportingReportRun> id{};         ///< Report run identifier.
  std::chrono::sys_seconds created{};  ///< When the report run was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const ReportingReportRun&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const ReportingReportRun& value);
};

/// Parameters of ReportingReportRuns::list.
struct ReportingReportRunListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<ReportingReportRun>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<ReportingReportRun>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const ReportingReportRunListParams& value);
};

/// Report runs: lists them.
/// Thread-safe. Made by Client::reportingReportRuns().
class ReportingReportRuns {
 public:
  explicit ReportingReportRuns(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Lists report runs, newest first.
  /// Spec: "List operations".
  /// Assumed, see docs/assumptions.md: Data, reporting and tax endpoints.
  [[nodiscard]] Pager<ReportingReportRun> list(const ReportingReportRunListParams& params = {},
                                               const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
