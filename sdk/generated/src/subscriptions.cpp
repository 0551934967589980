// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/subscriptions.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

namespace {

constexpr Field subscriptionFields[] = {
    identifier("sub_", field<&Subscription::id>("id", Presence::required)),
    constant("object", "subscription"),
    atLeast(0, field<&Subscription::quantity>("quantity", Presence::required)),
    field<&Subscription::description>("description", Presence::required),
    field<&Subscription::metadata>("metadata", Presence::required),
    field<&Subscription::created>("created", Presence::required),
    field<&Subscription::livemode>("livemode", Presence::required),
};

constexpr Field subscriptionCreateParamsFields[] = {
    atLeast(0, field<&SubscriptionCreateParams::quantity>("quantity")),
    field<&SubscriptionCreateParams::description>("description"),
    field<&SubscriptionCreateParams::metadata>("metadata"),
};

constexpr Field subscriptionListParamsFields[] = {
    between(1, 100, field<&SubscriptionListParams::limit>("limit")),
    excluding("ending_before",
              identifier("sub_", field<&SubscriptionListParams::startingAfter>("starting_after"))),
    excluding("starting_after",
              identifier("sub_", field<&SubscriptionListParams::endingBefore>("ending_before"))),
};

constexpr Field subscriptionSearchParamsFields[] = {
    field<&SubscriptionSearchParams::query>("query", Presence::required),
    between(1, 100, field<&SubscriptionSearchParams::limit>("limit")),
    field<&SubscriptionSearchParams::page>("page"),
    field<&SubscriptionSearchParams::expand>("expand"),
};

constexpr Field subscriptionUpdateParamsFields[] = {
    atLeast(0, field<&SubscriptionUpdateParams::quantity>("quantity")),
    field<&SubscriptionUpdateParams::description>("description"),
    field<&SubscriptionUpdateParams::metadata>("metadata"),
};

}  // namespace

template <>
constinit const Struct Schema<Subscription>::value =
    describe<Subscription>("subscription", subscriptionFields);
template <>
constinit const Struct Schema<SubscriptionCreateParams>::value =
    describe<SubscriptionCreateParams>("subscription_create_params", subscriptionCreateParamsFields);
template <>
constinit const Struct Schema<SubscriptionListParams>::value =
    describe<SubscriptionListParams>("subscription_list_params", subscriptionListParamsFields);
template <>
constinit const Struct Schema<SubscriptionSearchParams>::value =
    describe<SubscriptionSearchParams>("subscription_search_params", subscriptionSearchParamsFields);
template <>
constinit const Struct Schema<SubscriptionUpdateParams>::value =
    describe<SubscriptionUpdateParams>("subscription_update_params", subscriptionUpdateParamsFields);

constinit const Resource subscriptionResource{
    .name = "subscription",
    .plural = "subscriptions",
    .idPrefix = "sub_",
    .model = &Schema<Subscription>::value,
};

constinit decltype(subscriptionsCreate) subscriptionsCreate{AnyOperation{
    .name = "subscriptions.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/subscriptions",
    .resource = &subscriptionResource,
    .body = BodyEncoding::form,
}};

constinit decltype(subscriptionsList) subscriptionsList{AnyOperation{
    .name = "subscriptions.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/subscriptions",
    .resource = &subscriptionResource,
}};

constinit decltype(subscriptionsSearch) subscriptionsSearch{AnyOperation{
    .name = "subscriptions.search",
    .kind = OperationKind::search,
    .method = Method::get,
    .path = "/v1/subscriptions/search",
    .resource = &subscriptionResource,
}};

constinit decltype(subscriptionsRetrieve) subscriptionsRetrieve{AnyOperation{
    .name = "subscriptions.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/subscriptions/{id}",
    .resource = &subscriptionResource,
}};

constinit decltype(subscriptionsUpdate) subscriptionsUpdate{AnyOperation{
    .name = "subscriptions.update",
    .kind = OperationKind::update,
    .method = Method::post,
    .path = "/v1/subscriptions/{id}",
    .resource = &subscriptionResource,
    .body = BodyEncoding::form,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

std::ostream& operator<<(std::ostream& out, const Subscription& value) {
  return detail::print(out, value);
}

template std::string toJson(const Subscription& object);
template Result<Subscription> fromJson(std::string_view json);

template <class O>
BasicSubscriptionCreateParams<O>::operator BasicSubscriptionCreateParams<detail::OppositeOf<O>>() const& {
  return {.quantity = quantity, .description = description, .metadata = metadata};
}
template struct BasicSubscriptionCreateParams<Owning>;
template struct BasicSubscriptionCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const SubscriptionCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicSubscriptionListParams<O>::operator BasicSubscriptionListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore};
}
template struct BasicSubscriptionListParams<Owning>;
template struct BasicSubscriptionListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const SubscriptionListParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicSubscriptionSearchParams<O>::operator BasicSubscriptionSearchParams<detail::OppositeOf<O>>() const& {
  return {.query = query, .limit = limit, .page = page, .expand = expand};
}
template struct BasicSubscriptionSearchParams<Owning>;
template struct BasicSubscriptionSearchParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const SubscriptionSearchParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicSubscriptionUpdateParams<O>::operator BasicSubscriptionUpdateParams<detail::OppositeOf<O>>() const& {
  return {.quantity = quantity, .description = description, .metadata = metadata};
}
template struct BasicSubscriptionUpdateParams<Owning>;
template struct BasicSubscriptionUpdateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const SubscriptionUpdateParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
