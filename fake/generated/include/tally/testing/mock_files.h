// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/files.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of Files, mocked with GoogleMock: see MockResource.
class MockFiles : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a file without contents.
  MOCK_METHOD(Result<File>, create, (const FileCreateParams& params));

  /// Lists files, newest first.
  MOCK_METHOD(Result<Page<File>>, list, (const FileListParams& params));

  /// Retrieves a file.
  MOCK_METHOD(Result<File>, retrieve, (const std::string& id));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"files.create", &detail::respondWith<&MockFiles::create>},
        {"files.list", &detail::respondWith<&MockFiles::list>},
        {"files.retrieve", &detail::respondWith<&MockFiles::retrieve>},
    };
    return table;
  }
};

}  // namespace tally::testing
