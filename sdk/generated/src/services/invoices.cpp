// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/invoices.h>

#include "call/call.h"
#include "operations.h"
#include "pagination/pager_impl.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Invoice>::value;

Result<Invoice> Invoices::create(const InvoiceCreateParams& params, const RequestOptions& options) const {
  return detail::call(*core_, detail::invoicesCreate, {}, params, options);
}

Pager<Invoice> Invoices::list(const InvoiceListParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::invoicesList, params, options);
}

Pager<Invoice> Invoices::search(const InvoiceSearchParams& params, const RequestOptions& options) const {
  return detail::walkPages(core_, detail::invoicesSearch, params, options);
}

Result<Invoice> Invoices::retrieve(const Id<Invoice>& id, const RequestOptions& options) const {
  return detail::call(*core_, detail::invoicesRetrieve, id.str(), options);
}

template class Pager<Invoice>;
template class Pages<Invoice>;
template std::ostream& operator<<(std::ostream& out, const Page<Invoice>& value);

}  // namespace tally
