// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/metadata.h>
#include <tally/options.h>
#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// A connected account, in the second of the two account versions. The specification names it but shows none
/// of its fields.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
struct CoreAccount {
  static constexpr std::string_view object = "core_account";

  Id<CoreAccount> id{};                ///< Account identifier.
  std::string country{};               ///< Two-letter country code.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the account was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const CoreAccount&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const CoreAccount& value);
};

/// Parameters of CoreAccounts::create.
template <class O>
struct BasicCoreAccountCreateParams {
  Held<O, std::optional<std::string>> country{};  ///< Two-letter country code.
  Held<O, MetadataEdit> metadata{};               ///< Sets or unsets keys, or unsets all keys.

  operator BasicCoreAccountCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicCoreAccountCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using CoreAccountCreateParams = BasicCoreAccountCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const CoreAccountCreateParams& value);

/// Creates connected accounts in the `/v2` namespace.
/// Thread-safe; may outlive its Client. Made by Client::coreAccounts().
class CoreAccounts {
 public:
  explicit CoreAccounts(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  CoreAccounts(const CoreAccounts&) = default;
  CoreAccounts& operator=(const CoreAccounts&) = default;
  ~CoreAccounts() = default;

  /// Creates a connected account.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<CoreAccount> create(const CoreAccountCreateParams& params = {},
                                           const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
