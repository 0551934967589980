// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/gadgets.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally {

namespace detail {

template <>
const Struct Schema<WidgetSize>::value;

namespace {

constexpr Field gadgetFields[] = {
    identifier("gdg_", field<&Gadget::id>("id", Presence::required)),
    constant("object", "gadget"),
    field<&Gadget::created>("created", Presence::required),
    field<&Gadget::livemode>("livemode", Presence::required),
    field<&Gadget::title>("title", Presence::required),
    field<&Gadget::purposes>("purposes"),
    field<&Gadget::settings>("settings"),
    identifier("wdg_", field<&Gadget::favourite>("favourite")),
    field<&Gadget::size>("size"),
    field<&Gadget::metadata>("metadata", Presence::required),
};

constexpr Field gadgetCreateParamsFields[] = {
    field<&GadgetCreateParams::title>("title", Presence::required),
    field<&GadgetCreateParams::purposes>("purposes"),
    field<&GadgetCreateParams::settings>("settings"),
    identifier("wdg_", field<&GadgetCreateParams::favourite>("favourite")),
    field<&GadgetCreateParams::metadata>("metadata"),
};

constexpr Field gadgetUpdateParamsFields[] = {
    field<&GadgetUpdateParams::title>("title"),
    field<&GadgetUpdateParams::metadata>("metadata"),
};

}  // namespace

template <>
constinit const Struct Schema<Gadget>::value = describe<Gadget>("gadget", gadgetFields);
template <>
constinit const Struct Schema<GadgetCreateParams>::value =
    describe<GadgetCreateParams>("gadget_create_params", gadgetCreateParamsFields);
template <>
constinit const Struct Schema<GadgetUpdateParams>::value =
    describe<GadgetUpdateParams>("gadget_update_params", gadgetUpdateParamsFields);

constinit const Resource gadgetResource{
    .name = "gadget",
    .plural = "gadgets",
    .idPrefix = "gdg_",
    .model = &Schema<Gadget>::value,
};

constinit decltype(gadgetsCreate) gadgetsCreate{AnyOperation{
    .name = "gadgets.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v2/gadgets",
    .resource = &gadgetResource,
    .body = BodyEncoding::json,
}};

constinit decltype(gadgetsRetrieve) gadgetsRetrieve{AnyOperation{
    .name = "gadgets.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v2/gadgets/{id}",
    .resource = &gadgetResource,
}};

constinit decltype(gadgetsUpdate) gadgetsUpdate{AnyOperation{
    .name = "gadgets.update",
    .kind = OperationKind::update,
    .method = Method::post,
    .path = "/v2/gadgets/{id}",
    .resource = &gadgetResource,
    .body = BodyEncoding::json,
}};

}  // namespace detail

std::ostream& operator<<(std::ostream& out, const Gadget& value) {
  return detail::print(out, value);
}

template std::string toJson(const Gadget& object);
template Result<Gadget> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const GadgetCreateParams& value) {
  return detail::print(out, value);
}

std::ostream& operator<<(std::ostream& out, const GadgetUpdateParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
