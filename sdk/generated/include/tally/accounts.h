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
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/metadata.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/result.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// A connected account, in the first of the two account versions. The specification names it but shows none
/// of its fields.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
struct Account {
  static constexpr std::string_view object = "account";

  Id<Account> id{};                    ///< Account identifier.
  std::string country{};               ///< Two-letter country code.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the account was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const Account&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Account& value);
};

/// Parameters of Accounts::create.
template <class O>
struct BasicAccountCreateParams {
  Held<O, std::optional<std::string>> country{};  ///< Two-letter country code.
  Held<O, MetadataEdit> metadata{};               ///< Sets or unsets keys, or unsets all keys.

  operator BasicAccountCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicAccountCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using AccountCreateParams = BasicAccountCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const AccountCreateParams& value);

/// Parameters of Accounts::list.
template <class O>
struct BasicAccountListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<Account>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<Account>>> endingBefore{};

  operator BasicAccountListParams<detail::OppositeOf<O>>() const&;
  operator BasicAccountListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using AccountListParams = BasicAccountListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const AccountListParams& value);

/// Creates, retrieves and lists connected accounts.
/// Thread-safe; may outlive its Client. Made by Client::accounts().
class Accounts {
 public:
  explicit Accounts(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  Accounts(const Accounts&) = default;
  Accounts& operator=(const Accounts&) = default;
  ~Accounts() = default;

  /// Creates a connected account.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<Account> create(const AccountCreateParams& params = {},
                                       const RequestOptions& options = {}) const;

  /// Lists accounts, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Account> list(const AccountListParams& params = {},
                                    const RequestOptions& options = {}) const;

  /// Retrieves an account.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<Account> retrieve(const Id<Account>& id, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
