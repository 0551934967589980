// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/payment_intents.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<PaymentIntent>::value;

Result<PaymentIntent> PaymentIntents::create(const PaymentIntentCreateParams& params,
                                             const RequestOptions& options) const {
  return detail::call(*core_, detail::paymentIntentsCreate, {}, params, options);
}

Pager<PaymentIntent> PaymentIntents::list(const PaymentIntentListParams& params,
                                          const RequestOptions& options) const {
  return detail::walkPages(core_, detail::paymentIntentsList, params, options);
}

Pager<PaymentIntent> PaymentIntents::search(const PaymentIntentSearchParams& params,
                                            const RequestOptions& options) const {
  return detail::walkPages(core_, detail::paymentIntentsSearch, params, options);
}

Result<PaymentIntent> PaymentIntents::retrieve(const Id<PaymentIntent>& id,
                                               const RequestOptions& options) const {
  return detail::call(*core_, detail::paymentIntentsRetrieve, id.str(), options);
}

Result<PaymentIntent> PaymentIntents::update(const Id<PaymentIntent>& id,
                                             const PaymentIntentUpdateParams& params,
                                             const RequestOptions& options) const {
  return detail::call(*core_, detail::paymentIntentsUpdate, id.str(), params, options);
}

template class Pager<PaymentIntent>;
template class Pages<PaymentIntent>;
template std::ostream& operator<<(std::ostream& out, const Page<PaymentIntent>& value);

}  // namespace tally
