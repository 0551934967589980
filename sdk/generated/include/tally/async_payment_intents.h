// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/payment_intents.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of PaymentIntents as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::paymentIntents().
class AsyncPaymentIntents {
 public:
  explicit AsyncPaymentIntents(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncPaymentIntents(const AsyncPaymentIntents&) = default;
  AsyncPaymentIntents& operator=(const AsyncPaymentIntents&) = default;
  ~AsyncPaymentIntents() = default;

  /// Creates a payment intent. See PaymentIntents::create().
  [[nodiscard]] Call<PaymentIntent> create(const Borrowed<PaymentIntentCreateParams>& params,
                                           const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists payment intents, newest first. See PaymentIntents::list().
  [[nodiscard]] AsyncPager<PaymentIntent> list(
      const Borrowed<PaymentIntentListParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Searches payment intents. See PaymentIntents::search().
  [[nodiscard]] AsyncPager<PaymentIntent> search(
      const Borrowed<PaymentIntentSearchParams>& params,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// The same with a condition on fields in PaymentIntentSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] AsyncPager<PaymentIntent> search(
      const C& condition, const Borrowed<RequestOptions>& options = detail::defaulted) const {
    return search(Borrowed<PaymentIntentSearchParams>{.query = condition}, options);
  }

  /// Retrieves a payment intent. See PaymentIntents::retrieve().
  [[nodiscard]] Call<PaymentIntent> retrieve(
      const Id<PaymentIntent>& id, const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Updates the given fields of a payment intent and leaves the others unchanged. See
  /// PaymentIntents::update().
  [[nodiscard]] Call<PaymentIntent> update(const Id<PaymentIntent>& id,
                                           const Borrowed<PaymentIntentUpdateParams>& params,
                                           const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
