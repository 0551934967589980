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

/// A standing order that invoices are made for. The document names it and its quantity.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
struct Subscription {
  static constexpr std::string_view object = "subscription";

  Id<Subscription> id{};               ///< Subscription identifier.
  std::int64_t quantity{};             ///< How much of it, 0 or more.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the subscription was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const Subscription&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Subscription& value);
};

/// Parameters of Subscriptions::create.
struct SubscriptionCreateParams {
  std::optional<std::int64_t> quantity{};    ///< How much of it, 0 or more; 1 if not given.
  std::optional<std::string> description{};  ///< Free text.
  MetadataEdit metadata{};                   ///< Keys to set or to unset, or all of them to unset.

  friend std::ostream& operator<<(std::ostream& out, const SubscriptionCreateParams& value);
};

/// Parameters of Subscriptions::list.
struct SubscriptionListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<Subscription>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<Subscription>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const SubscriptionListParams& value);
};

/// Parameters of Subscriptions::search.
struct SubscriptionSearchParams {
  std::optional<std::string> query{};   ///< Required. What to find, in the query language.
  std::optional<std::int64_t> limit{};  ///< The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::string> page{};    ///< The `next_page` of the page before; none for the first page.
  std::vector<std::string> expand{};    ///< What else to give: `total_count`.

  friend std::ostream& operator<<(std::ostream& out, const SubscriptionSearchParams& value);
};

/// Parameters of Subscriptions::update.
struct SubscriptionUpdateParams {
  std::optional<std::int64_t> quantity{};    ///< How much of it, 0 or more.
  std::optional<std::string> description{};  ///< Free text.
  MetadataEdit metadata{};                   ///< Keys to set or to unset, or all of them to unset.

  friend std::ostream& operator<<(std::ostream& out, const SubscriptionUpdateParams& value);
};

/// Subscriptions: makes, changes and finds them.
/// Thread-safe. Made by Client::subscriptions().
class Subscriptions {
 public:
  explicit Subscriptions(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Creates a subscription.
  /// Spec: "Errors".
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  [[nodiscard]] Result<Subscription> create(const SubscriptionCreateParams& params = {},
                                            const RequestOptions& options = {}) const;

  /// Lists subscriptions, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Subscription> list(const SubscriptionListParams& params = {},
                                         const RequestOptions& options = {}) const;

  /// Finds the subscriptions that a query describes.
  /// Spec: "Search operations".
  /// Assumed, see docs/assumptions.md: Searchable resources.
  [[nodiscard]] Pager<Subscription> search(const SubscriptionSearchParams& params,
                                           const RequestOptions& options = {}) const;

  /// Retrieves a subscription.
  /// Assumed, see docs/assumptions.md: Retrieve.
  [[nodiscard]] Result<Subscription> retrieve(const Id<Subscription>& id,
                                              const RequestOptions& options = {}) const;

  /// Changes what is given of a subscription, such as its quantity, and leaves the rest as it is.
  /// Spec: "Limits".
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  [[nodiscard]] Result<Subscription> update(const Id<Subscription>& id,
                                            const SubscriptionUpdateParams& params,
                                            const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
