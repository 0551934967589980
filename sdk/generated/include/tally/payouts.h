// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tally/id.h>
#include <tally/json.h>
#include <tally/metadata.h>
#include <tally/options.h>
#include <tally/pager.h>
#include <tally/result.h>

namespace tally {

namespace detail {
class Core;
}

/// Money that is paid out. The document names it and shows none of its fields.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
struct Payout {
  static constexpr std::string_view object = "payout";

  Id<Payout> id{};                     ///< Payout identifier.
  std::int64_t amount{};               ///< What is paid out, in the currency's smallest unit.
  std::string currency{};              ///< Lowercase currency code.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the payout was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const Payout&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Payout& value);
};

/// Parameters of Payouts::create.
struct PayoutCreateParams {
  /// Required. What is to be paid out, in the currency's smallest unit.
  std::optional<std::int64_t> amount{};
  /// Required. Lowercase currency code.
  std::optional<std::string> currency{};
  /// Free text.
  std::optional<std::string> description{};
  /// Keys to set or to unset, or all of them to unset.
  MetadataEdit metadata{};

  friend std::ostream& operator<<(std::ostream& out, const PayoutCreateParams& value);
};

/// Parameters of Payouts::list.
struct PayoutListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<Payout>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<Payout>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const PayoutListParams& value);
};

/// Payouts: makes and lists them.
/// Thread-safe. Made by Client::payouts().
class Payouts {
 public:
  explicit Payouts(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Creates a payout.
  /// Spec: "Limits".
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  [[nodiscard]] Result<Payout> create(const PayoutCreateParams& params,
                                      const RequestOptions& options = {}) const;

  /// Lists payouts, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<Payout> list(const PayoutListParams& params = {},
                                   const RequestOptions& options = {}) const;

  /// Retrieves a payout.
  /// Assumed, see docs/assumptions.md: Retrieve.
  [[nodiscard]] Result<Payout> retrieve(const Id<Payout>& id, const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
