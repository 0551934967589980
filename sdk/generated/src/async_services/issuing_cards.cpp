// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_issuing_cards.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<IssuingCard>::value;

namespace {

static_assert(std::is_trivially_destructible_v<IssuingCardCreateArgs>);
IssuingCardCreateParams own(const IssuingCardCreateArgs& args) {
  return {
      .description = detail::own(args.description),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<IssuingCardListArgs>);
IssuingCardListParams own(const IssuingCardListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

}  // namespace

Call<IssuingCard> AsyncIssuingCards::create(const IssuingCardCreateArgs& args,
                                            const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::issuingCardsCreate, {}, own(args), options);
}

AsyncPager<IssuingCard> AsyncIssuingCards::list(const IssuingCardListArgs& args,
                                                const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::issuingCardsList, own(args), options);
}

Call<IssuingCard> AsyncIssuingCards::retrieve(const Id<IssuingCard>& id, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::issuingCardsRetrieve, id.str(), options);
}

template class AsyncPager<IssuingCard>;

}  // namespace tally
