// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/reporting_report_runs.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of ReportingReportRuns as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::reportingReportRuns().
class AsyncReportingReportRuns {
 public:
  explicit AsyncReportingReportRuns(std::shared_ptr<detail::AsyncEngine> engine)
      : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncReportingReportRuns(const AsyncReportingReportRuns&) = default;
  AsyncReportingReportRuns& operator=(const AsyncReportingReportRuns&) = default;
  ~AsyncReportingReportRuns() = default;

  /// Lists report runs, newest first. See ReportingReportRuns::list().
  [[nodiscard]] AsyncPager<ReportingReportRun> list(
      const Borrowed<ReportingReportRunListParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
