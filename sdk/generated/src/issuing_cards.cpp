// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/issuing_cards.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field issuingCardFields[] = {
    identifier("ic_", field<&IssuingCard::id>("id", Presence::required)),
    constant("object", "issuing_card"),
    field<&IssuingCard::description>("description", Presence::required),
    field<&IssuingCard::metadata>("metadata", Presence::required),
    field<&IssuingCard::created>("created", Presence::required),
    field<&IssuingCard::livemode>("livemode", Presence::required),
};

constexpr Field issuingCardCreateParamsFields[] = {
    field<&IssuingCardCreateParams::description>("description"),
    field<&IssuingCardCreateParams::metadata>("metadata"),
};

constexpr Field issuingCardListParamsFields[] = {
    between(1, 100, field<&IssuingCardListParams::limit>("limit")),
    excluding("ending_before",
              identifier("ic_", field<&IssuingCardListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("ic_", field<&IssuingCardListParams::endingBefore>("ending_before"))),
};

}  // namespace

template <>
constinit const Struct Schema<IssuingCard>::value = describe<IssuingCard>("issuing_card", issuingCardFields);
template <>
constinit const Struct Schema<IssuingCardCreateParams>::value =
    describe<IssuingCardCreateParams>("issuing_card_create_params", issuingCardCreateParamsFields);
template <>
constinit const Struct Schema<IssuingCardListParams>::value =
    describe<IssuingCardListParams>("issuing_card_list_params", issuingCardListParamsFields);

constinit const Resource issuingCardResource{
    .name = "issuing_card",
    .plural = "issuing_cards",
    .idPrefix = "ic_",
    .model = &Schema<IssuingCard>::value,
};

constinit decltype(issuingCardsCreate) issuingCardsCreate{AnyOperation{
    .name = "issuing_cards.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/issuing/cards",
    .resource = &issuingCardResource,
    .body = BodyEncoding::form,
}};

constinit decltype(issuingCardsList) issuingCardsList{AnyOperation{
    .name = "issuing_cards.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/issuing/cards",
    .resource = &issuingCardResource,
}};

constinit decltype(issuingCardsRetrieve) issuingCardsRetrieve{AnyOperation{
    .name = "issuing_cards.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/issuing/cards/{id}",
    .resource = &issuingCardResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const IssuingCard& value) {
  return detail::print(out, value);
}

template std::string toJson(const IssuingCard& object);
template Result<IssuingCard> fromJson(std::string_view json);

template <class O>
BasicIssuingCardCreateParams<O>::operator BasicIssuingCardCreateParams<detail::OppositeOf<O>>() const& {
  return {.description = description, .metadata = metadata};
}
template struct BasicIssuingCardCreateParams<Owning>;
template struct BasicIssuingCardCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const IssuingCardCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicIssuingCardListParams<O>::operator BasicIssuingCardListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicIssuingCardListParams<Owning>;
template struct BasicIssuingCardListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const IssuingCardListParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
