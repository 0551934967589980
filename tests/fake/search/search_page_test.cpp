#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "text/url.h"

namespace tally::test {

namespace {

using Ids = std::vector<std::string>;

std::string searchUrl(std::string_view query, const std::string& more = {}) {
  std::string url = "/v1/payment_records/search?query=";
  tally::detail::percentEncode(url, query);
  return url + more;
}

class Searches : public testing::Test {
 protected:
  std::string insert(const std::string& description) {
    return one.insert([&](PaymentRecord& record) { record.description = description; });
  }
  HttpResponse search(std::string_view query, const std::string& more = {}) {
    return one.get(searchUrl(query, more));
  }
  static std::string nextPage(const HttpResponse& page) { return text(bodyOf(page).at("next_page")); }

  OneAccount one{};
  std::string tea = R"(description:"tea")";
};

TEST_F(Searches, ReturnTheNewestObjectsFirst) {
  const std::string first = insert("tea");
  insert("coffee");
  const std::string second = insert("tea");
  const auto page = bodyOf(search(tea));
  EXPECT_EQ(idsOf(page), (Ids{second, first}));
}

TEST_F(Searches, ReturnTheSpecifiedEnvelope) {
  EXPECT_EQ(search(tea).body,
            R"({"object":"search_result","url":"/v1/payment_records/search","has_more":false,"data":[]})");
  insert("tea");
  insert("tea");
  const auto page = bodyOf(search(tea, "&limit=1&expand[]=total_count"));
  EXPECT_TRUE(page.at("has_more").as_bool());
  EXPECT_TRUE(page.as_object().contains("next_page"));
  EXPECT_EQ(page.at("total_count").as_int64(), 2);
}

TEST_F(Searches, ContinueAfterTheLastObjectWhenNewOnesArrive) {
  const std::string first = insert("tea");
  const std::string second = insert("tea");
  const std::string third = insert("tea");
  const HttpResponse page = search(tea, "&limit=1");
  EXPECT_EQ(idsOf(bodyOf(page)), (Ids{third}));
  insert("tea");
  const HttpResponse next = search(tea, "&limit=1&page=" + nextPage(page));
  EXPECT_EQ(idsOf(bodyOf(next)), (Ids{second}));
  const auto last = bodyOf(search(tea, "&limit=1&page=" + nextPage(next)));
  EXPECT_EQ(idsOf(last), (Ids{first}));
  EXPECT_FALSE(last.at("has_more").as_bool());
  EXPECT_FALSE(last.as_object().contains("next_page"));
}

TEST_F(Searches, RefuseThePageCursorOfAnotherQuery) {
  insert("tea");
  insert("tea");
  const std::string page = "&page=" + nextPage(search(tea, "&limit=1"));
  EXPECT_EQ(search(tea, page).status, 200);
  EXPECT_EQ(errorOf(search(R"(description:"cup")", page)), "400 parameter_invalid page");
  EXPECT_EQ(errorOf(search(tea, "&page=nonsense")), "400 parameter_invalid page");
  EXPECT_EQ(errorOf(search(tea, "&page=")), "400 parameter_invalid page");
  const auto other = one.service.addAccount();
  for (const std::string& key : {one.account.liveKey, other.sandboxKey})
    EXPECT_EQ(errorOf(one.service.handle(test::get(key, searchUrl(tea, page)))),
              "400 parameter_invalid page");
}

TEST_F(Searches, RefuseBadParameters) {
  EXPECT_EQ(errorOf(one.get("/v1/payment_records/search")), "400 parameter_missing query");
  EXPECT_EQ(errorOf(search("")), "400 parameter_missing query");
  EXPECT_EQ(errorOf(search("description")), "400 parameter_invalid query");
  EXPECT_EQ(messageOf(search("description=1")),
            "The parameter 'query' is invalid: at position 12: unexpected '='.");
  EXPECT_EQ(errorOf(search("colour:1")), "400 parameter_invalid query");
  EXPECT_EQ(errorOf(search(tea, "&limit=101")), "400 parameter_invalid limit");
  EXPECT_EQ(errorOf(search(tea, "&expand[]=data")), "400 parameter_invalid expand[]");
  EXPECT_EQ(errorOf(search(tea, "&expand%5B0%5D=total_count&expand%5B1%5D=data")),
            "400 parameter_invalid expand[1]");
  EXPECT_EQ(errorOf(search(tea, "&starting_after=pr_1")), "400 parameter_unknown starting_after");
}

TEST_F(Searches, AcceptEveryFormOfExpand) {
  for (const char* more : {"&expand[]=total_count", "&expand[0]=total_count", "&expand%5B%5D=total_count"})
    EXPECT_EQ(bodyOf(search(tea, more)).at("total_count").as_int64(), 0) << more;
}

TEST_F(Searches, CountAtMostTenThousandObjects) {
  for (int n = 0; n < 10'001; ++n)
    insert("tea");
  const auto page = bodyOf(search(tea, "&limit=1&expand[]=total_count"));
  EXPECT_EQ(page.at("total_count").as_int64(), 10'000);
  EXPECT_TRUE(page.at("has_more").as_bool());
}

TEST_F(Searches, FindNewObjectsOnceTheLagHasPassed) {
  fake::Service service{{.searchLag = std::chrono::seconds{60}}};
  const std::string key = service.addAccount().sandboxKey;
  service.insert<PaymentRecord>(key, [](PaymentRecord& record) { record.description = "tea"; });
  const auto found = [&] { return idsOf(bodyOf(service.handle(test::get(key, searchUrl(tea))))).size(); };
  EXPECT_EQ(found(), 0U);
  EXPECT_EQ(idsOf(bodyOf(service.handle(test::get(key, "/v1/payment_records")))).size(), 1U);
  service.clock()->advance(std::chrono::seconds{59});
  EXPECT_EQ(found(), 0U);
  service.clock()->advance(std::chrono::seconds{1});
  EXPECT_EQ(found(), 1U);
}

}  // namespace

}  // namespace tally::test
