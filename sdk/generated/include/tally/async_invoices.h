// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/invoices.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncInvoices::create.
struct InvoiceCreateArgs {
  IdArg<Subscription> subscription{};  ///< Required. The subscription that the invoice is for.
  MetadataArg metadata{};              ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncInvoices::list.
struct InvoiceListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<Invoice> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<Invoice> endingBefore{};
  /// Only invoices for this subscription.
  IdArg<Subscription> subscription{};
};

/// Arguments of AsyncInvoices::search.
struct InvoiceSearchArgs {
  /// Required. The search query.
  std::optional<std::string_view> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  std::optional<std::string_view> page{};
  /// The fields to expand: `total_count`.
  TextsArg expand{};
};

/// The methods of Invoices as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::invoices().
class AsyncInvoices {
 public:
  explicit AsyncInvoices(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncInvoices(const AsyncInvoices&) = default;
  AsyncInvoices& operator=(const AsyncInvoices&) = default;
  ~AsyncInvoices() = default;

  /// Creates an invoice for a subscription. See Invoices::create().
  [[nodiscard]] Call<Invoice> create(const InvoiceCreateArgs& args, const CallOptions& options = {}) const;

  /// Lists invoices, newest first. See Invoices::list().
  [[nodiscard]] AsyncPager<Invoice> list(const InvoiceListArgs& args = {},
                                         const CallOptions& options = {}) const;

  /// Searches invoices. See Invoices::search().
  [[nodiscard]] AsyncPager<Invoice> search(const InvoiceSearchArgs& args,
                                           const CallOptions& options = {}) const;

  /// Retrieves an invoice. See Invoices::retrieve().
  [[nodiscard]] Call<Invoice> retrieve(const Id<Invoice>& id, const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
