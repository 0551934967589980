#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "load/load.h"
#include "model/build.h"
#include "model/names.h"
#include "model/schema_facts.h"
#include "support/support.h"

namespace tally::codegen::model {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Description build(const std::vector<std::filesystem::path>& api) {
  Problems problems;
  const auto documents = load::load(api, problems);
  auto description = documents ? model::build(*documents, problems) : std::nullopt;
  EXPECT_THAT(problems.lines(), IsEmpty());
  return description ? std::move(*description) : Description{};
}

Description kitchenSink() {
  return build(
      {test::repository() / "codegen" / "api" / "root.json", test::testFolder() / "kitchen_sink" / "api"});
}

Description small() {
  return build({test::testFolder() / "small_api"});
}

const Struct& structOf(const Description& description, const std::string& cppName) {
  for (const Struct& type : description.structs)
    if (type.cppName == cppName) return type;
  throw std::runtime_error{"no struct " + cppName};
}

const Operation& operationOf(const Description& description, const std::string& name) {
  for (const Operation& operation : description.operations)
    if (operation.name == name) return operation;
  throw std::runtime_error{"no operation " + name};
}

const Resource& resourceOf(const Description& description, const std::string& plural) {
  for (const Resource& resource : description.resources)
    if (resource.plural == plural) return resource;
  throw std::runtime_error{"no resource " + plural};
}

TEST(Names, AreConvertedToCamelPascalAndSnakeCase) {
  EXPECT_EQ(camelCase("payment_record"), "paymentRecord");
  EXPECT_EQ(camelCase("global-rate"), "globalRate");
  EXPECT_EQ(camelCase("Request-Id"), "RequestId");
  EXPECT_EQ(camelCase("line_1"), "line1");
  EXPECT_EQ(pascalCase("payment_record"), "PaymentRecord");
  EXPECT_EQ(snakeCase("PaymentRecordListParams"), "payment_record_list_params");
}

TEST(Names, ArePlainOnlyAsLowercaseWordsWithSingleSeparators) {
  for (const char* name : {"a", "a1", "payment_record", "global-rate"})
    EXPECT_TRUE(isPlain(name)) << name;
  for (const char* name : {"", "1a", "_a", "a_", "a__b", "A", "a b", "ä"})
    EXPECT_FALSE(isPlain(name)) << name;
}

TEST(Names, OfResourcesAreNotThoseOfMembersOfTheClients) {
  for (const char* name : {"core", "engine", "isMovedFrom", "clock"})
    EXPECT_TRUE(isTakenInClient(name)) << name;
  EXPECT_FALSE(isTakenInClient("payouts"));
}

TEST(Model, SupportsEveryTypeOfField) {
  const Description description = kitchenSink();
  const Struct& widget = structOf(description, "Widget");
  const auto kindOf = [&](const char* name) { return widget.find(name)->type.kind; };
  EXPECT_EQ(kindOf("id"), Kind::id);
  EXPECT_EQ(kindOf("object"), Kind::constant);
  EXPECT_EQ(kindOf("created"), Kind::time);
  EXPECT_EQ(kindOf("livemode"), Kind::boolean);
  EXPECT_EQ(kindOf("name"), Kind::string);
  EXPECT_EQ(kindOf("colour"), Kind::openEnum);
  EXPECT_EQ(kindOf("price"), Kind::object);
  EXPECT_EQ(kindOf("teeth"), Kind::integer);
  EXPECT_EQ(kindOf("parts"), Kind::list);
  EXPECT_EQ(kindOf("metadata"), Kind::metadata);
  EXPECT_EQ(kindOf("blueprint"), Kind::rawJson);
  EXPECT_EQ(structOf(description, "WidgetUpdateParams").find("metadata")->type.kind, Kind::metadataEdit);
}

/// The small description with these changes, and with another resource that refers to it and comes first.
Description withAnother(const std::vector<test::Edit>& edits, const std::string& properties) {
  const test::TempFolder folder;
  test::writeSmallApi(folder.path(), edits);
  test::writeFile(folder / "others.json", R"({
    "openapi": "3.1.0", "info": {"title": "Others", "version": "2.0.0"},
    "paths": {"/v1/others/{id}": {"get": {
      "operationId": "others.retrieve", "x-kind": "retrieve", "summary": "s", "x-documented": "Things",
      "parameters": [{"$ref": "root.json#/components/parameters/id"}],
      "responses": {
        "200": {"description": "d",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/other"}}}},
        "default": {"$ref": "root.json#/components/responses/error"}}}}},
    "components": {"schemas": {"other": {
      "type": "object", "x-documented": "Things",
      "x-resource": {"plural": "others", "id_prefix": "ot_", "description": "Others."},
      "required": ["id", "object"],
      "properties": {"id": {"type": "string", "x-id": "self"},
                     "object": {"type": "string", "const": "other"}, )" +
                                              properties + R"(},
      "example": {"id": "ot_1", "object": "other"}}}}})");
  return build({folder.path()});
}

TEST(Model, TakesSelfForTheResourceOfTheFileThatSaysIt) {
  const std::string id = R"({"type": "string", "x-id": "self", "x-documented": "Things"})";
  const Description description =
      withAnother({{"things.json", "/components/schemas/part",
                    R"({"type": "object", "x-documented": "Things", "properties": {"owner": )" + id + "}}"},
                   {"things.json", "/components/schemas/key", id}},
                  R"("part": {"$ref": "things.json#/components/schemas/part"},
         "key": {"$ref": "things.json#/components/schemas/key"})");
  EXPECT_EQ(structOf(description, "Part").find("owner")->type.tag->name, "thing");
  EXPECT_EQ(structOf(description, "Other").find("key")->type.tag->name, "thing");
  EXPECT_EQ(structOf(description, "Other").find("id")->type.tag->name, "other");
}

TEST(Model, NamesTypesAlikeWhateverRefersToThemFirst) {
  const std::string object = R"({"type": "object", "properties": {"a": {"type": "string"}}})";
  const Description description =
      withAnother({{"things.json", "/components/schemas/thing/properties/items", object},
                   {"things.json", "/components/schemas/thing/properties/properties", object},
                   {"things.json", "/components/schemas/thing/properties/list",
                    R"({"type": "array", "items": )" + object + "}"}},
                  R"("a": {"$ref": "things.json#/components/schemas/thing/properties/items"},
                     "b": {"$ref": "things.json#/components/schemas/thing/properties/properties"},
                     "c": {"$ref": "things.json#/components/schemas/thing/properties/list/items"})");
  const Struct& other = structOf(description, "Other");
  EXPECT_EQ(other.find("a")->type.object->cppName, "ThingItems");
  EXPECT_EQ(other.find("b")->type.object->cppName, "ThingProperties");
  EXPECT_EQ(other.find("c")->type.object->cppName, "ThingListItem");
}

TEST(Model, KeepsTheNamesOfComponents) {
  const Description description = withAnother(
      {{"things.json", "/components/schemas/line_2",
        R"({"type": "object", "x-documented": "Things", "properties": {"a": {"type": "string"}}})"}},
      R"("line": {"$ref": "things.json#/components/schemas/line_2"})");
  EXPECT_EQ(structOf(description, "Line2").name, "line_2");
}

TEST(Model, DistinguishesRequiredFromNullableFields) {
  const Description description = kitchenSink();
  const Struct& widget = structOf(description, "Widget");
  EXPECT_TRUE(widget.find("note")->required);
  EXPECT_TRUE(widget.find("note")->nullable);
  EXPECT_FALSE(widget.find("hollow")->required);
  EXPECT_FALSE(widget.find("hollow")->nullable);
}

TEST(Model, KeepsRangesDefaultsAndPrefixes) {
  const Description description = kitchenSink();
  const Field& teeth = *structOf(description, "WidgetCreateParams").find("teeth");
  EXPECT_EQ(teeth.minimum, 3);
  EXPECT_EQ(teeth.maximum, 99);
  EXPECT_EQ(teeth.otherwise, 12);
  EXPECT_EQ(structOf(description, "Amount").find("currency")->lowercaseLetters, 3);
  EXPECT_EQ(structOf(description, "Amount").find("value")->lowercaseLetters, 0);
  const Struct& widget = structOf(description, "Widget");
  EXPECT_EQ(widget.find("id")->idPrefix, "wdg_");
  EXPECT_EQ(widget.find("gadget")->idPrefix, "gdg_");
  EXPECT_EQ(widget.find("serial")->idPrefix, "ser_");
  EXPECT_EQ(structOf(description, "WidgetListParams").find("starting_after")->excludes, "ending_before");
}

TEST(Model, AcceptsADefaultAtEitherEndOfItsRange) {
  for (const std::string end : {"1", "50"}) {
    const test::TempFolder folder;
    test::writeSmallApi(folder.path(), {{"root.json", "/components/parameters/limit/schema/default", end}});
    const Description description = build({folder.path()});
    EXPECT_EQ(structOf(description, "ThingListParams").find("limit")->otherwise, std::stoll(end));
  }
}

TEST(Model, PrefersTheDescriptionNextToAReference) {
  const Description description = kitchenSink();
  EXPECT_EQ(structOf(description, "Widget").find("price")->description, "What it costs.");
  EXPECT_EQ(structOf(description, "Widget").find("size")->description, "How big it is.");
}

TEST(Model, BuildsOneTypePerSharedSchema) {
  const Description description = kitchenSink();
  const Enum* colour = structOf(description, "Widget").find("colour")->type.values;
  EXPECT_EQ(colour->cppName, "WidgetColour");
  EXPECT_EQ(structOf(description, "WidgetCreateParams").find("colour")->type.values, colour);
  EXPECT_EQ(structOf(description, "WidgetListParams").find("colour")->type.values, colour);
}

TEST(Model, NamesEnumeratorsInCamelCaseOrAsDescribed) {
  const Description description = kitchenSink();
  std::vector<std::string> names;
  for (const EnumValue& value : structOf(description, "Widget").find("colour")->type.values->values)
    names.push_back(value.text + '=' + value.cppName);
  EXPECT_THAT(names, ElementsAre("red=red", "dark-green=darkGreen", "2d=flat", "sky_blue=skyBlue"));
}

TEST(Model, OrdersStructsAfterTheirMembers) {
  const Description description = kitchenSink();
  std::vector<std::string> seen;
  for (const Struct* type : resourceOf(description, "widgets").unit->structs)
    seen.push_back(type->cppName);
  EXPECT_THAT(seen,
              ElementsAre("WidgetSize", "WidgetPacking", "WidgetPart", "WidgetTestsItem", "Widget",
                          "WidgetCreateParamsPacking", "WidgetCreateParams", "WidgetListParams",
                          "WidgetSearchParams", "WidgetUpdateParams", "WidgetRedrawParams",
                          "WidgetReportSwitchedOnAndRunningAtFullSpeedParams", "WidgetReportRetiredParams"));
}

TEST(Model, BuildsOperationsWithTheirKindPathAndBody) {
  const Description description = kitchenSink();
  const Operation& create = operationOf(description, "widgets.create");
  EXPECT_EQ(create.kind, OperationKind::create);
  EXPECT_EQ(create.cppName, "widgetsCreate");
  EXPECT_EQ(create.method, "create");
  EXPECT_EQ(create.body, Body::form);
  EXPECT_TRUE(create.post);
  EXPECT_EQ(operationOf(description, "widgets.redraw").body, Body::json);
  const Operation& retrieve = operationOf(description, "widgets.retrieve");
  EXPECT_EQ(retrieve.params, nullptr);
  EXPECT_EQ(retrieve.body, Body::none);
  EXPECT_EQ(retrieve.path, "/v1/widgets/{id}");
  EXPECT_THAT(retrieve.provenance.assumptions, ElementsAre("retrieve", "widgets"));
}

TEST(Model, BuildsStateMachinesWithTransitionsAndRefusals) {
  const Description description = small();
  const StateMachine& machine = resourceOf(description, "things").machine;
  ASSERT_EQ(machine.states.size(), 2U);
  EXPECT_EQ(machine.states[1].cppName, "stateGone");
  EXPECT_EQ(machine.initial, 0U);
  ASSERT_EQ(machine.transitions.size(), 2U);
  const Transition& gone = machine.transitions[0];
  EXPECT_EQ(gone.trigger->name, "things.report_gone");
  EXPECT_THAT(gone.before, ElementsAre(0U));
  EXPECT_EQ(gone.after, 1U);
  ASSERT_EQ(gone.effects.size(), 1U);
  EXPECT_EQ(gone.effects[0].target, "size.width");
  EXPECT_EQ(gone.effects[0].constant, "0");
  EXPECT_EQ(gone.refusal, nullptr);
  EXPECT_EQ(machine.transitions[1].refusal->name, "thing_gone");
}

TEST(Model, ChecksReportsOnlyWhenTheObjectShowsTheirEffect) {
  const test::TempFolder folder;
  test::writeSmallApi(folder.path(), {{"things.json", "/components/schemas/thing/x-states/states/here/shows",
                                       R"([{"set": "size.width", "to": 1}])"}});
  const Description description = build({folder.path()});
  EXPECT_TRUE(resourceOf(description, "things").checksReports());
  EXPECT_EQ(resourceOf(description, "things").reportType(), "ThingReport");
  EXPECT_FALSE(resourceOf(small(), "things").checksReports());
}

TEST(Model, TakesConventionsFromTheRoot) {
  const Description description = small();
  EXPECT_EQ(description.version, "2.0.0");
  EXPECT_EQ(description.conventions.minimumLimit, 1);
  EXPECT_EQ(description.conventions.maximumLimit, 50);
  EXPECT_EQ(description.conventions.defaultLimit, 5);
  EXPECT_EQ(description.conventions.totalCountCap, 700);
  ASSERT_EQ(description.headers.size(), 1U);
  EXPECT_EQ(description.headers[0].cppName, "requestId");
  EXPECT_EQ(description.headers[0].name, "Request-Id");
}

TEST(Model, GeneratesIdentifiersForRequiredOpaqueFields) {
  const Description description = kitchenSink();
  EXPECT_THAT(resourceOf(description, "widgets").freshIds, ElementsAre("serial"));
}

TEST(Model, GeneratesNoIdentifiersForOptionalFields) {
  const std::string thing = "/components/schemas/thing";
  const test::TempFolder folder;
  test::writeSmallApi(
      folder.path(),
      {{"things.json", "/components/schemas/plate",
        R"({"type": "object", "x-opaque": {"id_prefix": "pl_"}, "x-documented": "Things"})"},
       {"things.json", thing + "/properties/plate", R"({"type": "string", "x-id": "plate"})"},
       {"things.json", thing + "/properties/old", R"({"type": ["string", "null"], "x-id": "plate"})"},
       {"things.json", thing + "/properties/next", R"({"type": "string", "x-id": "plate"})"},
       {"things.json", thing + "/required", R"(["id", "object", "name", "size", "plate", "old"])"},
       {"things.json", thing + "/example/plate", R"("pl_1")"},
       {"things.json", thing + "/example/old", R"("pl_0")"}});
  const Description description = build({folder.path()});
  EXPECT_THAT(resourceOf(description, "things").freshIds, ElementsAre("plate"));
}

TEST(Model, FollowsPathsIntoObjects) {
  const Description description = kitchenSink();
  const Struct& widget = structOf(description, "Widget");
  ASSERT_NE(widget.at("size.width"), nullptr);
  EXPECT_EQ(widget.at("size.width")->type.kind, Kind::integer);
  EXPECT_EQ(widget.at("name.width"), nullptr);
  EXPECT_EQ(widget.at("size."), nullptr);
  EXPECT_EQ(widget.at(""), nullptr);
}

TEST(Model, ListsThePlacesOfEachSource) {
  const Description description = small();
  ASSERT_EQ(description.assumptions.size(), 2U);
  EXPECT_EQ(description.assumptions[0].point, "Guess");
  EXPECT_THAT(description.assumptions[0].places,
              ElementsAre("header `Request-Id`", "`error`", "response `error`", "`thing.colour`"));
  EXPECT_THAT(description.assumptions[1].places, IsEmpty());
  ASSERT_EQ(description.sections.size(), 2U);
  EXPECT_THAT(description.sections[0].places,
              ElementsAre("error `thing_gone`", "parameter `id`", "`rate_limited_reason`", "`size`",
                          "`things.retrieve`", "`things.report_gone`", "`thing`"));
}

TEST(Model, NamesAFieldCalledPropertiesAmongThePlaces) {
  const Description description =
      withAnother({{"things.json", "/components/schemas/thing/properties/properties",
                    R"({"type": "string", "x-assumed": "mood"})"},
                   {"root.json", "/x-assumptions/mood/general", "false"}},
                  R"("a": {"type": "string"})");
  const auto mood = std::ranges::find(description.assumptions, "mood", &Assumption::key);
  ASSERT_NE(mood, description.assumptions.end());
  EXPECT_THAT(mood->places, ElementsAre("`thing.properties`"));
}

TEST(Model, DeterminesTheOperationsAndNumbersOfEachLimit) {
  const Description description = kitchenSink();
  const auto limit = [&](const std::string& name) -> const Limit& {
    return *std::ranges::find(description.limits, name, &Limit::name);
  };
  EXPECT_EQ(limit("widgets_made").operations.size(), 2U);
  EXPECT_EQ(limit("widgets_made").metric, LimitMetric::changes);
  EXPECT_EQ(limit("widgets_made").live, 30);
  EXPECT_EQ(limit("widgets_made").sandbox, 5);
  EXPECT_TRUE(limit("widgets_made").countsForConnectedAccount);
  EXPECT_TRUE(limit("widgets_made").addsToEndpointRate);
  EXPECT_FALSE(limit("searches").countsForConnectedAccount);
  EXPECT_FALSE(limit("searches").addsToEndpointRate);
  EXPECT_EQ(limit("searches").operations.front()->name, "widgets.search");
  EXPECT_EQ(limit("endpoint_rate").scope, LimitScope::operation);
  EXPECT_EQ(limit("endpoint_rate").live, limit("endpoint_rate").sandbox);
  EXPECT_FALSE(limit("global_concurrency").live);
  EXPECT_EQ(description.readAllocation.readsPerTransaction, 500);
}

}  // namespace

}  // namespace tally::codegen::model
