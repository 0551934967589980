// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/tax_registrations.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of TaxRegistrations, mocked with GoogleMock: see MockResource.
class MockTaxRegistrations : public MockResource {
 public:
  using MockResource::MockResource;

  /// Lists tax registrations, newest first.
  MOCK_METHOD(Result<Page<TaxRegistration>>, list, (const TaxRegistrationListParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"tax_registrations.list", &detail::respondWith<&MockTaxRegistrations::list>},
    };
    return table;
  }
};

}  // namespace tally::testing
