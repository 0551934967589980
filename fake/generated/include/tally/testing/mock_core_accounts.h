// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/core_accounts.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of CoreAccounts, mocked with GoogleMock: see MockResource.
class MockCoreAccounts : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a connected account.
  MOCK_METHOD(Result<CoreAccount>, create, (const CoreAccountCreateParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"core_accounts.create", &detail::respondWith<&MockCoreAccounts::create>},
    };
    return table;
  }
};

}  // namespace tally::testing
