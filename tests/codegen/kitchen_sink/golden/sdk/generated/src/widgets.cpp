// Generated from the API description, version 1.0.0. Do not edit.
#include <tally/widgets.h>

#include "json/model_json_impl.h"
#include "operations.h"
#include "print/printer.h"

namespace tally::detail {

template <>
const Struct Schema<Amount>::value;
template <>
const Struct Schema<WidgetCreateParamsPacking>::value;
template <>
const Struct Schema<WidgetPacking>::value;
template <>
const Struct Schema<WidgetPart>::value;
template <>
const Struct Schema<WidgetSize>::value;
template <>
const Struct Schema<WidgetTestsItem>::value;

namespace {

constexpr Field widgetSizeFields[] = {
    atLeast(0, field<&WidgetSize::width>("width", Presence::required)),
    atLeast(0, field<&WidgetSize::height>("height")),
};

constexpr Field widgetPackingFields[] = {
    field<&WidgetPacking::material>("material", Presence::required),
    atLeast(1, field<&WidgetPacking::layers>("layers")),
    field<&WidgetPacking::sealedWith>("sealed_with"),
};

constexpr Field widgetPartFields[] = {
    field<&WidgetPart::name>("name", Presence::required),
    atLeast(1, field<&WidgetPart::count>("count", Presence::required)),
    identifier("gdg_", field<&WidgetPart::maker>("maker")),
};

constexpr Field widgetTestsItemFields[] = {
    field<&WidgetTestsItem::passed>("passed", Presence::required),
    field<&WidgetTestsItem::at>("at"),
};

constexpr Field widgetFields[] = {
    identifier("wdg_", field<&Widget::id>("id", Presence::required)),
    constant("object", "widget"),
    field<&Widget::created>("created", Presence::required),
    field<&Widget::livemode>("livemode", Presence::required),
    field<&Widget::name>("name", Presence::required),
    field<&Widget::colour>("colour", Presence::required),
    field<&Widget::price>("price", Presence::required),
    field<&Widget::lastPrice>("last_price", Presence::required),
    between(3, 99, field<&Widget::teeth>("teeth", Presence::required)),
    atLeast(0, field<&Widget::turns>("turns", Presence::required)),
    field<&Widget::running>("running", Presence::required),
    field<&Widget::hollow>("hollow"),
    field<&Widget::madeAt>("made_at"),
    identifier("ser_", field<&Widget::serial>("serial", Presence::required)),
    identifier("gdg_", field<&Widget::gadget>("gadget")),
    nullable(field<&Widget::note>("note", Presence::required)),
    field<&Widget::size>("size", Presence::required),
    nullable(field<&Widget::packing>("packing")),
    field<&Widget::parts>("parts", Presence::required),
    field<&Widget::labels>("labels", Presence::required),
    field<&Widget::owners>("owners"),
    field<&Widget::tests>("tests"),
    field<&Widget::metadata>("metadata", Presence::required),
    nullable(field<&Widget::blueprint>("blueprint", Presence::required)),
};

constexpr Field widgetCreateParamsPackingFields[] = {
    field<&WidgetCreateParamsPacking::material>("material", Presence::required),
    atLeast(1, field<&WidgetCreateParamsPacking::layers>("layers")),
};

constexpr Field widgetCreateParamsFields[] = {
    field<&WidgetCreateParams::name>("name", Presence::required),
    field<&WidgetCreateParams::price>("price", Presence::required),
    field<&WidgetCreateParams::colour>("colour"),
    atLeast(0, field<&WidgetCreateParams::madeAt>("made_at")),
    between(3, 99, field<&WidgetCreateParams::teeth>("teeth")),
    field<&WidgetCreateParams::hollow>("hollow"),
    identifier("gdg_", field<&WidgetCreateParams::gadget>("gadget")),
    field<&WidgetCreateParams::labels>("labels"),
    field<&WidgetCreateParams::size>("size"),
    field<&WidgetCreateParams::parts>("parts"),
    field<&WidgetCreateParams::packing>("packing"),
    field<&WidgetCreateParams::metadata>("metadata"),
};

constexpr Field widgetListParamsFields[] = {
    between(1, 100, field<&WidgetListParams::limit>("limit")),
    excluding("ending_before", identifier("wdg_", field<&WidgetListParams::startingAfter>("starting_after"))),
    excluding("starting_after", identifier("wdg_", field<&WidgetListParams::endingBefore>("ending_before"))),
    field<&WidgetListParams::colour>("colour"),
};

constexpr Field widgetSearchParamsFields[] = {
    field<&WidgetSearchParams::query>("query", Presence::required),
    between(1, 100, field<&WidgetSearchParams::limit>("limit")),
    field<&WidgetSearchParams::page>("page"),
    field<&WidgetSearchParams::expand>("expand"),
};

constexpr Field widgetUpdateParamsFields[] = {
    field<&WidgetUpdateParams::name>("name"),
    field<&WidgetUpdateParams::colour>("colour"),
    field<&WidgetUpdateParams::metadata>("metadata"),
};

constexpr Field widgetRedrawParamsFields[] = {
    field<&WidgetRedrawParams::blueprint>("blueprint", Presence::required),
    field<&WidgetRedrawParams::name>("name"),
    field<&WidgetRedrawParams::labels>("labels"),
    identifier("gdg_", field<&WidgetRedrawParams::gadget>("gadget")),
    field<&WidgetRedrawParams::metadata>("metadata"),
};

constexpr Field widgetReportSwitchedOnAndRunningAtFullSpeedParamsFields[] = {
    atLeast(0, field<&WidgetReportSwitchedOnAndRunningAtFullSpeedParams::runningAtFullSpeedSince>(
                   "running_at_full_speed_since", Presence::required)),
    field<&WidgetReportSwitchedOnAndRunningAtFullSpeedParams::metadata>("metadata"),
};

constexpr Field widgetReportRetiredParamsFields[] = {
    field<&WidgetReportRetiredParams::metadata>("metadata"),
};

}  // namespace

template <>
constinit const Struct Schema<WidgetSize>::value = describe<WidgetSize>("widget_size", widgetSizeFields);
template <>
constinit const Struct Schema<WidgetPacking>::value =
    describe<WidgetPacking>("widget_packing", widgetPackingFields);
template <>
constinit const Struct Schema<WidgetPart>::value = describe<WidgetPart>("widget_part", widgetPartFields);
template <>
constinit const Struct Schema<WidgetTestsItem>::value =
    describe<WidgetTestsItem>("widget_tests_item", widgetTestsItemFields);
template <>
constinit const Struct Schema<Widget>::value = describe<Widget>("widget", widgetFields);
template <>
constinit const Struct Schema<WidgetCreateParamsPacking>::value =
    describe<WidgetCreateParamsPacking>("widget_create_params_packing", widgetCreateParamsPackingFields);
template <>
constinit const Struct Schema<WidgetCreateParams>::value =
    describe<WidgetCreateParams>("widget_create_params", widgetCreateParamsFields);
template <>
constinit const Struct Schema<WidgetListParams>::value =
    describe<WidgetListParams>("widget_list_params", widgetListParamsFields);
template <>
constinit const Struct Schema<WidgetSearchParams>::value =
    describe<WidgetSearchParams>("widget_search_params", widgetSearchParamsFields);
template <>
constinit const Struct Schema<WidgetUpdateParams>::value =
    describe<WidgetUpdateParams>("widget_update_params", widgetUpdateParamsFields);
template <>
constinit const Struct Schema<WidgetRedrawParams>::value =
    describe<WidgetRedrawParams>("widget_redraw_params", widgetRedrawParamsFields);
template <>
constinit const Struct Schema<WidgetReportSwitchedOnAndRunningAtFullSpeedParams>::value =
    describe<WidgetReportSwitchedOnAndRunningAtFullSpeedParams>(
        "widget_report_switched_on_and_running_at_full_speed_params",
        widgetReportSwitchedOnAndRunningAtFullSpeedParamsFields);
template <>
constinit const Struct Schema<WidgetReportRetiredParams>::value =
    describe<WidgetReportRetiredParams>("widget_report_retired_params", widgetReportRetiredParamsFields);

namespace {

namespace widgetStates {

enum : std::uint8_t {
  stateMade,
  stateRunning,
  stateRunningWithARattleThatNobodyCanFind,
  stateStandingStillForAWhileToBeLookedAt,
  stateRetired,
};

constexpr std::string_view states[] = {
    "made",                                        // stateMade
    "running",                                     // stateRunning
    "running_with_a_rattle_that_nobody_can_find",  // stateRunningWithARattleThatNobodyCanFind
    "standing_still_for_a_while_to_be_looked_at",  // stateStandingStillForAWhileToBeLookedAt
    "retired",                                     // stateRetired
};

constexpr Assignment shownInRunning[] = {
    {.target = "turns", .constant = "1"},
    {.target = "running", .constant = "true"},
    {.target = "note", .constant = R"("It \"runs\".")"},
};

constexpr std::span<const Assignment> shows[] = {
    {},              // stateMade
    shownInRunning,  // stateRunning
    {},              // stateRunningWithARattleThatNobodyCanFind
    {},              // stateStandingStillForAWhileToBeLookedAt
    {},              // stateRetired
};

constexpr Assignment effectsOfReportSwitchedOnAndRunningAtFullSpeed[] = {
    {.target = "turns", .constant = "1"},
    {.target = "running", .constant = "true"},
    {.target = "note", .constant = R"("It \"runs\".")"},
};

constexpr Assignment effects2OfReportRetired[] = {
    {.target = "running", .constant = "false"},
    {.target = "last_price", .source = "price"},
    {.target = "note", .constant = "null"},
};

constexpr Transition transitions[] = {
    {
        .trigger = &widgetsReportSwitchedOnAndRunningAtFullSpeed,
        .before = 1U << stateMade | 1U << stateRunning | 1U << stateRunningWithARattleThatNobodyCanFind |
                  1U << stateStandingStillForAWhileToBeLookedAt,
        .after = stateRunning,
        .effects = effectsOfReportSwitchedOnAndRunningAtFullSpeed,
    },
    {
        .trigger = &widgetsReportRetired,
        .before = 1U << stateMade,
        .after = stateRetired,
    },
    {
        .trigger = &widgetsReportRetired,
        .before = 1U << stateRunning | 1U << stateRunningWithARattleThatNobodyCanFind |
                  1U << stateStandingStillForAWhileToBeLookedAt,
        .after = stateRetired,
        .effects = effects2OfReportRetired,
    },
};

constexpr StateRefusal refusals[] = {
    {
        .trigger = &widgetsReportSwitchedOnAndRunningAtFullSpeed,
        .before = 1U << stateRetired,
        .error = "widget_retired",
    },
    {
        .trigger = &widgetsReportRetired,
        .before = 1U << stateRetired,
        .error = "widget_retired",
    },
};

constexpr StateMachine machine{
    .of = "name",
    .retrieve = &widgetsRetrieve,
    .states = states,
    .initial = stateMade,
    .shows = shows,
    .transitions = transitions,
    .refusals = refusals,
};

}  // namespace widgetStates

}  // namespace

constinit const Resource widgetResource{
    .name = "widget",
    .plural = "widgets",
    .idPrefix = "wdg_",
    .model = &Schema<Widget>::value,
    .machine = &widgetStates::machine,
};

constinit decltype(widgetsCreate) widgetsCreate{AnyOperation{
    .name = "widgets.create",
    .kind = OperationKind::create,
    .method = Method::post,
    .path = "/v1/widgets",
    .resource = &widgetResource,
    .body = BodyEncoding::form,
}};

constinit decltype(widgetsList) widgetsList{AnyOperation{
    .name = "widgets.list",
    .kind = OperationKind::list,
    .method = Method::get,
    .path = "/v1/widgets",
    .resource = &widgetResource,
}};

constinit decltype(widgetsSearch) widgetsSearch{AnyOperation{
    .name = "widgets.search",
    .kind = OperationKind::search,
    .method = Method::get,
    .path = "/v1/widgets/search",
    .resource = &widgetResource,
}};

constinit decltype(widgetsRetrieve) widgetsRetrieve{AnyOperation{
    .name = "widgets.retrieve",
    .kind = OperationKind::retrieve,
    .method = Method::get,
    .path = "/v1/widgets/{id}",
    .resource = &widgetResource,
}};

constinit decltype(widgetsUpdate) widgetsUpdate{AnyOperation{
    .name = "widgets.update",
    .kind = OperationKind::update,
    .method = Method::post,
    .path = "/v1/widgets/{id}",
    .resource = &widgetResource,
    .body = BodyEncoding::form,
}};

constinit decltype(widgetsRedraw) widgetsRedraw{AnyOperation{
    .name = "widgets.redraw",
    .kind = OperationKind::update,
    .method = Method::post,
    .path = "/v2/widgets/{id}",
    .resource = &widgetResource,
    .body = BodyEncoding::json,
}};

constinit decltype(widgetsReportSwitchedOnAndRunningAtFullSpeed) widgetsReportSwitchedOnAndRunningAtFullSpeed{
    AnyOperation{
        .name = "widgets.report_switched_on_and_running_at_full_speed",
        .kind = OperationKind::report,
        .method = Method::post,
        .path = "/v1/widgets/{id}/report_switched_on_and_running_at_full_speed",
        .resource = &widgetResource,
        .body = BodyEncoding::form,
    }};

constinit decltype(widgetsReportRetired) widgetsReportRetired{AnyOperation{
    .name = "widgets.report_retired",
    .kind = OperationKind::report,
    .method = Method::post,
    .path = "/v1/widgets/{id}/report_retired",
    .resource = &widgetResource,
    .body = BodyEncoding::form,
}};

}  // namespace tally::detail

namespace [[gnu::visibility("default")]] tally {

template <class O>
BasicWidgetSize<O>::operator BasicWidgetSize<detail::OppositeOf<O>>() const& {
  return {.width = width, .height = height};
}
template struct BasicWidgetSize<Owning>;
template struct BasicWidgetSize<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetSize& value) {
  return detail::print(out, value);
}

template std::string toJson(const WidgetSize& object);
template Result<WidgetSize> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const WidgetPacking& value) {
  return detail::print(out, value);
}

template std::string toJson(const WidgetPacking& object);
template Result<WidgetPacking> fromJson(std::string_view json);

template <class O>
BasicWidgetPart<O>::operator BasicWidgetPart<detail::OppositeOf<O>>() const& {
  return {.name = name, .count = count, .maker = maker};
}
template struct BasicWidgetPart<Owning>;
template struct BasicWidgetPart<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetPart& value) {
  return detail::print(out, value);
}

template std::string toJson(const WidgetPart& object);
template Result<WidgetPart> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const WidgetTestsItem& value) {
  return detail::print(out, value);
}

template std::string toJson(const WidgetTestsItem& object);
template Result<WidgetTestsItem> fromJson(std::string_view json);

std::ostream& operator<<(std::ostream& out, const Widget& value) {
  return detail::print(out, value);
}

template std::string toJson(const Widget& object);
template Result<Widget> fromJson(std::string_view json);

template <class O>
BasicWidgetCreateParamsPacking<O>::operator BasicWidgetCreateParamsPacking<detail::OppositeOf<O>>() const& {
  return {.material = material, .layers = layers};
}
template struct BasicWidgetCreateParamsPacking<Owning>;
template struct BasicWidgetCreateParamsPacking<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetCreateParamsPacking& value) {
  return detail::print(out, value);
}

template std::string toJson(const WidgetCreateParamsPacking& object);
template Result<WidgetCreateParamsPacking> fromJson(std::string_view json);

template <class O>
BasicWidgetCreateParams<O>::operator BasicWidgetCreateParams<detail::OppositeOf<O>>() const& {
  return {.name = name,
          .price = price,
          .colour = colour,
          .madeAt = madeAt,
          .teeth = teeth,
          .hollow = hollow,
          .gadget = gadget,
          .labels = labels,
          .size = size,
          .parts = parts,
          .packing = packing,
          .metadata = metadata};
}
template struct BasicWidgetCreateParams<Owning>;
template struct BasicWidgetCreateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetCreateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicWidgetListParams<O>::operator BasicWidgetListParams<detail::OppositeOf<O>>() const& {
  return {.limit = limit, .startingAfter = startingAfter, .endingBefore = endingBefore, .colour = colour};
}
template struct BasicWidgetListParams<Owning>;
template struct BasicWidgetListParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetListParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicWidgetSearchParams<O>::operator BasicWidgetSearchParams<detail::OppositeOf<O>>() const& {
  return {.query = query, .limit = limit, .page = page, .expand = expand};
}
template struct BasicWidgetSearchParams<Owning>;
template struct BasicWidgetSearchParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetSearchParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicWidgetUpdateParams<O>::operator BasicWidgetUpdateParams<detail::OppositeOf<O>>() const& {
  return {.name = name, .colour = colour, .metadata = metadata};
}
template struct BasicWidgetUpdateParams<Owning>;
template struct BasicWidgetUpdateParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetUpdateParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicWidgetRedrawParams<O>::operator BasicWidgetRedrawParams<detail::OppositeOf<O>>() const& {
  return {.blueprint = blueprint, .name = name, .labels = labels, .gadget = gadget, .metadata = metadata};
}
template struct BasicWidgetRedrawParams<Owning>;
template struct BasicWidgetRedrawParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetRedrawParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<
    O>::operator BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<detail::OppositeOf<O>>() const& {
  return {.runningAtFullSpeedSince = runningAtFullSpeedSince, .metadata = metadata};
}
template struct BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<Owning>;
template struct BasicWidgetReportSwitchedOnAndRunningAtFullSpeedParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetReportSwitchedOnAndRunningAtFullSpeedParams& value) {
  return detail::print(out, value);
}

template <class O>
BasicWidgetReportRetiredParams<O>::operator BasicWidgetReportRetiredParams<detail::OppositeOf<O>>() const& {
  return {.metadata = metadata};
}
template struct BasicWidgetReportRetiredParams<Owning>;
template struct BasicWidgetReportRetiredParams<Borrowing>;

std::ostream& operator<<(std::ostream& out, const WidgetReportRetiredParams& value) {
  return detail::print(out, value);
}

}  // namespace tally
