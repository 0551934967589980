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

/// A recurring order for which invoices are created. The specification names only its quantity.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
struct Subscription {
  static constexpr std::string_view object = "subscription";

  Id<Subscription> id{};               ///< Subscription identifier.
  std::int64_t quantity{};             ///< The quantity, at least 0.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the subscription was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const Subscription&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Subscription& value);
};

/// Parameters of Subscriptions::create.
template <class O>
struct BasicSubscriptionCreateParams {
  std::optional<Integer> quantity{};                  ///< The quantity, at least 0; default 1.
  Held<O, std::optional<std::string>> description{};  ///< Free text.
  Held<O, MetadataEdit> metadata{};                   ///< Sets or unsets keys, or unsets all keys.

  operator BasicSubscriptionCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicSubscriptionCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using SubscriptionCreateParams = BasicSubscriptionCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const SubscriptionCreateParams& value);

/// Parameters of Subscriptions::list.
template <class O>
struct BasicSubscriptionListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<Subscription>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<Subscription>>> endingBefore{};

  operator BasicSubscriptionListParams<detail::OppositeOf<O>>() const&;
  operator BasicSubscriptionListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using SubscriptionListParams = BasicSubscriptionListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const SubscriptionListParams& value);

/// Parameters of Subscriptions::search.
template <class O>
struct BasicSubscriptionSearchParams {
  /// Required. The search query.
  Held<O, std::optional<SearchQuery<Subscription>>> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  Held<O, std::optional<std::string>> page{};
  /// The fields to expand: `total_count`.
  Held<O, std::vector<std::string>> expand{};

  operator BasicSubscriptionSearchParams<detail::OppositeOf<O>>() const&;
  operator BasicSubscriptionSearchParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using SubscriptionSearchParams = BasicSubscriptionSearchParams<Owning>;
std::ostream& operator<<(std::ostream& out, const SubscriptionSearchParams& value);

/// Parameters of Subscriptions::update.
template <class O>
struct BasicSubscriptionUpdateParams {
  std::optional<Integer> quantity{};                  ///< The quantity, at least 0.
  Held<O, std::optional<std::string>> description{};  ///< Free text.
  Held<O, MetadataEdit> metadata{};                   ///< Sets or unsets keys, or unsets all keys.

  operator BasicSubscriptionUpdateParams<detail::OppositeOf<O>>() const&;
  operator BasicSubscriptionUpdateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using SubscriptionUpdateParams = BasicSubscriptionUpdateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const SubscriptionUpdateParams& value);

/// The fields for conditions in a search of Subscriptions. See <tally/search_query.h>.
struct SubscriptionSearchFields {
  static constexpr query::TimeField<Subscription> created{"created"};
  static constexpr query::TextField<Subscription> description{"description"};
  static constexpr query::MetadataField<Subscription> metadata{"metadata"};
  static constexpr query::NumberField<Subscription> quantity{"quantity"};
};

/// Creates, retrieves, updates, lists and searches subscriptions.
/// Thread-safe; may outlive its Client. Made by Client::subscriptions().
class Subscriptions {
 public:
  explicit Subscriptions(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  Subscriptions(const Subscriptions&) = default;
  Subscriptions& operator=(const Subscriptions&) = default;
  ~Subscriptions() = default;

  /// Creates a subscription.
  /// Spec: "Errors".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<Subscription> create(const SubscriptionCreateParams& params = {},
                                            const RequestOptions& options = {}) const;

  /// Lists subscriptions, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Subscription> list(const SubscriptionListParams& params = {},
                                         const RequestOptions& options = {}) const;

  /// Searches subscriptions.
  /// Spec: "Search operations".
  /// Assumed (not specified): Searchable resources.
  [[nodiscard]] Pager<Subscription> search(const SubscriptionSearchParams& params,
                                           const RequestOptions& options = {}) const;

  /// The same with a condition on fields in SubscriptionSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] Pager<Subscription> search(const C& condition, const RequestOptions& options = {}) const {
    return search(SubscriptionSearchParams{.query = condition}, options);
  }

  /// Retrieves a subscription.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<Subscription> retrieve(const Id<Subscription>& id,
                                              const RequestOptions& options = {}) const;

  /// Updates the given fields of a subscription, such as its quantity, and leaves the others unchanged.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<Subscription> update(const Id<Subscription>& id,
                                            const SubscriptionUpdateParams& params,
                                            const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
