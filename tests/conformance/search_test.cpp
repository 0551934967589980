// Spec: "Search result object" and "Search operations (some top-level resources)": a test for each row and
// rule.

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

class SearchResultObject : public Conformance {
 protected:
  static constexpr const char* everything = "created>0";

  std::string json(const std::string& more = "") {
    return get("/v1/payment_records/search?query=created%3E0" + more).body;
  }
};

TEST_F(SearchResultObject, HasSearchResultAsItsObjectType) {
  EXPECT_NE(json().find(R"("object":"search_result")"), std::string::npos);
}

TEST_F(SearchResultObject, HasThePathOfTheSearchAsItsUrl) {
  EXPECT_EQ(firstPage(records.search({.query = everything})).url, "/v1/payment_records/search");
}

TEST_F(SearchResultObject, HasMoreUnlessItIsTheLastPage) {
  insertMany(3);
  EXPECT_TRUE(firstPage(records.search({.query = everything, .limit = 2})).hasMore);
  EXPECT_FALSE(firstPage(records.search({.query = everything, .limit = 3})).hasMore);
}

TEST_F(SearchResultObject, ContainsTheObjectsInItsDataField) {
  const Ids ids = insertMany(3);
  const auto page = firstPage(records.search({.query = everything}));
  ASSERT_EQ(page.data.size(), 3U);
  EXPECT_EQ(page.data[0], records.retrieve(ids[0]).value());
}

TEST_F(SearchResultObject, HasANextPageCursorUnlessItIsTheLastPage) {
  const Ids ids = insertMany(3);
  const auto page = firstPage(records.search({.query = everything, .limit = 2}));
  ASSERT_TRUE(page.nextPage);
  const auto next = firstPage(records.search({.query = everything, .limit = 2, .page = page.nextPage}));
  ASSERT_EQ(next.data.size(), 1U);
  EXPECT_EQ(next.data[0].id, ids[2]);
  EXPECT_FALSE(next.nextPage);
}

TEST_F(SearchResultObject, OmitsTheTotalCountUnlessItIsExpanded) {
  insertMany(3);
  EXPECT_EQ(json().find("total_count"), std::string::npos);
  EXPECT_EQ(
      firstPage(records.search({.query = everything, .limit = 1, .expand = {"total_count"}})).totalCount, 3);
  EXPECT_NE(json("&expand[0]=total_count").find(R"("total_count":3)"), std::string::npos);
}

TEST_F(SearchResultObject, HasATotalCountOfAtMost10000) {
  for (int i = 0; i < 10'001; ++i)
    insert();
  EXPECT_EQ(
      firstPage(records.search({.query = everything, .limit = 1, .expand = {"total_count"}})).totalCount,
      10'000);
}

class SearchOperations : public Conformance {
 protected:
  void expectRefused(const std::string& query, const std::string& code, const std::string& param) {
    const HttpResponse response = get("/v1/payment_records/search?" + query);
    EXPECT_EQ(response.status, 400) << query;
    EXPECT_NE(response.body.find(R"("code":")" + code + '"'), std::string::npos) << response.body;
    EXPECT_NE(response.body.find(R"("param":")" + param + '"'), std::string::npos) << response.body;
  }
  Ids found(const std::string& query) { return idsOf(records.search({.query = query})); }
};

TEST_F(SearchOperations, RequireAQuery) {
  expectRefused("", "parameter_missing", "query");
  EXPECT_EQ(firstError(records.search({}))->param(), "query");
}

TEST_F(SearchOperations, FindObjectsByTheirFields) {
  const Ids ids = insertMany(12);
  EXPECT_EQ(found("description:\"Order 3\""), (Ids{ids[8]}));
  EXPECT_EQ(found("description~\"order 1\""), (Ids{ids[0], ids[1], ids[10]}));
  EXPECT_EQ(
      found("created>=" + std::to_string((reportTime + std::chrono::seconds{10}).time_since_epoch().count())),
      (Ids{ids[0], ids[1]}));
  EXPECT_EQ(found("-description~\"Order\""), Ids{});
}

TEST_F(SearchOperations, FindObjectsByMetadataAmountAndReference) {
  const auto record = insert([](PaymentRecord& edited) {
    edited.metadata = {{"order", "42"}};
    edited.amountRequested = {"eur", 77};
    edited.processorDetails.custom.paymentReference = "ref_77";
  });
  insert();
  const Ids only{record.id.str()};
  EXPECT_EQ(found("metadata[\"order\"]:\"42\""), only);
  EXPECT_EQ(found("amount_requested.value:77"), only);
  EXPECT_EQ(found("amount_requested.currency:\"eur\" AND amount_requested.value<100"), only);
  EXPECT_EQ(found("processor_details.custom.payment_reference:\"ref_77\""), only);
  EXPECT_EQ(found("-metadata[\"order\"]:null"), only);
}

TEST_F(SearchOperations, RefuseAQueryThatMixesAndWithOr) {
  const Ids ids = insertMany(3);
  EXPECT_EQ(found("description:\"Order 0\" OR description:\"Order 2\""), (Ids{ids[0], ids[2]}));
  EXPECT_EQ(found("description:\"Order 0\" AND description:\"Order 2\""), Ids{});
  const auto error = firstError(records.search({.query = "created>0 AND created>1 OR created>2"}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->param(), "query");
}

TEST_F(SearchOperations, RefuseABadQueryWithThePositionOfTheError) {
  for (const char* query : {"created", "created>", "nothing:\"x\"", "description>1", "description:\"x", "AND",
                            "created>0 created>1"}) {
    const auto error = firstError(records.search({.query = query}));
    ASSERT_TRUE(error) << query;
    EXPECT_EQ(error->status(), 400) << query;
    EXPECT_EQ(error->param(), "query") << query;
    EXPECT_NE(error->message().find("position"), std::string::npos) << error->message();
  }
}

TEST_F(SearchOperations, AcceptALimitFrom1To100WithADefaultOf10) {
  insertMany(101);
  EXPECT_EQ(firstPage(records.search({.query = "created>0"})).data.size(), 10U);
  EXPECT_EQ(firstPage(records.search({.query = "created>0", .limit = 1})).data.size(), 1U);
  EXPECT_EQ(firstPage(records.search({.query = "created>0", .limit = 100})).data.size(), 100U);
  expectRefused("query=created%3E0&limit=0", "parameter_invalid", "limit");
  expectRefused("query=created%3E0&limit=101", "parameter_invalid", "limit");
  EXPECT_EQ(firstError(records.search({.query = "created>0", .limit = 101}))->param(), "limit");
}

TEST_F(SearchOperations, UseThePageParameterForEveryPageButTheFirst) {
  const Ids ids = insertMany(23);
  EXPECT_EQ(idsOf(records.search({.query = "created>0", .limit = 4})), ids);
  const auto requests = service.requests().list();
  ASSERT_EQ(requests.size(), 6U);
  EXPECT_EQ(requests[0].request.url.find("page="), std::string::npos);
  for (std::size_t i = 1; i < requests.size(); ++i)
    EXPECT_NE(requests[i].request.url.find("page="), std::string::npos);
}

TEST_F(SearchOperations, FindEachObjectOnceWhenPagesArePrefetched) {
  const Ids ids = insertMany(11);
  EXPECT_EQ(idsOf(records.search({.query = "created>0", .limit = 2}).prefetch()), ids);
}

TEST_F(SearchOperations, RefuseAPageCursorThatIsNotFromTheSameQuery) {
  insertMany(3);
  const auto page = firstPage(records.search({.query = "created>0", .limit = 1}));
  const auto error = firstError(records.search({.query = "created>1", .limit = 1, .page = page.nextPage}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->status(), 400);
  EXPECT_EQ(error->param(), "page");
  EXPECT_EQ(firstError(records.search({.query = "created>0", .page = "made_up"}))->param(), "page");
}

TEST_F(SearchOperations, FindANewObjectImmediatelyUnlessALagIsSet) {
  const auto record = insert();
  EXPECT_EQ(found("created>0"), (Ids{record.id.str()}));
  Service lagging{{.searchLag = std::chrono::seconds{60}}};
  const auto other = lagging.addAccount().sandboxKey;
  const Client late{lagging.clientOptions(other)};
  (void)lagging.insert<PaymentRecord>(other);
  EXPECT_TRUE(idsOf(late.paymentRecords().search({.query = "created>0"})).empty());
  lagging.clock()->advance(std::chrono::seconds{60});
  EXPECT_EQ(idsOf(late.paymentRecords().search({.query = "created>0"})).size(), 1U);
}

}  // namespace
}  // namespace tally::conformance
