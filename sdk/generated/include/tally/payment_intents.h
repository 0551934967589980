// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
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

/// The intent to collect a payment. The specification names it but shows none of its fields.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
struct PaymentIntent {
  static constexpr std::string_view object = "payment_intent";

  Id<PaymentIntent> id{};              ///< Payment intent identifier.
  std::int64_t amount{};               ///< The amount to collect, in the currency's smallest unit.
  std::string currency{};              ///< Lowercase currency code.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the payment intent was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const PaymentIntent&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PaymentIntent& value);
};

/// Parameters of PaymentIntents::create.
template <class O>
struct BasicPaymentIntentCreateParams {
  /// Required. The amount to collect, in the currency's smallest unit.
  std::optional<Integer> amount{};
  /// Required. Lowercase currency code.
  Held<O, std::optional<std::string>> currency{};
  /// Free text.
  Held<O, std::optional<std::string>> description{};
  /// Sets or unsets keys, or unsets all keys.
  Held<O, MetadataEdit> metadata{};

  operator BasicPaymentIntentCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentIntentCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentIntentCreateParams = BasicPaymentIntentCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentIntentCreateParams& value);

/// Parameters of PaymentIntents::list.
template <class O>
struct BasicPaymentIntentListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<PaymentIntent>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<PaymentIntent>>> endingBefore{};

  operator BasicPaymentIntentListParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentIntentListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentIntentListParams = BasicPaymentIntentListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentIntentListParams& value);

/// Parameters of PaymentIntents::search.
template <class O>
struct BasicPaymentIntentSearchParams {
  /// Required. The search query.
  Held<O, std::optional<SearchQuery<PaymentIntent>>> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  Held<O, std::optional<std::string>> page{};
  /// The fields to expand: `total_count`.
  Held<O, std::vector<std::string>> expand{};

  operator BasicPaymentIntentSearchParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentIntentSearchParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentIntentSearchParams = BasicPaymentIntentSearchParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentIntentSearchParams& value);

/// Parameters of PaymentIntents::update.
template <class O>
struct BasicPaymentIntentUpdateParams {
  Held<O, std::optional<std::string>> description{};  ///< Free text.
  Held<O, MetadataEdit> metadata{};                   ///< Sets or unsets keys, or unsets all keys.

  operator BasicPaymentIntentUpdateParams<detail::OppositeOf<O>>() const&;
  operator BasicPaymentIntentUpdateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PaymentIntentUpdateParams = BasicPaymentIntentUpdateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PaymentIntentUpdateParams& value);

/// The fields for conditions in a search of PaymentIntents. See <tally/search_query.h>.
struct PaymentIntentSearchFields {
  static constexpr query::NumberField<PaymentIntent> amount{"amount"};
  static constexpr query::TimeField<PaymentIntent> created{"created"};
  static constexpr query::TextField<PaymentIntent> currency{"currency"};
  static constexpr query::TextField<PaymentIntent> description{"description"};
  static constexpr query::MetadataField<PaymentIntent> metadata{"metadata"};
};

/// Creates, retrieves, updates, lists and searches payment intents.
/// Thread-safe; may outlive its Client. Made by Client::paymentIntents().
class PaymentIntents {
 public:
  explicit PaymentIntents(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  PaymentIntents(const PaymentIntents&) = default;
  PaymentIntents& operator=(const PaymentIntents&) = default;
  ~PaymentIntents() = default;

  /// Creates a payment intent.
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<PaymentIntent> create(const PaymentIntentCreateParams& params,
                                             const RequestOptions& options = {}) const;

  /// Lists payment intents, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<PaymentIntent> list(const PaymentIntentListParams& params = {},
                                          const RequestOptions& options = {}) const;

  /// Searches payment intents.
  /// Spec: "Search operations".
  /// Assumed (not specified): Searchable resources.
  [[nodiscard]] Pager<PaymentIntent> search(const PaymentIntentSearchParams& params,
                                            const RequestOptions& options = {}) const;

  /// The same with a condition on fields in PaymentIntentSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] Pager<PaymentIntent> search(const C& condition, const RequestOptions& options = {}) const {
    return search(PaymentIntentSearchParams{.query = condition}, options);
  }

  /// Retrieves a payment intent.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<PaymentIntent> retrieve(const Id<PaymentIntent>& id,
                                               const RequestOptions& options = {}) const;

  /// Updates the given fields of a payment intent and leaves the others unchanged.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<PaymentIntent> update(const Id<PaymentIntent>& id,
                                             const PaymentIntentUpdateParams& params,
                                             const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
