// Successful results carry the response from which they were made.

#include <sstream>
#include <string>
#include <utility>

#include <tally/client.h>
#include <tally/last_response.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/harness.h"

namespace tally {
namespace {

using test::Harness;
using testing::ElementsAre;

const std::vector<Header> headers{{"Request-Id", "req_1"}, {"X-Region", "eu"}};

HttpResponse pageOf(const std::string& data, const std::string& hasMore) {
  return {
      .status = 200,
      .headers = headers,
      .body = R"({"object":"list","url":"/v1/payouts","has_more":)" + hasMore + R"(,"data":[)" + data + "]}"};
}

TEST(LastResponses, BelongToTheObjectThatACallReturns) {
  Harness h;
  h.respond(HttpResponse{.status = 201, .headers = headers, .body = test::recordJson("pr_1")});
  const auto record = h.client.paymentRecords().retrieve("pr_1");
  ASSERT_TRUE(record) << record.error();
  const LastResponse& response = record.value().lastResponse;
  EXPECT_EQ(response.status(), 201);
  EXPECT_EQ(response.requestId(), "req_1");
  EXPECT_EQ(response.headers(), headers);
  ASSERT_NE(response.header("x-region"), nullptr);
  EXPECT_EQ(*response.header("x-region"), "eu");
}

TEST(LastResponses, BelongToTheLastAttempt) {
  Harness h{{.maxNetworkRetries = 1}};
  h.respond(HttpResponse{.status = 500, .headers = {{"Request-Id", "req_0"}}});
  h.respond(HttpResponse{.status = 200, .headers = headers, .body = test::recordJson("pr_1")});
  EXPECT_EQ(h.client.paymentRecords().retrieve("pr_1").value().lastResponse.requestId(), "req_1");
}

TEST(LastResponses, DoNotRemoveRequestIdsFromAttempts) {
  Harness h;
  h.respond(HttpResponse{.status = 200, .headers = headers, .body = test::recordJson("pr_1")});
  std::vector<Attempt> attempts;
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1", {.attempts = &attempts}));
  ASSERT_EQ(attempts.size(), 1U);
  EXPECT_EQ(attempts[0].requestId, "req_1");
}

TEST(LastResponses, BelongToPagesRatherThanToTheirObjects) {
  for (const bool prefetch : {false, true}) {
    Harness h;
    h.respond(pageOf(test::recordJson("pr_1"), "false"));
    auto pager = h.client.paymentRecords().list();
    for (const auto& fetched : (prefetch ? std::move(pager).prefetch() : std::move(pager)).pages()) {
      ASSERT_TRUE(fetched) << fetched.error();
      EXPECT_EQ(fetched.value().lastResponse.requestId(), "req_1");
      ASSERT_EQ(fetched.value().data.size(), 1U);
      EXPECT_EQ(fetched.value().data[0].lastResponse.status(), 0);
    }
  }
}

TEST(LastResponses, AreSharedByTheObjectsOfAPageInALoop) {
  Harness h;
  h.respond(pageOf(test::recordJson("pr_2") + ',' + test::recordJson("pr_1"), "true"));
  HttpResponse second = pageOf(test::recordJson("pr_0"), "false");
  second.headers = {{"Request-Id", "req_2"}};
  h.respond(second);
  std::vector<std::string> ids;
  for (const auto& record : h.client.paymentRecords().list())
    ids.emplace_back(record.value().lastResponse.requestId());
  EXPECT_THAT(ids, ElementsAre("req_1", "req_1", "req_2"));
}

TEST(LastResponses, ProvideTheRequestIdWhenAPageFails) {
  Harness h;
  h.respond(pageOf("", "true"));
  for (const auto& record : h.client.paymentRecords().list()) {
    ASSERT_FALSE(record);
    EXPECT_EQ(record.error().kind(), ErrorKind::pagination);
    EXPECT_EQ(record.error().requestId(), "req_1");
    EXPECT_EQ(record.error().attempts().back().requestId, "req_1");
  }
}

TEST(LastResponses, AreEmptyInAnObjectMadeByTheApplication) {
  const PaymentRecord ownRecord;
  EXPECT_EQ(ownRecord.lastResponse.status(), 0);
  EXPECT_EQ(ownRecord.lastResponse.requestId(), "");
  EXPECT_THAT(ownRecord.lastResponse.headers(), ElementsAre());
  EXPECT_EQ(ownRecord.lastResponse.header("Request-Id"), nullptr);
}

TEST(LastResponses, DoNotAffectEquality) {
  PaymentRecord record;
  record.lastResponse = LastResponse{200, headers};
  EXPECT_EQ(record, PaymentRecord{});
}

TEST(LastResponses, ArePrintedWithoutHeaders) {
  std::ostringstream out;
  out << LastResponse{200, headers};
  EXPECT_EQ(out.str(), "LastResponse{status: 200}");
}

}  // namespace
}  // namespace tally
