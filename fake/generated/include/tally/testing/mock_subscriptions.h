// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/subscriptions.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of Subscriptions, mocked with GoogleMock: see MockResource.
class MockSubscriptions : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a subscription.
  MOCK_METHOD(Result<Subscription>, create, (const SubscriptionCreateParams& params));

  /// Lists subscriptions, newest first.
  MOCK_METHOD(Result<Page<Subscription>>, list, (const SubscriptionListParams& params));

  /// Searches subscriptions.
  MOCK_METHOD(Result<Page<Subscription>>, search, (const SubscriptionSearchParams& params));

  /// Retrieves a subscription.
  MOCK_METHOD(Result<Subscription>, retrieve, (const std::string& id));

  /// Updates the given fields of a subscription, such as its quantity, and leaves the others unchanged.
  MOCK_METHOD(Result<Subscription>, update, (const std::string& id, const SubscriptionUpdateParams& params));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"subscriptions.create", &detail::respondWith<&MockSubscriptions::create>},
        {"subscriptions.list", &detail::respondWith<&MockSubscriptions::list>},
        {"subscriptions.search", &detail::respondWith<&MockSubscriptions::search>},
        {"subscriptions.retrieve", &detail::respondWith<&MockSubscriptions::retrieve>},
        {"subscriptions.update", &detail::respondWith<&MockSubscriptions::update>},
    };
    return table;
  }
};

}  // namespace tally::testing
