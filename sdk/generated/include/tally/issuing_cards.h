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

/// A card that was issued. The document names its creation and shows none of its fields.
/// Spec: "Limits".
/// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
struct IssuingCard {
  static constexpr std::string_view object = "issuing_card";

  Id<IssuingCard> id{};                ///< Card identifier.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the card was created.
  bool livemode{};                     ///< Live mode, or sandbox.
  UnknownFields unknownFields{};       ///< What the service sent beyond the fields above.

  bool operator==(const IssuingCard&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const IssuingCard& value);
};

/// Parameters of IssuingCards::create.
struct IssuingCardCreateParams {
  std::optional<std::string> description{};  ///< Free text.
  MetadataEdit metadata{};                   ///< Keys to set or to unset, or all of them to unset.

  friend std::ostream& operator<<(std::ostream& out, const IssuingCardCreateParams& value);
};

/// Parameters of IssuingCards::list.
struct IssuingCardListParams {
  /// The most objects that a page holds. 1 to 100; 10 if not given.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Not together with `ending_before`.
  std::optional<Id<IssuingCard>> startingAfter{};
  /// Lists the objects before this one. Not together with `starting_after`.
  std::optional<Id<IssuingCard>> endingBefore{};

  friend std::ostream& operator<<(std::ostream& out, const IssuingCardListParams& value);
};

/// Issuing cards: makes and lists them.
/// Thread-safe. Made by Client::issuingCards().
class IssuingCards {
 public:
  explicit IssuingCards(std::shared_ptr<const detail::Core> core) : core_(std::move(core)) {}

  /// Creates a card.
  /// Spec: "Limits".
  /// Assumed, see docs/assumptions.md: Operations and fields of resources that the document only names.
  [[nodiscard]] Result<IssuingCard> create(const IssuingCardCreateParams& params = {},
                                           const RequestOptions& options = {}) const;

  /// Lists cards, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<IssuingCard> list(const IssuingCardListParams& params = {},
                                        const RequestOptions& options = {}) const;

  /// Retrieves a card.
  /// Assumed, see docs/assumptions.md: Retrieve.
  [[nodiscard]] Result<IssuingCard> retrieve(const Id<IssuingCard>& id,
                                             const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::Core> core_;
};

}  // namespace tally
