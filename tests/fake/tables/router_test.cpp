#include "tables/router.h"

#include <array>
#include <stdexcept>

#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

const AnyOperation list{.name = "list", .method = Method::get, .path = "/v1/things"};
const AnyOperation create{.name = "create", .method = Method::post, .path = "/v1/things"};
const AnyOperation retrieve{.name = "retrieve", .method = Method::get, .path = "/v1/things/{id}"};
const AnyOperation search{.name = "search", .method = Method::get, .path = "/v1/things/search"};
const AnyOperation report{.name = "report", .method = Method::post, .path = "/v1/things/{id}/report"};
const std::array<const AnyOperation*, 5> operations{&list, &create, &retrieve, &search, &report};

class RouterTest : public testing::Test {
 protected:
  [[nodiscard]] Route find(Method method, std::string_view path) const { return router_.find(method, path); }

 private:
  Router router_{operations};
};

TEST_F(RouterTest, DistinguishesMethods) {
  EXPECT_EQ(find(Method::get, "/v1/things").operation, &list);
  EXPECT_EQ(find(Method::post, "/v1/things").operation, &create);
}

TEST_F(RouterTest, ExtractsTheIdentifierFromThePath) {
  const Route route = find(Method::post, "/v1/things/th_%201/report");
  EXPECT_EQ(route.operation, &report);
  EXPECT_EQ(route.id, "th_%201");
}

TEST_F(RouterTest, PrefersLiteralSegmentsToIdentifiers) {
  EXPECT_EQ(find(Method::get, "/v1/things/search").operation, &search);
  EXPECT_EQ(find(Method::get, "/v1/things/searches").operation, &retrieve);
}

TEST_F(RouterTest, TreatsALiteralAsAnIdentifierIfNothingElseMatches) {
  const Route route = find(Method::post, "/v1/things/search/report");
  EXPECT_EQ(route.operation, &report);
  EXPECT_EQ(route.id, "search");
}

TEST_F(RouterTest, ListsTheMethodsOfAPathThatLacksTheRequestedOne) {
  const Route route = find(Method::post, "/v1/things/th_1");
  EXPECT_EQ(route.operation, nullptr);
  EXPECT_TRUE(route.pathKnown);
  EXPECT_EQ(route.takes, (std::array{true, false}));
  EXPECT_EQ(find(Method::get, "/v1/things/th_1/report").takes, (std::array{false, true}));
  EXPECT_EQ(find(Method::get, "/v1/things").takes, (std::array{true, true}));
}

TEST_F(RouterTest, FindsNoOperationForUnknownPaths) {
  for (const std::string_view path :
       {"", "/", "v1/things", "/v1", "/v1/", "/v1/things/", "/v1//th_1", "/v1/things/th_1/", "/v1/other",
        "/v1/things/th_1/report/more", "//v1/things"}) {
    const Route route = find(Method::get, path);
    EXPECT_EQ(route.operation, nullptr) << path;
    EXPECT_FALSE(route.pathKnown) << path;
  }
}

TEST(Router, RefusesTwoOperationsWithTheSamePath) {
  const std::array<const AnyOperation*, 2> twice{&list, &list};
  EXPECT_THROW((Router{twice}), std::logic_error);
}

}  // namespace

}  // namespace tally::fake::detail
