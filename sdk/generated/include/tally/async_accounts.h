// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/accounts.h>
#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncAccounts::create.
struct AccountCreateArgs {
  std::optional<std::string_view> country{};  ///< Two-letter country code.
  MetadataArg metadata{};                     ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncAccounts::list.
struct AccountListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<Account> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<Account> endingBefore{};
};

/// The methods of Accounts as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::accounts().
class AsyncAccounts {
 public:
  explicit AsyncAccounts(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncAccounts(const AsyncAccounts&) = default;
  AsyncAccounts& operator=(const AsyncAccounts&) = default;
  ~AsyncAccounts() = default;

  /// Creates a connected account. See Accounts::create().
  [[nodiscard]] Call<Account> create(const AccountCreateArgs& args = {},
                                     const CallOptions& options = {}) const;

  /// Lists accounts, newest first. See Accounts::list().
  [[nodiscard]] AsyncPager<Account> list(const AccountListArgs& args = {},
                                         const CallOptions& options = {}) const;

  /// Retrieves an account. See Accounts::retrieve().
  [[nodiscard]] Call<Account> retrieve(const Id<Account>& id, const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
