// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_payouts.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<Payout>::value;

namespace {

static_assert(std::is_trivially_destructible_v<PayoutCreateArgs>);
PayoutCreateParams own(const PayoutCreateArgs& args) {
  return {
      .amount = detail::own(args.amount),
      .currency = detail::own(args.currency),
      .description = detail::own(args.description),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<PayoutListArgs>);
PayoutListParams own(const PayoutListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

}  // namespace

Call<Payout> AsyncPayouts::create(const PayoutCreateArgs& args, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::payoutsCreate, {}, own(args), options);
}

AsyncPager<Payout> AsyncPayouts::list(const PayoutListArgs& args, const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::payoutsList, own(args), options);
}

Call<Payout> AsyncPayouts::retrieve(const Id<Payout>& id, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::payoutsRetrieve, id.str(), options);
}

template class AsyncPager<Payout>;

}  // namespace tally
