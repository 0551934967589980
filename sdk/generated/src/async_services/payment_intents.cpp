// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_payment_intents.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<PaymentIntent>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<PaymentIntentCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PaymentIntentListParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PaymentIntentSearchParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PaymentIntentUpdateParams>>);

Call<PaymentIntent> AsyncPaymentIntents::create(const Borrowed<PaymentIntentCreateParams>& params,
                                                const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::paymentIntentsCreate, {}, params, options);
}

AsyncPager<PaymentIntent> AsyncPaymentIntents::list(const Borrowed<PaymentIntentListParams>& params,
                                                    const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::paymentIntentsList, params, options);
}

AsyncPager<PaymentIntent> AsyncPaymentIntents::search(const Borrowed<PaymentIntentSearchParams>& params,
                                                      const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::paymentIntentsSearch, params, options);
}

Call<PaymentIntent> AsyncPaymentIntents::retrieve(const Id<PaymentIntent>& id,
                                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::paymentIntentsRetrieve, id.str(), options);
}

Call<PaymentIntent> AsyncPaymentIntents::update(const Id<PaymentIntent>& id,
                                                const Borrowed<PaymentIntentUpdateParams>& params,
                                                const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::paymentIntentsUpdate, id.str(), params, options);
}

template class AsyncPager<PaymentIntent>;

}  // namespace tally
