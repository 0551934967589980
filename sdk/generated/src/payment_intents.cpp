// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/payment_intents.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field paymentIntentFields[] = {
    identifier("pi_", field<&PaymentIntent::id>("id", Presence::required)),
    constant("object", "payment_intent"),
    field<&PaymentIntent::amount>("amount", Presence::required),
    lowercase(3, field<&PaymentIntent::currency>("currency", Presence::required)),
    field<&PaymentIntent::description>("description", Presence::required),
    field<&PaymentIntent::metadata>("metadata", Presence::required),
    field<&PaymentIntent::created>("created", Presence::required),
    field<&PaymentIntent::livemode>("livemode", Presence::required),
};

constexpr Field paymentIntentCreateParamsFields[] = {
    field<&PaymentIntentCreateParams::amount>("amount", Presence::required),
    lowercase(3, field<&PaymentIntentCreateParams::currency>("currency", Presence::required)),
    field<&PaymentIntentCreateParams::description>("description"),
    field<&PaymentIntentCreateParams::metadata>("metadata"),
};

constexpr Field paymentIntentListParamsFields[] = {
    between(1, 100, field<&PaymentIntentListParams::limit>("limit")),
    excluding("ending_before",
              identifier("pi_", field<&PaymentIntentListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("pi_", field<&PaymentIntentListParams::endingBefore>("ending_before"))),
};

constexpr Field paymentIntentSearchParamsFields[] = {
    field<&PaymentIntentSearchParams::query>("query", Presence::required),
    between(1, 100, field<&PaymentIntentSearchParams::limit>("limit")),
    field<&PaymentIntentSearchParams::page>("page"),
    field<&PaymentIntentSearchParams::expand>("expand"),
};

constexpr Field paymentIntentUpdateParamsFields[] = {
    field<&PaymentIntentUpdateParams::description>("description"),
    field<&PaymentIntentUpdateParams::metadata>("metadata"),
};

}  // namespace

template <>
constinit const Struct Schema<PaymentIntent>::value =
    describe<PaymentIntent>("payment_intent", paymentIntentFields);
template <>
constinit const Struct Schema<PaymentIntentCreateParams>::value =
    describe<PaymentIntentCreateParams>("payment_intent_create_params", paymentIntentCreateParamsFields);
template <>
constinit const Struct Schema<PaymentIntentListParams>::value =
    describe<PaymentIntentListParams>("payment_intent_list_params", paymentIntentListParamsFields);
template <>
constinit const Struct Schema<PaymentIntentSearchParams>::value =
    describe<PaymentIntentSearchParams>("payment_intent_search_params", paymentIntentSearchParamsFields);
template <>
constinit const Struct Schema<PaymentIntentUpdateParams>::value =
    describe<PaymentIntentUpdateParams>("payment_intent_update_params", paymentIntentUpdateParamsFields);

constinit const Resource paymentIntentResource{
    .name = "payment_intent",
    .plural = "payment_intents",
    .idPrefix = "pi_",
    .model = &Schema<PaymentIntent>::value,
};

constinit decltype(paymentIntentsCreate) paymentIntentsCreate{AnyOperation{
    .name = "payment_intents.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/payment_intents",
    .resource = &paymentIntentResource,
    .body = BodyEncoding::form,
}};

constinit decltype(paymentIntentsList) paymentIntentsList{AnyOperation{
    .name = "payment_intents.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/payment_intents",
    .resource = &paymentIntentResource,
}};

constinit decltype(paymentIntentsSearch) paymentIntentsSearch{AnyOperation{
    .name = "payment_intents.search",
    .kind = OperationKind::search,
    .method = Method::get,
    .path = "/v1/payment_intents/search",
    .resource = &paymentIntentResource,
}};

constinit decltype(paymentIntentsRetrieve) paymentIntentsRetrieve{AnyOperation{
    .name = "payment_intents.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/payment_intents/{id}",
    .resource = &paymentIntentResource,
}};

constinit decltype(paymentIntentsUpdate) paymentIntentsUpdate{AnyOperation{
    .name = "payment_intents.update",
    .kind = OperationKind::update,
    .method = Method::post,
    .path = "/v1/payment_intents/{id}",
    .resource = &paymentIntentResource,
    .body = BodyEncoding::form,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const PaymentIntent& value) {
  return detail::print(out, value);
}

template std::string toJson(const PaymentIntent& object);
template Result<PaymentIntent> fromJson(std::string_view json);

template <class O>
BasicPaymentIntentCreateParams<O>::operator BasicPaymentIntentCreateParams<detail::OppositeOf<O>>() const& {
  return {.amount = amount, .currency = currency, .description = description, .metadata = metadata};
}
template struct BasicPaymentIntentCreateParams<Owning>;
template struct BasicPaymentIntentCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentIntentCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPaymentIntentListParams<O>::operator BasicPaymentIntentListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicPaymentIntentListParams<Owning>;
template struct BasicPaymentIntentListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentIntentListParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPaymentIntentSearchParams<O>::operator BasicPaymentIntentSearchParams<detail::OppositeOf<O>>() const& {
  return {.query = query, .limit = limit, .page = page, .expand = expand};
}
template struct BasicPaymentIntentSearchParams<Owning>;
template struct BasicPaymentIntentSearchParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentIntentSearchParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicPaymentIntentUpdateParams<O>::operator BasicPaymentIntentUpdateParams<detail::OppositeOf<O>>() const& {
  return {.description = description, .metadata = metadata};
}
template struct BasicPaymentIntentUpdateParams<Owning>;
template struct BasicPaymentIntentUpdateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const PaymentIntentUpdateParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
