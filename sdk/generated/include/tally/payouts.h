// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstdint>
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

/// A payout. The specification names it but shows none of its fields.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
struct Payout {
  static constexpr std::string_view object = "payout";

  Id<Payout> id{};                     ///< Payout identifier.
  std::int64_t amount{};               ///< The amount paid out, in the currency's smallest unit.
  std::string currency{};              ///< Lowercase currency code.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the payout was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const Payout&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Payout& value);
};

/// Parameters of Payouts::create.
template <class O>
struct BasicPayoutCreateParams {
  /// Required. The amount to pay out, in the currency's smallest unit.
  std::optional<Integer> amount{};
  /// Required. Lowercase currency code.
  Held<O, std::optional<std::string>> currency{};
  /// Free text.
  Held<O, std::optional<std::string>> description{};
  /// Sets or unsets keys, or unsets all keys.
  Held<O, MetadataEdit> metadata{};

  operator BasicPayoutCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicPayoutCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PayoutCreateParams = BasicPayoutCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PayoutCreateParams& value);

/// Parameters of Payouts::list.
template <class O>
struct BasicPayoutListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<Payout>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<Payout>>> endingBefore{};

  operator BasicPayoutListParams<detail::OppositeOf<O>>() const&;
  operator BasicPayoutListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using PayoutListParams = BasicPayoutListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const PayoutListParams& value);

/// Creates, retrieves and lists payouts.
/// Thread-safe; may outlive its Client. Made by Client::payouts().
class Payouts {
 public:
  explicit Payouts(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  Payouts(const Payouts&) = default;
  Payouts& operator=(const Payouts&) = default;
  ~Payouts() = default;

  /// Creates a payout.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<Payout> create(const PayoutCreateParams& params,
                                      const RequestOptions& options = {}) const;

  /// Lists payouts, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Payout> list(const PayoutListParams& params = {},
                                   const RequestOptions& options = {}) const;

  /// Retrieves a payout.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<Payout> retrieve(const Id<Payout>& id, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
