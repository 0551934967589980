// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/borrowed.h>
#include <tally/call.h>
#include <tally/core_accounts.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of CoreAccounts as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::coreAccounts().
class AsyncCoreAccounts {
 public:
  explicit AsyncCoreAccounts(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncCoreAccounts(const AsyncCoreAccounts&) = default;
  AsyncCoreAccounts& operator=(const AsyncCoreAccounts&) = default;
  ~AsyncCoreAccounts() = default;

  /// Creates a connected account. See CoreAccounts::create().
  [[nodiscard]] Call<CoreAccount> create(const Borrowed<CoreAccountCreateParams>& params = detail::defaulted,
                                         const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
