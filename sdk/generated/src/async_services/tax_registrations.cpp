// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_tax_registrations.h>

#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<TaxRegistration>::value;

namespace {

static_assert(std::is_trivially_destructible_v<TaxRegistrationListArgs>);
TaxRegistrationListParams own(const TaxRegistrationListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
  };
}

}  // namespace

AsyncPager<TaxRegistration> AsyncTaxRegistrations::list(const TaxRegistrationListArgs& args,
                                                        const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::taxRegistrationsList, own(args), options);
}

template class AsyncPager<TaxRegistration>;

}  // namespace tally
