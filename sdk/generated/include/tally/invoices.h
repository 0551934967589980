// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/id.h>
#include <tally/json.h>
#include <tally/metadata.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/result.h>

namespace tally {

namespace detail {
class Core;
}

struct Subscription;

/// An invoice for a subscription. The document names it and shows none of its fields.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
struct Invoice {
  static constexpr std::string_view object = "invoice";

  Id<Invoice> id{};                    ///< Invoice identifier.
  Id<Subscription> subscription{};     ///< The subscription that it is for.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the invoice was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const Invoice&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Invoice& value);
};

/// Parameters of Invoices::create.
struct InvoiceCreateParams {
  std::optional<Id<Subscription>> subscription{};  ///< Required. The subscription that it is for.
  MetadataEdit metadata{};                         ///< Keys to set or to unset, or all of them to unset.

  friend std::ostream& operator<<(std::ostream& out, const InvoiceCreateParams& value);
};

/// Parameters of Invoices::list.
struct InvoiceListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<Invoice>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<Invoice>> endingBefore{};
  /// Only invoices for this subscription.
  std::optional<Id<Subscription>> subscription{};

  friend std::ostream& operator<<(std::ostream& out, const InvoiceListParams& value);
};

/// Parameters of Invoices::search.
struct InvoiceSearchParams {
  std::optional<std::string> query{};   ///< Required. What to find, in the query language.
  std::optional<std::int64_t> limit{};  ///< The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::string> page{};    ///< The `next_page` of the page before; none for the first page.
  std::vector<std::string> expand{};    ///< What else to give: `total_count`.

  friend std::ostream& operator<<(std::ostream& out, const InvoiceSearchParams& value);
};

/// Invoices: makes them for subscriptions, and finds them.
/// Thread-safe. Made by Client::invoices().
class Invoices {
 public:
  explicit Invoices(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Creates an invoice for a subscription.
  /// Spec: "Limits".
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  /// Assumed, see docs/assumptions.md: Invoices of a locked subscription.
  [[nodiscard]] Result<Invoice> create(const InvoiceCreateParams& params,
                                       const RequestOptions& options = {}) const;

  /// Lists invoices, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Invoice> list(const InvoiceListParams& params = {},
                                    const RequestOptions& options = {}) const;

  /// Finds the invoices that a query describes.
  /// Spec: "Search operations".
  /// Assumed, see docs/assumptions.md: Searchable resources.
  [[nodiscard]] Pager<Invoice> search(const InvoiceSearchParams& params,
                                      const RequestOptions& options = {}) const;

  /// Retrieves an invoice.
  /// Assumed, see docs/assumptions.md: Retrieve.
  [[nodiscard]] Result<Invoice> retrieve(const Id<Invoice>& id, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
