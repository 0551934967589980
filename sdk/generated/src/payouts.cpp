// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/payouts.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field payoutFields[] = {
    identifier("po_", field<&Payout::id>("id", Presence::required)),
    constant("object", "payout"),
    field<&Payout::amount>("amount", Presence::required),
    lowercase(3, field<&Payout::currency>("currency", Presence::required)),
    field<&Payout::description>("description", Presence::required),
    field<&Payout::metadata>("metadata", Presence::required),
    field<&Payout::created>("created", Presence::required),
    field<&Payout::livemode>("livemode", Presence::required),
};

constexpr Field payoutCreateParamsFields[] = {
    field<&PayoutCreateParams::amount>("amount", Presence::required),
    lowercase(3, field<&PayoutCreateParams::currency>("currency", Presence::required)),
    field<&PayoutCreateParams::description>("description"),
    field<&PayoutCreateParams::metadata>("metadata"),
};

constexpr Field payoutListParamsFields[] = {
    between(1, 100, field<&PayoutListParams::limit>("limit")),
    excluding("ending_before", identifier("po_", field<&PayoutListParams::startingAfter>("starting_after"))),
    excluding("starting_after", identifier("po_", field<&PayoutListParams::endingBefore>("ending_before"))),
};

}  // namespace

template <>
constinit const Struct Schema<Payout>::value = describe<Payout>("payout", payoutFields);
template <>
constinit const Struct Schema<PayoutCreateParams>::value =
    describe<PayoutCreateParams>("payout_create_params", payoutCreateParamsFields);
template <>
constinit const Struct Schema<PayoutListParams>::value =
    describe<PayoutListParams>("payout_list_params", payoutListParamsFields);

constinit const Resource payoutResource{
    .name = "payout",
    .plural = "payouts",
    .idPrefix = "po_",
    .model = &Schema<Payout>::value,
};

constinit decltype(payoutsCreate) payoutsCreate{AnyOperation{
    .name = "payouts.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/payouts",
    .resource = &payoutResource,
    .body = BodyEncoding::form,
}};

constinit decltype(payoutsList) payoutsList{AnyOperation{
    .name = "payouts.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/payouts",
    .resource = &payoutResource,
}};

constinit decltype(payoutsRetrieve) payoutsRetrieve{AnyOperation{
    .name = "payouts.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/payouts/{id}",
    .resource = &payoutResource,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const Payout& value) {
  return detail::print(out, value);
}

template std::string toJson(const Payout& object);
template Result<Payout> fromJson(std::string_view json);

template <class O>
BasicPayoutCreateParams<O>::operator BasicPayoutCreateParams<detail::OppositeOf<O>>() const& {
  return {.amount = amount, .currency = currency, .description = description, .metadata = metadata};
}
template struct BasicPayoutCreateParams<Owning>;
template struct BasicPayoutCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PayoutCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPayoutListParams<O>::operator BasicPayoutListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicPayoutListParams<Owning>;
template struct BasicPayoutListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PayoutListParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
