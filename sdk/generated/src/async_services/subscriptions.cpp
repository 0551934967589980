// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_subscriptions.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Subscription>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<SubscriptionCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<SubscriptionListParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<SubscriptionSearchParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<SubscriptionUpdateParams>>);

Call<Subscription> AsyncSubscriptions::create(const Borrowed<SubscriptionCreateParams>& params,
                                              const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::subscriptionsCreate, {}, params, options);
}

AsyncPager<Subscription> AsyncSubscriptions::list(const Borrowed<SubscriptionListParams>& params,
                                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::subscriptionsList, params, options);
}

AsyncPager<Subscription> AsyncSubscriptions::search(const Borrowed<SubscriptionSearchParams>& params,
                                                    const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::subscriptionsSearch, params, options);
}

Call<Subscription> AsyncSubscriptions::retrieve(const Id<Subscription>& id,
                                                const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::subscriptionsRetrieve, id.str(), options);
}

Call<Subscription> AsyncSubscriptions::update(const Id<Subscription>& id,
                                              const Borrowed<SubscriptionUpdateParams>& params,
                                              const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::subscriptionsUpdate, id.str(), params, options);
}

template class AsyncPager<Subscription>;

}  // namespace tally
