// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <memory>
#include <utility>

#include <tally/accounts.h>
#include <tally/async_pager.h>
#include <tally/borrowed.h>
#include <tally/call.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// The methods of Accounts as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::accounts().
class AsyncAccounts {
 public:
  explicit AsyncAccounts(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move operations: a move would leave the source without a client.
  AsyncAccounts(const AsyncAccounts&) = default;
  AsyncAccounts& operator=(const AsyncAccounts&) = default;
  ~AsyncAccounts() = default;

  /// Creates a connected account. See Accounts::create().
  [[nodiscard]] Call<Account> create(const Borrowed<AccountCreateParams>& params = detail::defaulted,
                                     const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Lists accounts, newest first. See Accounts::list().
  [[nodiscard]] AsyncPager<Account> list(const Borrowed<AccountListParams>& params = detail::defaulted,
                                         const Borrowed<RequestOptions>& options = detail::defaulted) const;

  /// Retrieves an account. See Accounts::retrieve().
  [[nodiscard]] Call<Account> retrieve(const Id<Account>& id,
                                       const Borrowed<RequestOptions>& options = detail::defaulted) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
