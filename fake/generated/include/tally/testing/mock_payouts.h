// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/payouts.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of Payouts, mocked with GoogleMock: see MockResource.
class MockPayouts : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a payout.
  MOCK_METHOD(Result<Payout>, create, (const PayoutCreateParams& params));

  /// Lists payouts, newest first.
  MOCK_METHOD(Result<Page<Payout>>, list, (const PayoutListParams& params));

  /// Retrieves a payout.
  MOCK_METHOD(Result<Payout>, retrieve, (const std::string& id));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"payouts.create", &detail::respondWith<&MockPayouts::create>},
        {"payouts.list", &detail::respondWith<&MockPayouts::list>},
        {"payouts.retrieve", &detail::respondWith<&MockPayouts::retrieve>},
    };
    return table;
  }
};

}  // namespace tally::testing
