// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/data_exports.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of DataExports, mocked with GoogleMock: see MockResource.
class MockDataExports : public MockResource {
 public:
  using MockResource::MockResource;

  /// Lists data exports, newest first.
  MOCK_METHOD(Result<Page<DataExport>>, list, (const DataExportListParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"data_exports.list", &detail::respondWith<&MockDataExports::list>},
    };
    return table;
  }
};

}  // namespace tally::testing
