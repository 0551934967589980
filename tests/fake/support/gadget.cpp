#include "fake/support/gadget.h"

#include <array>

namespace tally::detail {

using test::Gadget;
using test::GadgetListParams;
using test::GadgetParams;
using test::GadgetSearchParams;
using test::Maker;
using test::Part;

namespace {

constexpr Field makerFields[] = {
    field<&Maker::name>("name", Presence::required),
};

constexpr Field partFields[] = {
    field<&Part::name>("name", Presence::required),
    atLeast(1, field<&Part::weight>("weight")),
    field<&Part::maker>("maker"),
    identifier("gad_", field<&Part::origin>("origin")),
};

constexpr Field gadgetFields[] = {
    identifier("gad_", field<&Gadget::id>("id", Presence::required)),
    constant("object", "test_gadget"),
    field<&Gadget::livemode>("livemode", Presence::required),
    field<&Gadget::created>("created", Presence::required),
    field<&Gadget::name>("name", Presence::required),
    nullable(field<&Gadget::note>("note", Presence::required)),
    field<&Gadget::size>("size", Presence::required),
    field<&Gadget::active>("active", Presence::required),
    field<&Gadget::main>("main", Presence::required),
    nullable(field<&Gadget::spare>("spare", Presence::required)),
    field<&Gadget::parts>("parts", Presence::required),
    nullable(field<&Gadget::extra>("extra", Presence::required)),
    identifier("gad_", field<&Gadget::parent>("parent")),
    identifier("ser_", field<&Gadget::serial>("serial", Presence::required)),
    field<&Gadget::metadata>("metadata", Presence::required),
};

constexpr Field gadgetParamsFields[] = {
    field<&GadgetParams::name>("name", Presence::required),
    field<&GadgetParams::note>("note"),
    between(-5, 100, field<&GadgetParams::size>("size")),
    field<&GadgetParams::active>("active"),
    field<&GadgetParams::spare>("spare"),
    field<&GadgetParams::parts>("parts"),
    field<&GadgetParams::tags>("tags"),
    field<&GadgetParams::extra>("extra"),
    identifier("gad_", field<&GadgetParams::parent>("parent")),
    identifier("ser_", field<&GadgetParams::twin>("twin")),
    atLeast(0, field<&GadgetParams::at>("at")),
    field<&GadgetParams::labels>("labels"),
    field<&GadgetParams::metadata>("metadata"),
};

constexpr Field gadgetListParamsFields[] = {
    between(1, 100, field<&GadgetListParams::limit>("limit")),
    excluding("ending_before", identifier("gad_", field<&GadgetListParams::startingAfter>("starting_after"))),
    excluding("starting_after", identifier("gad_", field<&GadgetListParams::endingBefore>("ending_before"))),
    field<&GadgetListParams::name>("name"),
    field<&GadgetListParams::active>("active"),
};

constexpr Field gadgetSearchParamsFields[] = {
    field<&GadgetSearchParams::query>("query", Presence::required),
    between(1, 100, field<&GadgetSearchParams::limit>("limit")),
    field<&GadgetSearchParams::page>("page"),
    field<&GadgetSearchParams::expand>("expand"),
};

}  // namespace

template <>
const Struct Schema<Maker>::value = describe<Maker>("maker", makerFields);
template <>
const Struct Schema<Part>::value = describe<Part>("part", partFields);
template <>
const Struct Schema<Gadget>::value = describe<Gadget>("test_gadget", gadgetFields);
template <>
const Struct Schema<GadgetParams>::value = describe<GadgetParams>("params", gadgetParamsFields);
template <>
const Struct Schema<GadgetListParams>::value = describe<GadgetListParams>("list", gadgetListParamsFields);
template <>
const Struct Schema<GadgetSearchParams>::value =
    describe<GadgetSearchParams>("search", gadgetSearchParamsFields);

}  // namespace tally::detail

namespace tally::test {

namespace {

using namespace fake::detail;
using tally::detail::BodyEncoding;
using tally::detail::OperationKind;
using tally::detail::Schema;
using tally::detail::StateRefusal;
using tally::detail::Transition;

extern const StateMachine gadgetMachine;
const Resource gadgetResource{.name = "test_gadget",
                              .plural = "gadgets",
                              .idPrefix = "gad_",
                              .model = &Schema<Gadget>::value,
                              .machine = &gadgetMachine};
const auto* const gadgetParams = &Schema<GadgetParams>::value;

const AnyOperation create{"gadgets.create", OperationKind::create, Method::post,      "/v1/gadgets",
                          &gadgetResource,  gadgetParams,          BodyEncoding::form};
const AnyOperation createJson{"gadgets.create_json", OperationKind::create, Method::post,      "/v2/gadgets",
                              &gadgetResource,       gadgetParams,          BodyEncoding::json};
const AnyOperation update{"gadgets.update", OperationKind::update, Method::post,      "/v1/gadgets/{id}",
                          &gadgetResource,  gadgetParams,          BodyEncoding::form};
const AnyOperation retrieve{"gadgets.retrieve", OperationKind::retrieve, Method::get, "/v1/gadgets/{id}",
                            &gadgetResource};
const AnyOperation start{"gadgets.start", OperationKind::report, Method::post, "/v1/gadgets/{id}/start",
                         &gadgetResource};
const AnyOperation tune{"gadgets.tune",  OperationKind::report, Method::post,      "/v1/gadgets/{id}/tune",
                        &gadgetResource, gadgetParams,          BodyEncoding::form};
const AnyOperation stop{"gadgets.stop", OperationKind::report, Method::post, "/v1/gadgets/{id}/stop",
                        &gadgetResource};

constexpr std::array<std::string_view, 3> gadgetStates{"idle", "running", "broken"};
constexpr std::array<Assignment, 2> starting{
    {{.target = "main.weight", .source = "size"}, {.target = "active", .constant = "true"}}};
constexpr std::array<Assignment, 2> stopping{
    {{.target = "spare", .constant = "null"}, {.target = "main.weight", .source = "spare.weight"}}};
constexpr std::array<Assignment, 1> tuning{{{.target = "size", .constant = "0"}}};
const std::array<Transition, 4> transitions{{
    {.trigger = &start, .before = 1, .after = 1, .effects = starting},
    {.trigger = &stop, .before = 2, .after = 0, .effects = stopping},
    {.trigger = &stop, .before = 1, .after = 0},
    {.trigger = &tune, .before = 7, .after = 0, .effects = tuning},
}};
const std::array<StateRefusal, 2> refusals{{
    {.trigger = &start, .before = 6, .error = "payment_attempt_already_guaranteed"},
    {.trigger = &stop, .before = 4, .error = "payment_attempt_already_guaranteed"},
}};
constexpr std::array<std::span<const Assignment>, 3> shows{};
const StateMachine gadgetMachine{
    .states = gadgetStates, .initial = 0, .shows = shows, .transitions = transitions, .refusals = refusals};
constexpr std::array<Assignment, 2> onCreate{
    {{.target = "main.name", .source = "name"}, {.target = "spare.weight", .constant = "9"}}};
constexpr std::array<std::string_view, 1> freshIds{"serial"};
constexpr std::array<std::string_view, 10> searchable{
    "name", "note", "size", "created", "active", "main.weight", "spare.name", "parts", "extra", "metadata"};

constexpr std::string_view example =
    R"({"id":"gad_1","object":"test_gadget","livemode":false,"created":1,"name":"Example","note":null,"size":3,)"
    R"("active":false,"main":{"name":"Body"},"spare":{"name":"Spare","weight":9},"parts":[{"name":"Old"}],)"
    R"("extra":null,"serial":"ser_1","metadata":{"from":"example"}})";

}  // namespace

const AnyOperation gadgetList{"gadgets.list", OperationKind::list, Method::get,
                              "/v1/gadgets",  &gadgetResource,     &Schema<GadgetListParams>::value};
const AnyOperation gadgetSearch{"gadgets.search", OperationKind::search,
                                Method::get,      "/v1/gadgets/search",
                                &gadgetResource,  &Schema<GadgetSearchParams>::value};

const ResourceRules gadgetRules{
    .resource = &gadgetResource,
    .onCreate = onCreate,
    .freshIds = freshIds,
    .searchable = searchable,
    .example = example,
};

namespace {

const std::array<const AnyOperation*, 9> operations{
    &create, &createJson, &update, &retrieve, &gadgetList, &gadgetSearch, &start, &stop, &tune};
const std::array<const ResourceRules*, 1> allRules{&gadgetRules};

}  // namespace

const Description gadgets{.operations = operations, .errors = errorResponses, .resources = allRules};

}  // namespace tally::test
