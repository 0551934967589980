// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call_options.h>
#include <tally/reporting_report_runs.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncReportingReportRuns::list.
struct ReportingReportRunListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<ReportingReportRun> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<ReportingReportRun> endingBefore{};
};

/// The methods of ReportingReportRuns as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::reportingReportRuns().
class AsyncReportingReportRuns {
 public:
  explicit AsyncReportingReportRuns(std::shared_ptr<detail::AsyncEngine> engine)
      : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncReportingReportRuns(const AsyncReportingReportRuns&) = default;
  AsyncReportingReportRuns& operator=(const AsyncReportingReportRuns&) = default;
  ~AsyncReportingReportRuns() = default;

  /// Lists report runs, newest first. See ReportingReportRuns::list().
  [[nodiscard]] AsyncPager<ReportingReportRun> list(const ReportingReportRunListArgs& args = {},
                                                    const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
