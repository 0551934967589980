// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/metadata.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/result.h>
#include <tally/search_query.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

struct Subscription;

/// An invoice for a subscription. The specification names it but shows none of its fields.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
struct Invoice {
  static constexpr std::string_view object = "invoice";

  Id<Invoice> id{};                    ///< Invoice identifier.
  Id<Subscription> subscription{};     ///< The subscription that the invoice is for.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the invoice was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const Invoice&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Invoice& value);
};

/// Parameters of Invoices::create.
template <class O>
struct BasicInvoiceCreateParams {
  /// Required. The subscription that the invoice is for.
  Held<O, std::optional<Id<Subscription>>> subscription{};
  /// Sets or unsets keys, or unsets all keys.
  Held<O, MetadataEdit> metadata{};

  operator BasicInvoiceCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicInvoiceCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using InvoiceCreateParams = BasicInvoiceCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const InvoiceCreateParams& value);

/// Parameters of Invoices::list.
template <class O>
struct BasicInvoiceListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<Invoice>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<Invoice>>> endingBefore{};
  /// Only invoices for this subscription.
  Held<O, std::optional<Id<Subscription>>> subscription{};

  operator BasicInvoiceListParams<detail::OppositeOf<O>>() const&;
  operator BasicInvoiceListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using InvoiceListParams = BasicInvoiceListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const InvoiceListParams& value);

/// Parameters of Invoices::search.
template <class O>
struct BasicInvoiceSearchParams {
  /// Required. The search query.
  Held<O, std::optional<SearchQuery<Invoice>>> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  Held<O, std::optional<std::string>> page{};
  /// The fields to expand: `total_count`.
  Held<O, std::vector<std::string>> expand{};

  operator BasicInvoiceSearchParams<detail::OppositeOf<O>>() const&;
  operator BasicInvoiceSearchParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using InvoiceSearchParams = BasicInvoiceSearchParams<Owning>;
std::ostream& operator<<(std::ostream& out, const InvoiceSearchParams& value);

/// The fields for conditions in a search of Invoices. See <tally/search_query.h>.
struct InvoiceSearchFields {
  static constexpr query::TimeField<Invoice> created{"created"};
  static constexpr query::MetadataField<Invoice> metadata{"metadata"};
  static constexpr query::IdField<Invoice, Subscription> subscription{"subscription"};
};

/// Creates, retrieves, lists and searches invoices for subscriptions.
/// Thread-safe; may outlive its Client. Made by Client::invoices().
class Invoices {
 public:
  explicit Invoices(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  Invoices(const Invoices&) = default;
  Invoices& operator=(const Invoices&) = default;
  ~Invoices() = default;

  /// Creates an invoice for a subscription.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  /// Assumed (not specified): Invoices of a locked subscription.
  [[nodiscard]] Result<Invoice> create(const InvoiceCreateParams& params,
                                       const RequestOptions& options = {}) const;

  /// Lists invoices, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Invoice> list(const InvoiceListParams& params = {},
                                    const RequestOptions& options = {}) const;

  /// Searches invoices.
  /// Spec: "Search operations".
  /// Assumed (not specified): Searchable resources.
  [[nodiscard]] Pager<Invoice> search(const InvoiceSearchParams& params,
                                      const RequestOptions& options = {}) const;

  /// The same with a condition on fields in InvoiceSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] Pager<Invoice> search(const C& condition, const RequestOptions& options = {}) const {
    return search(InvoiceSearchParams{.query = condition}, options);
  }

  /// Retrieves an invoice.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<Invoice> retrieve(const Id<Invoice>& id, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
