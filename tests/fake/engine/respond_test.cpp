#include "engine/respond.h"

#include <gtest/gtest.h>

#include "errors.h"
#include "fake/support/requests.h"
#include "tables/catalog.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

namespace {

class RespondTest : public testing::Test {
 protected:
  HttpResponse responseWith(const std::string& requestId = "req_1") {
    RequestContext consumed{context};
    consumed.requestId = requestId;
    return respond(consumed);
  }

  HttpRequest request{};
  Arrival arrival{.request = request};
  RequestContext context{.arrival = arrival, .response = std::string{R"({"id":"po_1"})"}};
};

TEST_F(RespondTest, SendsAnObject) {
  const HttpResponse response = responseWith();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"id":"po_1"})");
  EXPECT_EQ(response.headers,
            (std::vector<Header>{{"Content-Type", "application/json"}, {"Request-Id", "req_1"}}));
}

TEST_F(RespondTest, SendsARefusalWithTheReasonHeader) {
  context.response = Refusal{.response = &errors::rateLimit, .rateLimitedReason = "endpoint-rate"};
  const HttpResponse response = responseWith();
  EXPECT_EQ(test::errorOf(response), "429 rate_limit");
  EXPECT_EQ(*response.header("Service-Rate-Limited-Reason"), "endpoint-rate");
}

TEST_F(RespondTest, OmitsEmptyHeaders) {
  context.response = Refusal{.response = &errors::lockTimeout};
  const HttpResponse response = responseWith("");
  EXPECT_EQ(response.headers.size(), 1U);
}

TEST_F(RespondTest, SendsAnInjectedResponseWithTheHeadersOfTheRule) {
  context.rule.response = HttpResponse{.status = 503, .headers = {{"A", "b"}}, .body = "busy"};
  context.rule.headers = {{"Retry-After", "3"}};
  const HttpResponse response = responseWith("");
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, "busy");
  EXPECT_EQ(response.headers, (std::vector<Header>{{"A", "b"}, {"Retry-After", "3"}}));
}

TEST_F(RespondTest, CutsABodyInHalf) {
  context.rule.kind = fake::Fault::truncatedBody;
  EXPECT_EQ(responseWith().body, R"({"id":)");
}

TEST_F(RespondTest, GarblesABodyIntoInvalidUtf8) {
  context.rule.kind = fake::Fault::garbledBody;
  const std::string body = responseWith().body;
  EXPECT_EQ(body.size(), std::string_view{R"({"id":"po_1"})"}.size());
  for (std::size_t length = 1; length <= body.size(); ++length)
    EXPECT_FALSE(isUtf8(body.substr(0, length)));
}

TEST_F(RespondTest, SendsEmptyPagesWithHasMore) {
  const Catalog catalog{{}};
  const auto list = boost::json::parse(emptyPage(*catalog.findOperation("payouts.list")));
  EXPECT_EQ(test::text(list.at("object")), "list");
  EXPECT_EQ(test::text(list.at("url")), "/v1/payouts");
  EXPECT_TRUE(list.at("has_more").as_bool());
  EXPECT_TRUE(list.at("data").as_array().empty());
  const auto found = boost::json::parse(emptyPage(*catalog.findOperation("invoices.search")));
  EXPECT_EQ(test::text(found.at("object")), "search_result");
  EXPECT_FALSE(test::text(found.at("next_page")).empty());
}

}  // namespace

}  // namespace tally::fake::detail
