// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/payouts.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of Payouts as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::payouts().
class AsyncPayouts {
 public:
  explicit AsyncPayouts(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncPayouts(const AsyncPayouts&) = default;
  AsyncPayouts& operator=(const AsyncPayouts&) = default;
  ~AsyncPayouts() = default;

  /// Creates a payout. See Payouts::create().
  [[nodiscard]] Call<Payout> create(const Borrowed<PayoutCreateParams>& params,
                                    const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists payouts, newest first. See Payouts::list().
  [[nodiscard]] AsyncPager<Payout> list(const Borrowed<PayoutListParams>& params = detail::defaulted,
                                        const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Retrieves a payout. See Payouts::retrieve().
  [[nodiscard]] Call<Payout> retrieve(const Id<Payout>& id,
                                      const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
