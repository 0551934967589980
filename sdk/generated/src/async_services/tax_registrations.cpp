// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_tax_registrations.h>

#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<TaxRegistration>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<TaxRegistrationListParams>>);

AsyncPager<TaxRegistration> AsyncTaxRegistrations::list(const Borrowed<TaxRegistrationListParams>& params,
                                                        const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::taxRegistrationsList, params, options);
}

template class AsyncPager<TaxRegistration>;

}  // namespace tally
