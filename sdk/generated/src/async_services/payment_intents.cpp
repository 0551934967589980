// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_payment_intents.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<PaymentIntent>::value;

namespace {

static_assert(std::is_trivially_destructible_v<PaymentIntentCreateArgs>);
PaymentIntentCreateParams own(const PaymentIntentCreateArgs& args) {
  return {
      .amount = detail::own(args.amount),
      .currency = detail::own(args.currency),
      .description = detail::own(args.description),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentIntentListArgs>);
PaymentIntentListParams own(const PaymentIntentListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentIntentSearchArgs>);
PaymentIntentSearchParams own(const PaymentIntentSearchArgs& args) {
  return {
      .query = detail::own(args.query),
      .limit = detail::own(args.limit),
      .page = detail::own(args.page),
      .expand = detail::own(args.expand),
  };
}

static_assert(std::is_trivially_destructible_v<PaymentIntentUpdateArgs>);
PaymentIntentUpdateParams own(const PaymentIntentUpdateArgs& args) {
  return {
      .description = detail::own(args.description),
      .metadata = detail::own(args.metadata),
  };
}

}  // namespace

Call<PaymentIntent> AsyncPaymentIntents::create(const PaymentIntentCreateArgs& args,
                                                const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::paymentIntentsCreate, {}, own(args), options);
}

AsyncPager<PaymentIntent> AsyncPaymentIntents::list(const PaymentIntentListArgs& args,
                                                    const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::paymentIntentsList, own(args), options);
}

AsyncPager<PaymentIntent> AsyncPaymentIntents::search(const PaymentIntentSearchArgs& args,
                                                      const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::paymentIntentsSearch, own(args), options);
}

Call<PaymentIntent> AsyncPaymentIntents::retrieve(const Id<PaymentIntent>& id,
                                                  const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::paymentIntentsRetrieve, id.str(), options);
}

Call<PaymentIntent> AsyncPaymentIntents::update(const Id<PaymentIntent>& id,
                                                const PaymentIntentUpdateArgs& args,
                                                const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::paymentIntentsUpdate, id.str(), own(args), options);
}

template class AsyncPager<PaymentIntent>;

}  // namespace tally
