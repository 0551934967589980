// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_subscriptions.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<Subscription>::value;

namespace {

static_assert(std::is_trivially_destructible_v<SubscriptionCreateArgs>);
SubscriptionCreateParams own(const SubscriptionCreateArgs& args) {
  return {
      .quantity = detail::own(args.quantity),
      .description = detail::own(args.description),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<SubscriptionListArgs>);
SubscriptionListParams own(const SubscriptionListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

static_assert(std::is_trivially_destructible_v<SubscriptionSearchArgs>);
SubscriptionSearchParams own(const SubscriptionSearchArgs& args) {
  return {
      .query = detail::own(args.query),
      .limit = detail::own(args.limit),
      .page = detail::own(args.page),
      .expand = detail::own(args.expand),
  };
}

static_assert(std::is_trivially_destructible_v<SubscriptionUpdateArgs>);
SubscriptionUpdateParams own(const SubscriptionUpdateArgs& args) {
  return {
      .quantity = detail::own(args.quantity),
      .description = detail::own(args.description),
      .metadata = detail::own(args.metadata),
  };
}

}  // namespace

Call<Subscription> AsyncSubscriptions::create(const SubscriptionCreateArgs& args,
                                              const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::subscriptionsCreate, {}, own(args), options);
}

AsyncPager<Subscription> AsyncSubscriptions::list(const SubscriptionListArgs& args,
                                                  const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::subscriptionsList, own(args), options);
}

AsyncPager<Subscription> AsyncSubscriptions::search(const SubscriptionSearchArgs& args,
                                                    const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::subscriptionsSearch, own(args), options);
}

Call<Subscription> AsyncSubscriptions::retrieve(const Id<Subscription>& id,
                                                const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::subscriptionsRetrieve, id.str(), options);
}

Call<Subscription> AsyncSubscriptions::update(const Id<Subscription>& id, const SubscriptionUpdateArgs& args,
                                              const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::subscriptionsUpdate, id.str(), own(args), options);
}

template class AsyncPager<Subscription>;

}  // namespace tally
