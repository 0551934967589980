// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/issuing_cards.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<IssuingCard>::value;

Result<IssuingCard> IssuingCards::create(const IssuingCardCreateParams& params,
                                         const RequestOptions& options) const {
  return detail::call(*core_, detail::issuingCardsCreate, {}, params, options);
}

Pager<IssuingCard> IssuingCards::list(const IssuingCardListParams& params,
                                      const RequestOptions& options) const {
  return detail::walkPages(core_, detail::issuingCardsList, params, options);
}

Result<IssuingCard> IssuingCards::retrieve(const Id<IssuingCard>& id, const RequestOptions& options) const {
  return detail::call(*core_, detail::issuingCardsRetrieve, id.str(), options);
}

template class Pager<IssuingCard>;
template class Pages<IssuingCard>;
template std::ostream& operator<<(std::ostream& out, const Page<IssuingCard>& value);

}  // namespace tally
