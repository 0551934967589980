// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/subscriptions.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Subscription>::value;

Result<Subscription> Subscriptions::create(const SubscriptionCreateParams& params,
                                           const RequestOptions& options) const {
  return detail::call(*core_, detail::subscriptionsCreate, {}, params, options);
}

Pager<Subscription> Subscriptions::list(const SubscriptionListParams& params,
                                        const RequestOptions& options) const {
  return detail::walkPages(core_, detail::subscriptionsList, params, options);
}

Pager<Subscription> Subscriptions::search(const SubscriptionSearchParams& params,
                                          const RequestOptions& options) const {
  return detail::walkPages(core_, detail::subscriptionsSearch, params, options);
}

Result<Subscription> Subscriptions::retrieve(const Id<Subscription>& id,
                                             const RequestOptions& options) const {
  return detail::call(*core_, detail::subscriptionsRetrieve, id.str(), options);
}

Result<Subscription> Subscriptions::update(const Id<Subscription>& id, const SubscriptionUpdateParams& params,
                                           const RequestOptions& options) const {
  return detail::call(*core_, detail::subscriptionsUpdate, id.str(), params, options);
}

template class Pager<Subscription>;
template class Pages<Subscription>;
template std::ostream& operator<<(std::ostream& out, const Page<Subscription>& value);

}  // namespace tally
