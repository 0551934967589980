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

/// The intent to collect a payment. The document names it and shows none of its fields.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
struct PaymentIntent {
  static constexpr std::string_view object = "payment_intent";

  Id<PaymentIntent> id{};              ///< Payment intent identifier.
  std::int64_t amount{};               ///< What is to be paid, in the currency's smallest unit.
  std::string currency{};              ///< Lowercase currency code.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the payment intent was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const PaymentIntent&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PaymentIntent& value);
};

/// Parameters of PaymentIntents::create.
struct PaymentIntentCreateParams {
  /// Required. What is to be paid, in the currency's smallest unit.
  std::optional<std::int64_t> amount{};
  /// Required. Lowercase currency code.
  std::optional<std::string> currency{};
  /// Free text.
  std::optional<std::string> description{};
  /// Keys to set or to unset, or all of them to unset.
  MetadataEdit metadata{};

  friend std::ostream& operator<<(std::ostream& out, const PaymentIntentCreateParams& value);
};

/// Parameters of PaymentIntents::list.
struct PaymentIntentListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<PaymentIntent>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<PaymentIntent>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const PaymentIntentListParams& value);
};

/// Parameters of PaymentIntents::search.
struct PaymentIntentSearchParams {
  std::optional<std::string> query{};   ///< Required. What to find, in the query language.
  std::optional<std::int64_t> limit{};  ///< The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::string> page{};    ///< The `next_page` of the page before; none for the first page.
  std::vector<std::string> expand{};    ///< What else to give: `total_count`.

  friend std::ostream& operator<<(std::ostream& out, const PaymentIntentSearchParams& value);
};

/// Parameters of PaymentIntents::update.
struct PaymentIntentUpdateParams {
  std::optional<std::string> description{};  ///< Free text.
  MetadataEdit metadata{};                   ///< Keys to set or to unset, or all of them to unset.

  friend std::ostream& operator<<(std::ostream& out, const PaymentIntentUpdateParams& value);
};

/// Payment intents: makes, changes and finds them.
/// Thread-safe. Made by Client::paymentIntents().
class PaymentIntents {
 public:
  explicit PaymentIntents(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Creates a payment intent.
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  [[nodiscard]] Result<PaymentIntent> create(const PaymentIntentCreateParams& params,
                                             const RequestOptions& options = {}) const;

  /// Lists payment intents, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<PaymentIntent> list(const PaymentIntentListParams& params = {},
                                          const RequestOptions& options = {}) const;

  /// Finds the payment intents that a query describes.
  /// Spec: "Search operations".
  /// Assumed, see docs/assumptions.md: Searchable resources.
  [[nodiscard]] Pager<PaymentIntent> search(const PaymentIntentSearchParams& params,
                                            const RequestOptions& options = {}) const;

  /// Retrieves a payment intent.
  /// Assumed, see docs/assumptions.md: Retrieve.
  [[nodiscard]] Result<PaymentIntent> retrieve(const Id<PaymentIntent>& id,
                                               const RequestOptions& options = {}) const;

  /// Changes what is given of a payment intent, and leaves the rest as it is.
  /// Spec: "Limits".
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  [[nodiscard]] Result<PaymentIntent> update(const Id<PaymentIntent>& id,
                                             const PaymentIntentUpdateParams& params,
                                             const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
