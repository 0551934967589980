// Spec: "List object" and "List operations (all top-level resources)": a test for each row and rule.

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

class ListObject : public Conformance {};

TEST_F(ListObject, HasListAsItsObjectType) {
  EXPECT_NE(get("/v1/payment_records").body.find(R"("object":"list")"), std::string::npos);
}

TEST_F(ListObject, ContainsTheObjectsInItsDataField) {
  const Ids ids = insertMany(3);
  const auto page = firstPage(records.list());
  ASSERT_EQ(page.data.size(), 3U);
  EXPECT_EQ(page.data[0], records.retrieve(ids[0]).value());
}

TEST_F(ListObject, HasMoreUnlessItIsTheLastPage) {
  insertMany(3);
  EXPECT_TRUE(firstPage(records.list({.limit = 2})).hasMore);
  EXPECT_FALSE(firstPage(records.list({.limit = 3})).hasMore);
}

TEST_F(ListObject, HasThePathOfTheListAsItsUrl) {
  EXPECT_EQ(firstPage(records.list()).url, "/v1/payment_records");
}

class ListOperations : public Conformance {
 protected:
  void expectRefused(const std::string& query, const std::string& code, const std::string& param) {
    const HttpResponse response = get("/v1/payment_records?" + query);
    EXPECT_EQ(response.status, 400) << query;
    EXPECT_NE(response.body.find(R"("code":")" + code + '"'), std::string::npos) << response.body;
    EXPECT_NE(response.body.find(R"("param":")" + param + '"'), std::string::npos) << response.body;
  }
};

TEST_F(ListOperations, ReturnObjectsInReverseChronologicalOrder) {
  const Ids newestFirst = insertMany(5);
  EXPECT_EQ(idsOf(records.list()), newestFirst);
}

TEST_F(ListOperations, ReturnObjectsOfTheSameSecondInReverseOrderOfCreation) {
  const std::string first = insert().id.str();
  const std::string second = insert().id.str();
  EXPECT_EQ(idsOf(records.list()), (Ids{second, first}));
}

TEST_F(ListOperations, ReturnTenObjectsPerPageByDefault) {
  insertMany(11);
  EXPECT_EQ(firstPage(records.list()).data.size(), 10U);
}

TEST_F(ListOperations, AcceptOnlyALimitFrom1To100) {
  insertMany(101);
  EXPECT_EQ(firstPage(records.list({.limit = 1})).data.size(), 1U);
  EXPECT_EQ(firstPage(records.list({.limit = 100})).data.size(), 100U);
  for (const char* wrong : {"0", "101", "-1", "x", "1.5", "99999999999999999999"})
    expectRefused(std::string{"limit="} + wrong, "parameter_invalid", "limit");
  EXPECT_EQ(firstError(records.list({.limit = 0}))->param(), "limit");
  EXPECT_EQ(firstError(records.list({.limit = 101}))->param(), "limit");
}

TEST_F(ListOperations, ReturnTheObjectsAfterTheStartingAfterCursor) {
  const Ids ids = insertMany(5);
  EXPECT_EQ(idsOf(records.list({.startingAfter = ids[1]})), (Ids{ids[2], ids[3], ids[4]}));
}

TEST_F(ListOperations, ReturnTheNextPageWhenStartingAfterTheLastId) {
  const Ids ids = insertMany(5);
  const auto page = firstPage(records.list({.limit = 2}));
  const auto next = firstPage(records.list({.limit = 2, .startingAfter = page.data.back().id}));
  EXPECT_EQ(next.data.front().id, ids[2]);
  EXPECT_EQ(next.data.back().id, ids[3]);
}

TEST_F(ListOperations, ReturnThePreviousPageWhenEndingBeforeTheFirstId) {
  const Ids ids = insertMany(6);
  const auto page = firstPage(records.list({.limit = 2, .endingBefore = ids[4]}));
  ASSERT_EQ(page.data.size(), 2U);
  EXPECT_EQ(page.data[0].id, ids[2]);
  EXPECT_EQ(page.data[1].id, ids[3]);
  EXPECT_TRUE(page.hasMore);
  const auto previous = firstPage(records.list({.limit = 2, .endingBefore = page.data.front().id}));
  EXPECT_EQ(previous.data[0].id, ids[0]);
  EXPECT_EQ(previous.data[1].id, ids[1]);
  EXPECT_FALSE(previous.hasMore);
}

TEST_F(ListOperations, RefuseStartingAfterTogetherWithEndingBefore) {
  const Ids ids = insertMany(3);
  const HttpResponse response =
      get("/v1/payment_records?starting_after=" + ids[0] + "&ending_before=" + ids[2]);
  EXPECT_EQ(response.status, 400);
  EXPECT_NE(response.body.find("parameter_invalid"), std::string::npos);
  EXPECT_EQ(firstError(records.list({.startingAfter = ids[0], .endingBefore = ids[2]}))->kind(),
            ErrorKind::invalidParameter);
}

TEST_F(ListOperations, RefuseAnUnknownCursor) {
  insertMany(3);
  expectRefused("starting_after=pr_nobody", "resource_missing", "starting_after");
  expectRefused("ending_before=pr_nobody", "resource_missing", "ending_before");
}

TEST_F(ListOperations, ReturnEachObjectOnceInEitherDirection) {
  const Ids ids = insertMany(23);
  EXPECT_EQ(idsOf(records.list({.limit = 4})), ids);
  EXPECT_EQ(idsOf(records.list({.limit = 4, .endingBefore = ids.back()})), Ids(ids.rbegin() + 1, ids.rend()));
}

TEST_F(ListOperations, ReturnEachObjectOnceWhenPagesArePrefetched) {
  const Ids ids = insertMany(23);
  const std::size_t before = service.requests().size();
  EXPECT_EQ(idsOf(records.list({.limit = 4}).prefetch()), ids);
  EXPECT_EQ(service.requests().size() - before, 6U);
}

TEST_F(ListOperations, SetHasMoreOnEveryPageExceptTheLast) {
  insertMany(5);
  std::vector<bool> more;
  for (auto& page : records.list({.limit = 2}).pages())
    more.push_back(page.value().hasMore);
  EXPECT_EQ(more, (std::vector<bool>{true, true, false}));
}

TEST_F(ListOperations, OmitObjectsOfOtherAccountsAndModes) {
  insertMany(2);
  const Client live{service.clientOptions(account.liveKey)};
  const Client stranger{service.clientOptions(service.addAccount().sandboxKey)};
  EXPECT_TRUE(idsOf(live.paymentRecords().list()).empty());
  EXPECT_TRUE(idsOf(stranger.paymentRecords().list()).empty());
}

}  // namespace
}  // namespace tally::conformance
