// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/payouts.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncPayouts::create.
struct PayoutCreateArgs {
  /// Required. The amount to pay out, in the currency's smallest unit.
  std::optional<std::int64_t> amount{};
  /// Required. Lowercase currency code.
  std::optional<std::string_view> currency{};
  /// Free text.
  std::optional<std::string_view> description{};
  /// Sets or unsets keys, or unsets all keys.
  MetadataArg metadata{};
};

/// Arguments of AsyncPayouts::list.
struct PayoutListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<Payout> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<Payout> endingBefore{};
};

/// The methods of Payouts as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::payouts().
class AsyncPayouts {
 public:
  explicit AsyncPayouts(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncPayouts(const AsyncPayouts&) = default;
  AsyncPayouts& operator=(const AsyncPayouts&) = default;
  ~AsyncPayouts() = default;

  /// Creates a payout. See Payouts::create().
  [[nodiscard]] Call<Payout> create(const PayoutCreateArgs& args, const CallOptions& options = {}) const;

  /// Lists payouts, newest first. See Payouts::list().
  [[nodiscard]] AsyncPager<Payout> list(const PayoutListArgs& args = {},
                                        const CallOptions& options = {}) const;

  /// Retrieves a payout. See Payouts::retrieve().
  [[nodiscard]] Call<Payout> retrieve(const Id<Payout>& id, const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
