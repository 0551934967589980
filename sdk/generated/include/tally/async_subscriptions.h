// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/subscriptions.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncSubscriptions::create.
struct SubscriptionCreateArgs {
  std::optional<std::int64_t> quantity{};         ///< The quantity, at least 0; default 1.
  std::optional<std::string_view> description{};  ///< Free text.
  MetadataArg metadata{};                         ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncSubscriptions::list.
struct SubscriptionListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<Subscription> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<Subscription> endingBefore{};
};

/// Arguments of AsyncSubscriptions::search.
struct SubscriptionSearchArgs {
  /// Required. The search query.
  std::optional<std::string_view> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  std::optional<std::string_view> page{};
  /// The fields to expand: `total_count`.
  TextsArg expand{};
};

/// Arguments of AsyncSubscriptions::update.
struct SubscriptionUpdateArgs {
  std::optional<std::int64_t> quantity{};         ///< The quantity, at least 0.
  std::optional<std::string_view> description{};  ///< Free text.
  MetadataArg metadata{};                         ///< Sets or unsets keys, or unsets all keys.
};

/// The methods of Subscriptions as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::subscriptions().
class AsyncSubscriptions {
 public:
  explicit AsyncSubscriptions(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncSubscriptions(const AsyncSubscriptions&) = default;
  AsyncSubscriptions& operator=(const AsyncSubscriptions&) = default;
  ~AsyncSubscriptions() = default;

  /// Creates a subscription. See Subscriptions::create().
  [[nodiscard]] Call<Subscription> create(const SubscriptionCreateArgs& args = {},
                                          const CallOptions& options = {}) const;

  /// Lists subscriptions, newest first. See Subscriptions::list().
  [[nodiscard]] AsyncPager<Subscription> list(const SubscriptionListArgs& args = {},
                                              const CallOptions& options = {}) const;

  /// Searches subscriptions. See Subscriptions::search().
  [[nodiscard]] AsyncPager<Subscription> search(const SubscriptionSearchArgs& args,
                                                const CallOptions& options = {}) const;

  /// Retrieves a subscription. See Subscriptions::retrieve().
  [[nodiscard]] Call<Subscription> retrieve(const Id<Subscription>& id,
                                            const CallOptions& options = {}) const;

  /// Updates the given fields of a subscription, such as its quantity, and leaves the others unchanged. See
  /// Subscriptions::update().
  [[nodiscard]] Call<Subscription> update(const Id<Subscription>& id, const SubscriptionUpdateArgs& args,
                                          const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
