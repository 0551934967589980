// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <span>
#include <string>

#include <tally/issuing_cards.h>
#include <tally/testing/mock_resource.h>

#include <gmock/gmock.h>

namespace tally::testing {

/// The methods of IssuingCards, mocked with GoogleMock: see MockResource.
class MockIssuingCards : public MockResource {
 public:
  using MockResource::MockResource;

  /// Creates a card.
  MOCK_METHOD(Result<IssuingCard>, create, (const IssuingCardCreateParams& params));

  /// Lists cards, newest first.
  MOCK_METHOD(Result<Page<IssuingCard>>, list, (const IssuingCardListParams& params));

  /// Retrieves a card.
  MOCK_METHOD(Result<IssuingCard>, retrieve, (const std::string& id));

 private:
  [[nodiscard]] std::span<const detail::MockedOperation> operations() const override {
    static constexpr detail::MockedOperation table[] = {
        {"issuing_cards.create", &detail::respondWith<&MockIssuingCards::create>},
        {"issuing_cards.list", &detail::respondWith<&MockIssuingCards::list>},
        {"issuing_cards.retrieve", &detail::respondWith<&MockIssuingCards::retrieve>},
    };
    return table;
  }
};

}  // namespace tally::testing
