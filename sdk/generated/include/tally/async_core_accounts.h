// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/core_accounts.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncCoreAccounts::create.
struct CoreAccountCreateArgs {
  std::optional<std::string_view> country{};  ///< Two-letter country code.
  MetadataArg metadata{};                     ///< Sets or unsets keys, or unsets all keys.
};

/// The methods of CoreAccounts as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::coreAccounts().
class AsyncCoreAccounts {
 public:
  explicit AsyncCoreAccounts(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncCoreAccounts(const AsyncCoreAccounts&) = default;
  AsyncCoreAccounts& operator=(const AsyncCoreAccounts&) = default;
  ~AsyncCoreAccounts() = default;

  /// Creates a connected account. See CoreAccounts::create().
  [[nodiscard]] Call<CoreAccount> create(const CoreAccountCreateArgs& args = {},
                                         const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
