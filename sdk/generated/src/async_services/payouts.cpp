// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_payouts.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Payout>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<PayoutCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<PayoutListParams>>);

Call<Payout> AsyncPayouts::create(const Borrowed<PayoutCreateParams>& params,
                                  const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::payoutsCreate, {}, params, options);
}

AsyncPager<Payout> AsyncPayouts::list(const Borrowed<PayoutListParams>& params,
                                      const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::payoutsList, params, options);
}

Call<Payout> AsyncPayouts::retrieve(const Id<Payout>& id, const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::payoutsRetrieve, id.str(), options);
}

template class AsyncPager<Payout>;

}  // namespace tally
