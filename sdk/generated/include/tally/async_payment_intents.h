// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/payment_intents.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncPaymentIntents::create.
struct PaymentIntentCreateArgs {
  /// Required. The amount to collect, in the currency's smallest unit.
  std::optional<std::int64_t> amount{};
  /// Required. Lowercase currency code.
  std::optional<std::string_view> currency{};
  /// Free text.
  std::optional<std::string_view> description{};
  /// Sets or unsets keys, or unsets all keys.
  MetadataArg metadata{};
};

/// Arguments of AsyncPaymentIntents::list.
struct PaymentIntentListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<PaymentIntent> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<PaymentIntent> endingBefore{};
};

/// Arguments of AsyncPaymentIntents::search.
struct PaymentIntentSearchArgs {
  /// Required. The search query.
  std::optional<std::string_view> query{};
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// The `next_page` of the previous page; omitted for the first page.
  std::optional<std::string_view> page{};
  /// The fields to expand: `total_count`.
  TextsArg expand{};
};

/// Arguments of AsyncPaymentIntents::update.
struct PaymentIntentUpdateArgs {
  std::optional<std::string_view> description{};  ///< Free text.
  MetadataArg metadata{};                         ///< Sets or unsets keys, or unsets all keys.
};

/// The methods of PaymentIntents as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::paymentIntents().
class AsyncPaymentIntents {
 public:
  explicit AsyncPaymentIntents(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncPaymentIntents(const AsyncPaymentIntents&) = default;
  AsyncPaymentIntents& operator=(const AsyncPaymentIntents&) = default;
  ~AsyncPaymentIntents() = default;

  /// Creates a payment intent. See PaymentIntents::create().
  [[nodiscard]] Call<PaymentIntent> create(const PaymentIntentCreateArgs& args,
                                           const CallOptions& options = {}) const;

  /// Lists payment intents, newest first. See PaymentIntents::list().
  [[nodiscard]] AsyncPager<PaymentIntent> list(const PaymentIntentListArgs& args = {},
                                               const CallOptions& options = {}) const;

  /// Searches payment intents. See PaymentIntents::search().
  [[nodiscard]] AsyncPager<PaymentIntent> search(const PaymentIntentSearchArgs& args,
                                                 const CallOptions& options = {}) const;

  /// Retrieves a payment intent. See PaymentIntents::retrieve().
  [[nodiscard]] Call<PaymentIntent> retrieve(const Id<PaymentIntent>& id,
                                             const CallOptions& options = {}) const;

  /// Updates the given fields of a payment intent and leaves the others unchanged. See
  /// PaymentIntents::update().
  [[nodiscard]] Call<PaymentIntent> update(const Id<PaymentIntent>& id, const PaymentIntentUpdateArgs& args,
                                           const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
