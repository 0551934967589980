// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_issuing_cards.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<IssuingCard>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<IssuingCardCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<IssuingCardListParams>>);

Call<IssuingCard> AsyncIssuingCards::create(const Borrowed<IssuingCardCreateParams>& params,
                                            const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::issuingCardsCreate, {}, params, options);
}

AsyncPager<IssuingCard> AsyncIssuingCards::list(const Borrowed<IssuingCardListParams>& params,
                                                const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::issuingCardsList, params, options);
}

Call<IssuingCard> AsyncIssuingCards::retrieve(const Id<IssuingCard>& id,
                                              const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::issuingCardsRetrieve, id.str(), options);
}

template class AsyncPager<IssuingCard>;

}  // namespace tally
