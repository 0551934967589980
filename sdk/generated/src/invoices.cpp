// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/invoices.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field invoiceFields[] = {
    identifier("in_", field<&Invoice::id>("id", Presence::required)),
    constant("object", "invoice"),
    identifier("sub_", field<&Invoice::subscription>("subscription", Presence::required)),
    field<&Invoice::metadata>("metadata", Presence::required),
    field<&Invoice::created>("created", Presence::required),
    field<&Invoice::livemode>("livemode", Presence::required),
};

constexpr Field invoiceCreateParamsFields[] = {
    identifier("sub_", field<&InvoiceCreateParams::subscription>("subscription", Presence::required)),
    field<&InvoiceCreateParams::metadata>("metadata"),
};

constexpr Field invoiceListParamsFields[] = {
    between(1, 100, field<&InvoiceListParams::limit>("limit")),
    excluding("ending_before", identifier("in_", field<&InvoiceListParams::startingAfter>("starting_after"))),
    excluding("starting_after", identifier("in_", field<&InvoiceListParams::endingBefore>("ending_before"))),
    identifier("sub_", field<&InvoiceListParams::subscription>("subscription")),
};

constexpr Field invoiceSearchParamsFields[] = {
    field<&InvoiceSearchParams::query>("query", Presence::required),
    between(1, 100, field<&InvoiceSearchParams::limit>("limit")),
    field<&InvoiceSearchParams::page>("page"),
    field<&InvoiceSearchParams::expand>("expand"),
};

}  // namespace

template <>
constinit const Struct Schema<Invoice>::value = describe<Invoice>("invoice", invoiceFields);
template <>
constinit const Struct Schema<InvoiceCreateParams>::value =
    describe<InvoiceCreateParams>("invoice_create_params", invoiceCreateParamsFields);
template <>
constinit const Struct Schema<InvoiceListParams>::value =
    describe<InvoiceListParams>("invoice_list_params", invoiceListParamsFields);
template <>
constinit const Struct Schema<InvoiceSearchParams>::value =
    describe<InvoiceSearchParams>("invoice_search_params", invoiceSearchParamsFields);

constinit const Resource invoiceResource{
    .name = "invoice",
    .plural = "invoices",
    .idPrefix = "in_",
    .model = &Schema<Invoice>::value,
};

constinit decltype(invoicesCreate) invoicesCreate{AnyOperation{
    .name = "invoices.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/invoices",
    .resource = &invoiceResource,
    .body = BodyEncoding::form,
}};

constinit decltype(invoicesList) invoicesList{AnyOperation{
    .name = "invoices.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/invoices",
    .resource = &invoiceResource,
}};

constinit decltype(invoicesSearch) invoicesSearch{AnyOperation{
    .name = "invoices.search",
    .kind = OperationKind::search,
    .method = Method::get,
    .path = "/v1/invoices/search",
    .resource = &invoiceResource,
}};

constinit decltype(invoicesRetrieve) invoicesRetrieve{AnyOperation{
    .name = "invoices.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/invoices/{id}",
    .resource = &invoiceResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const Invoice& value) {
  return detail::print(out, value);
}

template std::string toJson(const Invoice& object);
template Result<Invoice> fromJson(std::string_view json);

template <class O>
BasicInvoiceCreateParams<O>::operator BasicInvoiceCreateParams<detail::OppositeOf<O>>() const& {
  return {.subscription = subscription, .metadata = metadata};
}
template struct BasicInvoiceCreateParams<Owning>;
template struct BasicInvoiceCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const InvoiceCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicInvoiceListParams<O>::operator BasicInvoiceListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit,
          .startingAfter = startingAfter,
          .endingBefore = endingBefore,
          .subscription = subscription};
}
template struct BasicInvoiceListParams<Owning>;
template struct BasicInvoiceListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const InvoiceListParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicInvoiceSearchParams<O>::operator BasicInvoiceSearchParams<detail::OppositeOf<O>>() const& {
  return {.query = query, .limit = limit, .page = page, .expand = expand};
}
template struct BasicInvoiceSearchParams<Owning>;
template struct BasicInvoiceSearchParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const InvoiceSearchParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
