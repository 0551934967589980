// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/subscriptions.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of Subscriptions as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::subscriptions().
class AsyncSubscriptions {
 public:
  explicit AsyncSubscriptions(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncSubscriptions(const AsyncSubscriptions&) = default;
  AsyncSubscriptions& operator=(const AsyncSubscriptions&) = default;
  ~AsyncSubscriptions() = default;

  /// Creates a subscription. See Subscriptions::create().
  [[nodiscard]] Call<Subscription> create(
      const Borrowed<SubscriptionCreateParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists subscriptions, newest first. See Subscriptions::list().
  [[nodiscard]] AsyncPager<Subscription> list(
      const Borrowed<SubscriptionListParams>& params = detail::defaulted,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Searches subscriptions. See Subscriptions::search().
  [[nodiscard]] AsyncPager<Subscription> search(
      const Borrowed<SubscriptionSearchParams>& params,
      const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// The same with a condition on fields in SubscriptionSearchFields.
  template <query::IsCondition C>
  [[nodiscard]] AsyncPager<Subscription> search(
      const C& condition, const Borrowed<RequestOptions>& options = detail::defaulted) const {
    return search(Borrowed<SubscriptionSearchParams>{.query = condition}, options);
  }

  /// Retrieves a subscription. See Subscriptions::retrieve().
  [[nodiscard]] Call<Subscription> retrieve(
      const Id<Subscription>& id, const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Updates the given fields of a subscription, such as its quantity, and leaves the others unchanged. See
  /// Subscriptions::update().
  [[nodiscard]] Call<Subscription> update(const Id<Subscription>& id,
                                          const Borrowed<SubscriptionUpdateParams>& params,
                                          const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
