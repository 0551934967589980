// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <memory>
#include <utility>

#include <tally/async_pager.h>
#include <tally/call.h>
#include <tally/call_options.h>
#include <tally/issuing_cards.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class AsyncEngine;
}

/// Arguments of AsyncIssuingCards::create.
struct IssuingCardCreateArgs {
  std::optional<std::string_view> description{};  ///< Free text.
  MetadataArg metadata{};                         ///< Sets or unsets keys, or unsets all keys.
};

/// Arguments of AsyncIssuingCards::list.
struct IssuingCardListArgs {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<std::int64_t> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  IdArg<IssuingCard> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  IdArg<IssuingCard> endingBefore{};
};

/// The methods of IssuingCards as asynchronous calls.
/// Thread-safe; may outlive its AsyncClient. Made by AsyncClient::issuingCards().
class AsyncIssuingCards {
 public:
  explicit AsyncIssuingCards(std::shared_ptr<detail::AsyncEngine> engine) : engine_(std::move(engine)) {}
  // No move, which would leave it without a client.
  AsyncIssuingCards(const AsyncIssuingCards&) = default;
  AsyncIssuingCards& operator=(const AsyncIssuingCards&) = default;
  ~AsyncIssuingCards() = default;

  /// Creates a card. See IssuingCards::create().
  [[nodiscard]] Call<IssuingCard> create(const IssuingCardCreateArgs& args = {},
                                         const CallOptions& options = {}) const;

  /// Lists cards, newest first. See IssuingCards::list().
  [[nodiscard]] AsyncPager<IssuingCard> list(const IssuingCardListArgs& args = {},
                                             const CallOptions& options = {}) const;

  /// Retrieves a card. See IssuingCards::retrieve().
  [[nodiscard]] Call<IssuingCard> retrieve(const Id<IssuingCard>& id, const CallOptions& options = {}) const;

 private:
  std::shared_ptr<detail::AsyncEngine> engine_;
};

}  // namespace tally
