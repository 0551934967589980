#include <chrono>
#include <set>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/client.h>
#include <tally/error_codes.h>
#include <tally/fake/service.h>
#include <tally/limits.h>
#include <tally/testing/mock_widgets.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// The client and the fake work with a made-up description: a resource that the hand-written code does not
// know, with fields of all types.

namespace tally::test {

namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Return;

constexpr std::chrono::sys_seconds noon{std::chrono::sys_days{std::chrono::year{2026} / 2 / 3} +
                                        std::chrono::hours{12}};

class KitchenSink : public ::testing::Test {
 protected:
  Widget makeWidget(const std::string& name, const WidgetCreateParams& others = {}) {
    WidgetCreateParams params = others;
    params.name = name;
    params.price = Amount{.currency = "eur", .value = 300};
    return client.widgets().create(params).value();
  }

  Error errorOf(const Result<Widget>& result) {
    EXPECT_TRUE(result.has_error());
    return result.error();
  }

  std::vector<std::string> namesOf(Pager<Widget> widgets) {
    std::vector<std::string> names;
    for (auto& widget : widgets)
      names.push_back(widget.value().name);
    return names;
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  Client client{service.clientOptions(key)};
};

TEST_F(KitchenSink, CanBeMocked) {
  const auto widgets = std::make_shared<tally::testing::MockWidgets>();
  EXPECT_CALL(*widgets, create(Field(&WidgetCreateParams::name, Optional(std::string{"lamp"}))))
      .WillOnce(Return(makeWidget("lamp")));
  const Client mocked{tally::testing::clientOptions(widgets)};
  const auto created =
      mocked.widgets().create({.name = "lamp", .price = Amount{.currency = "eur", .value = 300}});
  ASSERT_TRUE(created) << created.error();
  EXPECT_EQ(created.value().name, "lamp");
}

TEST_F(KitchenSink, CreatesAWidgetWithEveryKindOfParameter) {
  const Id<Gadget> gadget{"gdg_1"};
  const Id<Gadget> maker{"gdg_2"};
  const Widget widget =
      client.widgets()
          .create({.name = "cog & wheel",
                   .price = Amount{.currency = "usd", .value = 1999},
                   .colour = WidgetColour::darkGreen,
                   .madeAt = noon,
                   .teeth = 24,
                   .hollow = true,
                   .gadget = gadget,
                   .labels = {"round", "loud"},
                   .size = WidgetSize{.width = 5, .height = 6},
                   .parts = {{.name = "axle", .count = 1, .maker = maker}, {.name = "tooth", .count = 24}},
                   .packing = WidgetCreateParamsPacking{.material = "straw", .layers = 2},
                   .metadata = {{"order", "42"}}})
          .value();
  EXPECT_TRUE(widget.id.str().starts_with("wdg_"));
  EXPECT_EQ(widget.name, "cog & wheel");
  EXPECT_EQ(widget.price, (Amount{.currency = "usd", .value = 1999}));
  EXPECT_EQ(widget.colour, WidgetColour::darkGreen);
  EXPECT_THAT(widget.madeAt, Optional(noon));
  EXPECT_EQ(widget.teeth, 24);
  EXPECT_THAT(widget.hollow, Optional(true));
  EXPECT_THAT(widget.gadget, Optional(gadget));
  EXPECT_THAT(widget.labels, ElementsAre("round", "loud"));
  EXPECT_EQ(widget.size, (WidgetSize{.width = 5, .height = 6}));
  EXPECT_THAT(widget.parts, ElementsAre(WidgetPart{.name = "axle", .count = 1, .maker = maker},
                                        WidgetPart{.name = "tooth", .count = 24}));
  EXPECT_THAT(widget.packing, Optional(WidgetPacking{.material = "straw", .layers = 2}));
  EXPECT_EQ(widget.metadata, (Metadata{{"order", "42"}}));
  EXPECT_EQ(client.widgets().retrieve(widget.id).value(), widget);
}

TEST_F(KitchenSink, CreatesAWidgetWithTheSameSourceCodeInBothClients) {
  const std::string text(60, 't');
  const Id<Gadget> gadget{"gdg_1"};
  const WidgetPart tooth{.name = "tooth", .count = 24};
  const WidgetSize size{.width = 5, .height = 6};
  AsyncClient async{client};
  const auto createWith = [&](const auto& widgets) {
    return widgets.create({.name = text,
                           .price = {{.currency = "usd", .value = 1999}},
                           .colour = WidgetColour::darkGreen,
                           .madeAt = noon,
                           .gadget = gadget,
                           .labels = {"round", text},
                           .size = size,
                           .parts = {{.name = text, .count = 1, .maker = "gdg_2"}, tooth},
                           .packing = {{.material = text, .layers = 2}},
                           .metadata = {{"order", text}}});
  };
  const Widget blocking = createWith(client.widgets()).value();
  auto creating = createWith(async.widgets()).future();
  async.run();
  Widget asynchronous = creating.get().value();
  EXPECT_EQ(service.requests().list().at(0).request.body, service.requests().list().at(1).request.body);
  EXPECT_THAT(asynchronous.parts, ElementsAre(WidgetPart{.name = text, .count = 1, .maker = "gdg_2"}, tooth));
  EXPECT_EQ(asynchronous.size, size);
  EXPECT_EQ(asynchronous.parts, blocking.parts);

  const auto redrawWith = [&](const auto& widgets) {
    return widgets.redraw(asynchronous.id, {.blueprint = {{.text = "[1,2]"}}});
  };
  EXPECT_TRUE(redrawWith(client.widgets()));
  auto redrawing = redrawWith(async.widgets()).future();
  async.run();
  EXPECT_TRUE(redrawing.get());
  EXPECT_EQ(service.requests().list().at(2).request.body, service.requests().list().at(3).request.body);
}

TEST_F(KitchenSink, FillsACreatedWidgetFromTheExampleAndTheAssignments) {
  const Widget widget = makeWidget("sprocket");
  EXPECT_EQ(widget.colour, WidgetColour::red);
  EXPECT_EQ(widget.teeth, 12);
  EXPECT_EQ(widget.turns, 0);
  EXPECT_EQ(widget.lastPrice, (Amount{.currency = "eur", .value = 0}));
  EXPECT_EQ(widget.note, std::nullopt);
  EXPECT_EQ(widget.hollow, std::nullopt);
  EXPECT_THAT(widget.blueprint, Optional(RawJson{R"({"drawn":["by","hand"]})"}));
  EXPECT_TRUE(widget.serial.str().starts_with("ser_"));
  EXPECT_NE(widget.serial, makeWidget("another").serial);
  EXPECT_THAT(service.objects().stateOf(key, widget.id.str()), Optional(std::string{"made"}));
}

TEST_F(KitchenSink, ChecksParametersBeforeSendingARequest) {
  const auto paramOf = [&](const WidgetCreateParams& params) {
    return errorOf(client.widgets().create(params)).param();
  };
  const Amount price{.currency = "eur", .value = 1};
  EXPECT_EQ(paramOf({.price = price}), "name");
  EXPECT_EQ(paramOf({.name = "", .price = price}), "name");
  EXPECT_EQ(paramOf({.name = "a"}), "price");
  EXPECT_EQ(paramOf({.name = "a", .price = Amount{.currency = "EUR", .value = 1}}), "price[currency]");
  EXPECT_EQ(paramOf({.name = "a", .price = price, .teeth = 2}), "teeth");
  EXPECT_EQ(paramOf({.name = "a", .price = price, .teeth = 100}), "teeth");
  EXPECT_EQ(paramOf({.name = "a", .price = price, .gadget = "wdg_1"}), "gadget");
  EXPECT_EQ(paramOf({.name = "a", .price = price, .parts = {{.name = "b", .count = 0}}}), "parts[0][count]");
  EXPECT_EQ(errorOf(client.widgets().retrieve("gdg_1")).param(), "id");
  EXPECT_EQ(errorOf(client.widgets().redraw("wdg_1", {.name = "a"})).param(), "blueprint");
  EXPECT_THAT(service.requests().list(), IsEmpty());
}

TEST_F(KitchenSink, UpdatesOnlyTheGivenFields) {
  const Widget widget = makeWidget("before", {.metadata = {{"a", "1"}, {"b", "2"}}});
  MetadataEdit edit;
  edit.unset("a").set("c", "3");
  const Widget updated = client.widgets()
                             .update(widget.id, {.colour = OpenEnum<WidgetColour>{"mauve"}, .metadata = edit})
                             .value();
  EXPECT_EQ(updated.name, "before");
  EXPECT_EQ(updated.colour.str(), "mauve");
  EXPECT_EQ(updated.colour.known(), std::nullopt);
  EXPECT_EQ(updated.metadata, (Metadata{{"b", "2"}, {"c", "3"}}));
  EXPECT_EQ(client.widgets().retrieve(widget.id).value(), updated);
}

TEST_F(KitchenSink, ChangesTheStateAndFieldsWhenAReportIsSent) {
  const Widget widget = makeWidget("motor");
  const Widget running =
      client.widgets()
          .reportSwitchedOnAndRunningAtFullSpeed(widget.id, {.runningAtFullSpeedSince = noon})
          .value();
  EXPECT_TRUE(running.running);
  EXPECT_EQ(running.turns, 1);
  EXPECT_THAT(running.note, Optional(std::string{"It \"runs\"."}));
  EXPECT_THAT(service.objects().stateOf(key, widget.id.str()), Optional(std::string{"running"}));
  const Widget retired = client.widgets().reportRetired(widget.id, {.metadata = {{"why", "rust"}}}).value();
  EXPECT_FALSE(retired.running);
  EXPECT_EQ(retired.note, std::nullopt);
  EXPECT_EQ(retired.lastPrice, widget.price);
  EXPECT_EQ(retired.metadata, (Metadata{{"why", "rust"}}));
  EXPECT_THAT(service.objects().stateOf(key, widget.id.str()), Optional(std::string{"retired"}));
}

TEST_F(KitchenSink, ChoosesTheTransitionByThePreviousState) {
  const Widget widget = makeWidget("never used");
  const Widget retired = client.widgets().reportRetired(widget.id).value();
  EXPECT_EQ(retired.lastPrice.value, 0);  // only a widget that has run has a last price
}

TEST_F(KitchenSink, RefusesReportsThatTheStateForbids) {
  const Widget widget = makeWidget("old");
  const Widget retired = client.widgets().reportRetired(widget.id).value();
  const Error error = errorOf(client.widgets().reportRetired(widget.id));
  EXPECT_EQ(error.status(), 409);
  EXPECT_EQ(error.code(), error_code::widgetRetired);
  EXPECT_THAT(error.message(),
              ::testing::StartsWith("The widget '" + widget.id.str() + "' is retired, and \"retired\""));
  EXPECT_EQ(client.widgets().retrieve(widget.id).value(), retired);
}

TEST_F(KitchenSink, FiltersAndPaginatesLists) {
  for (const char* name : {"one", "two", "three"})
    makeWidget(name, {.colour = WidgetColour::flat});
  makeWidget("other", {.colour = WidgetColour::skyBlue});
  EXPECT_THAT(namesOf(client.widgets().list({.limit = 2})), ElementsAre("other", "three", "two", "one"));
  EXPECT_THAT(namesOf(client.widgets().list({.limit = 2, .colour = WidgetColour::flat})),
              ElementsAre("three", "two", "one"));
}

TEST_F(KitchenSink, SearchesOnlyTheSearchableFields) {
  makeWidget("small", {.size = WidgetSize{.width = 1}});
  makeWidget("wide", {.size = WidgetSize{.width = 90}, .metadata = {{"shelf", "9"}}});
  const auto found = [&](const std::string& query) {
    return namesOf(client.widgets().search({.query = query}));
  };
  EXPECT_THAT(found("size.width>50"), ElementsAre("wide"));
  EXPECT_THAT(found("metadata[\"shelf\"]:\"9\""), ElementsAre("wide"));
  EXPECT_THAT(found("name~\"MAL\""), ElementsAre("small"));
  auto refused = client.widgets().search({.query = "turns:0"});
  ASSERT_NE(refused.begin(), refused.end());
  EXPECT_EQ((*refused.begin()).error().param(), "query");
}

TEST_F(KitchenSink, SearchesByConditions) {
  using q = WidgetSearchFields;
  const Widget small = makeWidget("small", {.colour = WidgetColour::flat, .size = WidgetSize{.width = 1}});
  makeWidget("wide", {.colour = WidgetColour::skyBlue, .size = WidgetSize{.width = 90}});
  const auto found = [&](const auto& condition) { return namesOf(client.widgets().search(condition)); };
  EXPECT_THAT(found(q::size.width > 50), ElementsAre("wide"));
  EXPECT_THAT(found(q::colour == WidgetColour::flat), ElementsAre("small"));
  EXPECT_THAT(found(q::colour == "sky_blue" && q::size.width <= 90), ElementsAre("wide"));
  EXPECT_THAT(found(q::running == small.running && q::name.contains("MAL")), ElementsAre("small"));
  EXPECT_THAT(found(q::running != small.running), IsEmpty());
  EXPECT_THAT(found(q::gadget == std::nullopt && q::madeAt == std::nullopt), ElementsAre("wide", "small"));
  EXPECT_THAT(found(q::gadget == Id<Gadget>{"gdg_1"} || q::price.value < -1), IsEmpty());
  EXPECT_THAT(found(!(q::metadata("shelf") == std::nullopt)), IsEmpty());
}

TEST_F(KitchenSink, SendsJsonToTheSecondNamespace) {
  const Widget widget = makeWidget("sprocket", {.metadata = {{"a", "1"}}});
  const Widget redrawn = client.widgets()
                             .redraw(widget.id, {.blueprint = RawJson{R"({"speed":[1,25,null],"on":true})"},
                                                 .name = "whirl \"igig\"",
                                                 .labels = {"wonder"},
                                                 .gadget = "gdg_1",
                                                 .metadata = {{"order", "42"}}})
                             .value();
  EXPECT_THAT(redrawn.blueprint, Optional(RawJson{R"({"speed":[1,25,null],"on":true})"}));
  EXPECT_EQ(redrawn.name, "whirl \"igig\"");
  EXPECT_THAT(redrawn.labels, ElementsAre("wonder"));
  EXPECT_THAT(redrawn.gadget, Optional(Id<Gadget>{"gdg_1"}));
  EXPECT_EQ(redrawn.metadata, (Metadata{{"a", "1"}, {"order", "42"}}));
  const HttpRequest sent = service.requests().list().back().request;
  EXPECT_TRUE(sent.url.ends_with("/v2/widgets/" + widget.id.str()));
  EXPECT_TRUE(sent.body.starts_with("{\"blueprint\":"));
  const Widget updated =
      client.widgets()
          .redraw(widget.id, {.blueprint = RawJson{"{}"}, .metadata = MetadataEdit::unsetAll()})
          .value();
  EXPECT_EQ(updated.name, redrawn.name);
  EXPECT_THAT(updated.labels, ElementsAre("wonder"));
  EXPECT_THAT(updated.metadata, IsEmpty());
  EXPECT_EQ(client.widgets().retrieve(updated.id).value(), updated);
}

TEST_F(KitchenSink, InsertsAnyObjectOfTheModel) {
  const Widget inserted = service.insert<Widget>(key, [](Widget& widget) {
    widget.packing = WidgetPacking{.material = "wood", .sealedWith = WidgetPackingSealedWith::wax};
    widget.owners = {Id<Widget>{"wdg_2"}, Id<Widget>{"wdg_3"}};
    widget.tests = {WidgetTestsItem{.passed = true, .at = noon}, WidgetTestsItem{.passed = false}};
    widget.blueprint = std::nullopt;
    widget.note = "made up";
  });
  EXPECT_EQ(client.widgets().retrieve(inserted.id).value(), inserted);
}

TEST_F(KitchenSink, WritesAnObjectAsTheServiceSentIt) {
  const Widget widget = makeWidget("sprocket");
  const HttpRequest request{.url = "https://service.test/v1/widgets/" + widget.id.str(),
                            .headers = {{"Authorization", "Bearer " + key}}};
  std::string sent = service.handle(request).body;
  EXPECT_EQ(toJson(widget), sent);
  sent.insert(sent.size() - 1, R"(,"hollow":null,"spokes":{"count":[7,null]})");
  service.faults().inject({.response = HttpResponse{.status = 200, .body = sent}});
  const Widget odd = client.widgets().retrieve(widget.id).value();
  EXPECT_EQ(odd.hollow, std::nullopt);
  EXPECT_EQ(toJson(odd), sent);
  EXPECT_EQ(fromJson<Widget>(sent).value(), odd);
  EXPECT_NE(odd, widget);
}

TEST_F(KitchenSink, EnforcesTheDescribedLimits) {
  for (int i = 0; i < 4; ++i)
    (void)makeWidget("one");
  const Widget last = makeWidget("last");
  const auto redraw = [&] { return client.widgets().redraw(last.id, {.blueprint = RawJson{"{}"}}); };
  EXPECT_EQ(errorOf(redraw()).rateLimitedReason(), RateLimitedReason::resourceSpecific);
  EXPECT_EQ(service.requests().list().back().limit, limits::widgetsMade.name);
  service.clock()->advance(limits::widgetsMade.window);
  EXPECT_TRUE(redraw());
}

TEST_F(KitchenSink, EnforcesTheConcurrencyLimitOfOneOperation) {
  const Widget widget = makeWidget("one");
  {
    const fake::Hold place = service.holds().takeConcurrency(key, "widgets.update");
    EXPECT_EQ(errorOf(client.widgets().update(widget.id, {.name = "two"})).rateLimitedReason(),
              RateLimitedReason::endpointConcurrency);
  }
  EXPECT_TRUE(client.widgets().update(widget.id, {.name = "two"}));
}

}  // namespace

}  // namespace tally::test
