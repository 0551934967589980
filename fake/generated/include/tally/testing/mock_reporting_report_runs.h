// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/reporting_report_runs.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of ReportingReportRuns, mocked with GoogleMock: see MockResource.
class MockReportingReportRuns : public MockResource {
 public:
  using MockResource::MockResource;

  /// Lists report runs, newest first.
  MOCK_METHOD(Result<Page<ReportingReportRun>>, list, (const ReportingReportRunListParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"reporting_report_runs.list", &detail::respondWith<&MockReportingReportRuns::list>},
    };
    return table;
  }
};

}  // namespace tally::testing
