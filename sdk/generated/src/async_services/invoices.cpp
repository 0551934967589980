// Generated from the API description, version 1.0.0. Do not edit.
#include <type_traits>

#include <tally/async_invoices.h>

#include "async/async_call.h"
#include "async/async_pager_impl.h"
#include "operations.h"

namespace tally {

template <>
const detail::Struct detail::Schema<Invoice>::value;

namespace {

static_assert(std::is_trivially_destructible_v<InvoiceCreateArgs>);
InvoiceCreateParams own(const InvoiceCreateArgs& args) {
  return {
      .subscription = detail::own(args.subscription),
      .metadata = detail::own(args.metadata),
  };
}

static_assert(std::is_trivially_destructible_v<InvoiceListArgs>);
InvoiceListParams own(const InvoiceListArgs& args) {
  return {
      .limit = detail::own(args.limit),
      .startingAfter = detail::own(args.startingAfter),
      .endingBefore = detail::own(args.endingBefore),
      .subscription = detail::own(args.subscription),
  };
}

static_assert(std::is_trivially_destructible_v<InvoiceSearchArgs>);
InvoiceSearchParams own(const InvoiceSearchArgs& args) {
  return {
      .query = detail::own(args.query),
      .limit = detail::own(args.limit),
      .page = detail::own(args.page),
      .expand = detail::own(args.expand),
  };
}

}  // namespace

Call<Invoice> AsyncInvoices::create(const InvoiceCreateArgs& args, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::invoicesCreate, {}, own(args), options);
}

AsyncPager<Invoice> AsyncInvoices::list(const InvoiceListArgs& args, const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::invoicesList, own(args), options);
}

AsyncPager<Invoice> AsyncInvoices::search(const InvoiceSearchArgs& args, const CallOptions& options) const {
  return detail::asyncPager(engine_, detail::invoicesSearch, own(args), options);
}

Call<Invoice> AsyncInvoices::retrieve(const Id<Invoice>& id, const CallOptions& options) const {
  return detail::asyncCall(engine_, detail::invoicesRetrieve, id.str(), options);
}

template class AsyncPager<Invoice>;

}  // namespace tally
