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

/// An issued card. The specification names its creation but shows none of its fields.
/// Spec: "Limits".
/// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
struct IssuingCard {
  static constexpr std::string_view object = "issuing_card";

  Id<IssuingCard> id{};                ///< Card identifier.
  std::string description{};           ///< Free text.
  Metadata metadata{};                 ///< Key-value pairs attached by the caller.
  std::chrono::sys_seconds created{};  ///< When the card was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const IssuingCard&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const IssuingCard& value);
};

/// Parameters of IssuingCards::create.
template <class O>
struct BasicIssuingCardCreateParams {
  Held<O, std::optional<std::string>> description{};  ///< Free text.
  Held<O, MetadataEdit> metadata{};                   ///< Sets or unsets keys, or unsets all keys.

  operator BasicIssuingCardCreateParams<detail::OppositeOf<O>>() const&;
  operator BasicIssuingCardCreateParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using IssuingCardCreateParams = BasicIssuingCardCreateParams<Owning>;
std::ostream& operator<<(std::ostream& out, const IssuingCardCreateParams& value);

/// Parameters of IssuingCards::list.
template <class O>
struct BasicIssuingCardListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<IssuingCard>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<IssuingCard>>> endingBefore{};

  operator BasicIssuingCardListParams<detail::OppositeOf<O>>() const&;
  operator BasicIssuingCardListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using IssuingCardListParams = BasicIssuingCardListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const IssuingCardListParams& value);

/// Creates, retrieves and lists cards.
/// Thread-safe; may outlive its Client. Made by Client::issuingCards().
class IssuingCards {
 public:
  explicit IssuingCards(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  IssuingCards(const IssuingCards&) = default;
  IssuingCards& operator=(const IssuingCards&) = default;
  ~IssuingCards() = default;

  /// Creates a card.
  /// Spec: "Limits".
  /// Assumed (not specified): Operations and fields of resources that the specification mentions but does not describe.
  [[nodiscard]] Result<IssuingCard> create(const IssuingCardCreateParams& params = {},
                                           const RequestOptions& options = {}) const;

  /// Lists cards, newest first.
  /// Spec: "List operations".
  [[nodiscard]] Pager<IssuingCard> list(const IssuingCardListParams& params = {},
                                        const RequestOptions& options = {}) const;

  /// Retrieves a card.
  /// Assumed (not specified): The retrieve operation.
  [[nodiscard]] Result<IssuingCard> retrieve(const Id<IssuingCard>& id,
                                             const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
