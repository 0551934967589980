// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_invoices.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace [[gnu::visibility("default")]] tally {

template <>
const detail::Struct detail::Schema<Invoice>::value;

static_assert(std::is_trivially_destructible_v<Borrowed<InvoiceCreateParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<InvoiceListParams>>);
static_assert(std::is_trivially_destructible_v<Borrowed<InvoiceSearchParams>>);

Call<Invoice> AsyncInvoices::create(const Borrowed<InvoiceCreateParams>& params,
                                    const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::invoicesCreate, {}, params, options);
}

AsyncPager<Invoice> AsyncInvoices::list(const Borrowed<InvoiceListParams>& params,
                                        const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::invoicesList, params, options);
}

AsyncPager<Invoice> AsyncInvoices::search(const Borrowed<InvoiceSearchParams>& params,
                                          const Borrowed<RequestOptions>& options) const {
  return detail::asyncPager(engine_, detail::invoicesSearch, params, options);
}

Call<Invoice> AsyncInvoices::retrieve(const Id<Invoice>& id, const Borrowed<RequestOptions>& options) const {
  return detail::asyncCall(engine_, detail::invoicesRetrieve, id.str(), options);
}

template class AsyncPager<Invoice>;

}  // namespace tally
