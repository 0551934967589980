#include <stdexcept>

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "fake/support/gadget.h"
#include "fake/support/requests.h"
#include "json/json_reader.h"

namespace tally::test {

namespace {

using fake::detail::Engine;
using tally::detail::Schema;

/// A service with the tables of gadgets.
class Objects : public testing::Test {
 protected:
  HttpResponse post(const std::string& url, std::string body = {}) {
    return service.handle(test::post(key, url, std::move(body)));
  }
  HttpResponse postJson(const std::string& url, std::string body) {
    return service.handle(test::post(key, url, std::move(body), "application/json"));
  }
  HttpResponse get(const std::string& url) { return service.handle(test::get(key, url)); }

  static Gadget read(const HttpResponse& response) {
    Gadget gadget;
    if (const auto problem = tally::detail::readJson(response.body, refTo(gadget)))
      throw std::runtime_error{*problem + " in " + response.body};
    return gadget;
  }
  Gadget create(std::string body = "name=Pot") { return read(post("/v1/gadgets", std::move(body))); }

  std::shared_ptr<Engine> engine = std::make_shared<Engine>(fake::ServiceOptions{.limits = false}, gadgets);
  fake::Service service{engine};
  fake::Account owner = service.addAccount();
  std::string key = owner.sandboxKey;
};

TEST_F(Objects, AreCreatedFromTheExampleAndTheParameters) {
  service.clock()->advance(std::chrono::milliseconds{5500});
  const Gadget gadget = create("name=Pot&size=7&parts[0][name]=Lid&metadata[a]=1");
  EXPECT_TRUE(gadget.id.str().starts_with("gad_"));
  EXPECT_TRUE(gadget.serial.str().starts_with("ser_"));
  EXPECT_EQ(gadget.created,
            std::chrono::floor<std::chrono::seconds>(engine->options().start) + std::chrono::seconds{5});
  EXPECT_FALSE(gadget.livemode);
  EXPECT_EQ(gadget.name, "Pot");
  EXPECT_EQ(gadget.size, 7);
  EXPECT_EQ(gadget.parts, (std::vector<Part>{{"Lid", {}}}));
  EXPECT_EQ(gadget.metadata, (Metadata{{"a", "1"}}));
  EXPECT_EQ(gadget.spare, (Part{"Spare", 9})) << "as in the example";
  EXPECT_EQ(gadget.main.name, "Pot") << "assigned on creation";
}

TEST_F(Objects, HaveUniqueIdentifiers) {
  const Gadget one = create();
  const Gadget other = create();
  EXPECT_NE(one.id, other.id);
  EXPECT_NE(one.serial, other.serial);
}

TEST_F(Objects, AreCreatedFromJson) {
  const HttpResponse response =
      postJson("/v2/gadgets", R"({"name":"Pot","spare":{"name":"Lid"},"metadata":{"a":"1"}})");
  const Gadget gadget = read(response);
  EXPECT_EQ(gadget.name, "Pot");
  EXPECT_EQ(gadget.spare, (Part{"Lid", 9})) << "fields that are not given keep the example's values";
  EXPECT_EQ(gadget.metadata, (Metadata{{"a", "1"}}));
}

TEST_F(Objects, AreRetrievedAsTheyWereReturned) {
  const HttpResponse created = post("/v1/gadgets", "name=Pot");
  EXPECT_EQ(get("/v1/gadgets/" + read(created).id.str()).body, created.body);
}

TEST_F(Objects, AreUpdatedOnlyInTheGivenFields) {
  const Gadget before = create("name=Pot&note=N&metadata[a]=1&metadata[b]=2");
  const std::string url = "/v1/gadgets/" + before.id.str();
  Gadget expected = before;
  expected.name = "Cup";
  expected.metadata = {{"b", "3"}};
  EXPECT_EQ(read(post(url, "name=Cup&metadata[a]=&metadata[b]=3")), expected);
  EXPECT_EQ(read(get(url)), expected);
}

TEST_F(Objects, MoveBetweenStates) {
  const Gadget before = create("name=Pot&size=7");
  const std::string url = "/v1/gadgets/" + before.id.str();
  Gadget started = before;
  started.active = true;
  started.main.weight = 7;
  EXPECT_EQ(read(post(url + "/start")), started);
  EXPECT_EQ(post(url + "/start").status, 400);
  EXPECT_EQ(read(get(url)), started);

  Gadget stopped = started;
  stopped.spare.reset();
  stopped.main.weight.reset();
  EXPECT_EQ(read(post(url + "/stop")), stopped);
  EXPECT_EQ(read(post(url + "/stop")), stopped);
  EXPECT_EQ(post(url + "/start").status, 200);
}

TEST_F(Objects, TakeTheirFieldsFromParametersRatherThanEffects) {
  const std::string url = "/v1/gadgets/" + create("name=Pot&size=7").id.str() + "/tune";
  EXPECT_EQ(read(post(url, "name=Pot")).size, 0);
  EXPECT_EQ(read(post(url, "name=Pot&size=5")).size, 5);
}

TEST_F(Objects, TakeTheirFieldsFromParametersRatherThanAssignmentsOnCreation) {
  EXPECT_EQ(create("name=Pot").spare, (Part{"Spare", 9}));
  EXPECT_EQ(create("name=Pot&spare[name]=Lid&spare[weight]=4").spare, (Part{"Lid", 4}));
}

TEST_F(Objects, KeepTheirStateWhenUpdated) {
  const std::string url = "/v1/gadgets/" + create().id.str();
  post(url + "/start");
  post(url, "name=Cup");
  EXPECT_EQ(post(url + "/start").status, 400);
}

TEST_F(Objects, CauseANotFoundErrorWhenMissing) {
  EXPECT_EQ(errorOf(get("/v1/gadgets/gad_1")), "404 resource_missing");
  EXPECT_EQ(errorOf(post("/v1/gadgets/gad_1", "name=a")), "404 resource_missing");
  EXPECT_EQ(errorOf(post("/v1/gadgets/gad_1/start")), "404 resource_missing");
  EXPECT_EQ(messageOf(get("/v1/gadgets/gad_1")), "There is no test gadget 'gad_1'.");
}

TEST_F(Objects, AreNotCreatedFromBadParameters) {
  EXPECT_EQ(errorOf(post("/v1/gadgets", "size=1")), "400 parameter_missing name");
  EXPECT_EQ(errorOf(post("/v1/gadgets", "name=a&size=101")), "400 parameter_invalid size");
  EXPECT_EQ(errorOf(post("/v1/gadgets", "name=a&parent=x")), "400 parameter_invalid parent");
  EXPECT_EQ(errorOf(post("/v1/gadgets?name=a", "name=a")), "400 parameter_unknown name");
  EXPECT_EQ(errorOf(post("/v1/gadgets/gad_1/start", "name=a")), "400 parameter_unknown name");
  EXPECT_EQ(errorOf(postJson("/v2/gadgets", R"({"sise":1})")), "400 parameter_unknown sise");
  EXPECT_EQ(errorOf(postJson("/v1/gadgets", "{}")), "400 parameter_invalid");
  EXPECT_EQ(errorOf(post("/v2/gadgets", "name=a")), "400 parameter_invalid");
  EXPECT_TRUE(idsOf(bodyOf(get("/v1/gadgets"))).empty());
}

TEST_F(Objects, AreCreatedOnlyWithReferencesToExistingObjects) {
  const std::string parent = create().id.str();
  EXPECT_EQ(read(post("/v1/gadgets", "name=a&parent=" + parent)).parent, parent);
  const std::string before = get("/v1/gadgets").body;
  EXPECT_EQ(errorOf(post("/v1/gadgets", "name=a&parent=gad_1")), "404 resource_missing parent");
  EXPECT_EQ(messageOf(post("/v1/gadgets", "name=a&parent=gad_1")), "There is no test gadget 'gad_1'.");
  EXPECT_EQ(errorOf(postJson("/v2/gadgets", R"({"name":"a","parent":"gad_1"})")),
            "404 resource_missing parent");
  EXPECT_EQ(get("/v1/gadgets").body, before);
}

TEST_F(Objects, AreUpdatedOnlyWithReferencesToExistingObjects) {
  const std::string url = "/v1/gadgets/" + create().id.str();
  const std::string before = get(url).body;
  EXPECT_EQ(errorOf(post(url, "name=b&parent=gad_1")), "404 resource_missing parent");
  EXPECT_EQ(get(url).body, before);
  EXPECT_EQ(post(url, "name=b&parent=" + create().id.str()).status, 200);
}

TEST_F(Objects, AreInvisibleToReferencesFromAnotherModeOrAccount) {
  const auto other = service.addAccount();
  for (const std::string& stranger : {owner.liveKey, other.sandboxKey, other.liveKey}) {
    const auto theirs = service.handle(test::post(stranger, "/v1/gadgets", "name=a"));
    EXPECT_EQ(errorOf(post("/v1/gadgets", "name=a&parent=" + read(theirs).id.str())),
              "404 resource_missing parent");
  }
}

TEST_F(Objects, AreCreatedDespiteACharsetInTheContentType) {
  const auto response = service.handle(
      test::post(key, "/v1/gadgets", "name=a", "Application/X-WWW-form-urlencoded ; charset=utf-8"));
  EXPECT_EQ(response.status, 200);
}

TEST_F(Objects, AreListedIfTheyMatchTheFilters) {
  const std::string a1 = create("name=a&active=true").id.str();
  create("name=b&active=true");
  const std::string a2 = create("name=a&active=false").id.str();
  const std::string a3 = create("name=a&active=true").id.str();
  using Ids = std::vector<std::string>;
  EXPECT_EQ(idsOf(bodyOf(get("/v1/gadgets?name=a"))), (Ids{a3, a2, a1}));
  EXPECT_EQ(idsOf(bodyOf(get("/v1/gadgets?name=a&active=true"))), (Ids{a3, a1}));
  const auto page = bodyOf(get("/v1/gadgets?name=a&limit=2"));
  EXPECT_EQ(idsOf(page), (Ids{a3, a2}));
  EXPECT_TRUE(page.at("has_more").as_bool());
  const auto last = bodyOf(get("/v1/gadgets?name=a&limit=2&starting_after=" + a2));
  EXPECT_EQ(idsOf(last), (Ids{a1}));
  EXPECT_FALSE(last.at("has_more").as_bool());
  EXPECT_EQ(idsOf(bodyOf(get("/v1/gadgets?name=a&ending_before=" + a1))), (Ids{a3, a2}));
}

}  // namespace

}  // namespace tally::test
