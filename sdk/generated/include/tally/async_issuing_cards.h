// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/issuing_cards.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of IssuingCards as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::issuingCards().
class AsyncIssuingCards {
 public:
  explicit AsyncIssuingCards(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncIssuingCards(const AsyncIssuingCards&) = default;
  AsyncIssuingCards& operator=(const AsyncIssuingCards&) = default;
  ~AsyncIssuingCards() = default;

  /// Creates a card. See IssuingCards::create().
  [[nodiscard]] Call<IssuingCard> create(const Borrowed<IssuingCardCreateParams>& params = detail::defaulted,
                                         const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists cards, newest first. See IssuingCards::list().
  [[nodiscard]] AsyncPager<IssuingCard> list(
      const Borrowed<IssuingCardListParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Retrieves a card. See IssuingCards::retrieve().
  [[nodiscard]] Call<IssuingCard> retrieve(const Id<IssuingCard>& id,
                                           const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
