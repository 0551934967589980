// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/payouts.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Payout>::value;

Result<Payout> Payouts::create(const PayoutCreateParams& params, const RequestOptions& options) const {
  return detail::call(*core_, detail::payoutsCreate, {}, params, options);
}

Pager<Payout> Payouts::list(const PayoutListParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::payoutsList, params, options);
}

Result<Payout> Payouts::retrieve(const Id<Payout>& id, const RequestOptions& options) const {
  return detail::call(*core_, detail::payoutsRetrieve, id.str(), options);
}

template class Pager<Payout>;
template class Pages<Payout>;
template std::ostream& operator<<(std::ostream& out, const Page<Payout>& value);

}  // namespace tally
