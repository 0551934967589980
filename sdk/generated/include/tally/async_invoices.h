// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/invoices.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of Invoices as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::invoices().
class AsyncInvoices {
 public:
  explicit AsyncInvoices(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncInvoices(const AsyncInvoices&) = default;
  AsyncInvoices& operator=(const AsyncInvoices&) = default;
  ~AsyncInvoices() = default;

  /// Creates an invoice for a subscription. See Invoices::create().
  [[nodiscard]] Call<Invoice> create(const Borrowed<InvoiceCreateParams>& params,
                                     const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists invoices, newest first. See Invoices::list().
  [[nodiscard]] AsyncPager<Invoice> list(const Borrowed<InvoiceListParams>& params = detail::defaulted,
                                         const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Searches invoices. See Invoices::search().
  [[nodiscard]] AsyncPager<Invoice> search(const Borrowed<InvoiceSearchParams>& params,
                                           const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// The same with a condition on fields in InvoiceSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] AsyncPager<Invoice> search(
      const C& condition, const Borrowed<RequestOptions>& options = detail::defaulted) const {
    return search(Borrowed<InvoiceSearchParams>{.query = condition}, options);
  }

  /// Retrieves an invoice. See Invoices::retrieve().
  [[nodiscard]] Call<Invoice> retrieve(const Id<Invoice>& id,
                                       const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
