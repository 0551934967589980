// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/payment_intents.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of PaymentIntents, mocked with GoogleMock: see MockResource.
class MockPaymentIntents : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a payment intent.
  MOCK_METHOD(Result<PaymentIntent>, create, (const PaymentIntentCreateParams& params));

  /// Lists payment intents, newest first.
  MOCK_METHOD(Result<Page<PaymentIntent>>, list, (const PaymentIntentListParams& params));

  /// Searches payment intents.
  MOCK_METHOD(Result<Page<PaymentIntent>>, search, (const PaymentIntentSearchParams& params));

  /// Retrieves a payment intent.
  MOCK_METHOD(Result<PaymentIntent>, retrieve, (const std::string& id));

  /// Updates the given fields of a payment intent and leaves the others unchanged.
  MOCK_METHOD(Result<PaymentIntent>, update,
              (const std::string& id, const PaymentIntentUpdateParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"payment_intents.create", &detail::respondWith<&MockPaymentIntents::create>},
        {"payment_intents.list", &detail::respondWith<&MockPaymentIntents::list>},
        {"payment_intents.search", &detail::respondWith<&MockPaymentIntents::search>},
        {"payment_intents.retrieve", &detail::respondWith<&MockPaymentIntents::retrieve>},
        {"payment_intents.update", &detail::respondWith<&MockPaymentIntents::update>},
    };
    return table;
  }
};

}  // namespace tally::testing
