// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/accounts.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of Accounts, mocked with GoogleMock: see MockResource.
class MockAccounts : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a connected account.
  MOCK_METHOD(Result<Account>, create, (const AccountCreateParams& params));

  /// Lists accounts, newest first.
  MOCK_METHOD(Result<Page<Account>>, list, (const AccountListParams& params));

  /// Retrieves an account.
  MOCK_METHOD(Result<Account>, retrieve, (const std::string& id));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"accounts.create", &detail::respondWith<&MockAccounts::create>},
        {"accounts.list", &detail::respondWith<&MockAccounts::list>},
        {"accounts.retrieve", &detail::respondWith<&MockAccounts::retrieve>},
    };
    return table;
  }
};

}  // namespace tally::testing
