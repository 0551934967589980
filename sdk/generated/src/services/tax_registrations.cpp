// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/tax_registrations.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<TaxRegistration>::value;

Pager<TaxRegistration> TaxRegistrations::list(const TaxRegistrationListParams& params,
                                              const RequestOptions& options) const {
  return detail::walkPages(core_, detail::taxRegistrationsList, params, options);
}

template class Pager<TaxRegistration>;
template class Pages<TaxRegistration>;
template std::ostream& operator<<(std::ostream& out, const Page<TaxRegistration>& value);

}  // namespace tally
