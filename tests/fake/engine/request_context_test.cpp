#include "engine/request_context.h"

#include <gtest/gtest.h>

#include "errors.h"
#include "tables/catalog.h"

namespace tally::fake::detail {

namespace {

class RequestContextTest : public testing::Test {
 protected:
  LoggedRequest noted() {
    LoggedRequest entry{
        .account = "left over", .errorCode = "left over", .limit = "left over", .processed = true};
    note(context, context.bearsRequestId() ? "req_1" : "", Instant{std::chrono::seconds{2}}, entry);
    return entry;
  }

  Catalog catalog{{}};
  HttpRequest request{.url = "/v1/payouts/po_1"};
  Arrival arrival{
      .request = request, .route = {.operation = catalog.findOperation("payouts.retrieve")}, .id = "po_1"};
  RequestContext context{
      .arrival = arrival, .arrived = Instant{std::chrono::seconds{1}}, .response = std::string{"{}"}};
};

TEST_F(RequestContextTest, HasStatus200AndARequestIdOnSuccess) {
  EXPECT_EQ(context.status(), 200);
  EXPECT_TRUE(context.bearsRequestId());
}

TEST_F(RequestContextTest, HasTheStatusOfARefusalAndNoRequestIdForALockTimeout) {
  context.response = Refusal{.response = &errors::resourceMissing};
  EXPECT_EQ(context.status(), 404);
  EXPECT_TRUE(context.bearsRequestId());
  context.response = Refusal{.response = &errors::lockTimeout};
  EXPECT_EQ(context.status(), 429);
  EXPECT_FALSE(context.bearsRequestId()) << "the only response without it";
}

TEST_F(RequestContextTest, HasStatusZeroAndNoRequestIdAfterATransportFailure) {
  context.failure = TransportFailure{};
  EXPECT_EQ(context.status(), 0);
  EXPECT_FALSE(context.bearsRequestId());
}

TEST_F(RequestContextTest, HasTheStatusOfAnInjectedResponseAndNoRequestId) {
  context.rule.response = HttpResponse{.status = 503};
  EXPECT_EQ(context.status(), 503);
  EXPECT_FALSE(context.bearsRequestId());
}

TEST_F(RequestContextTest, OverwritesAReusedLogEntry) {
  const LoggedRequest entry = noted();
  EXPECT_EQ(entry.time, Instant{std::chrono::seconds{1}});
  EXPECT_EQ(entry.respondedAt, Instant{std::chrono::seconds{2}});
  EXPECT_EQ(entry.account, "");
  EXPECT_EQ(entry.operation, "payouts.retrieve");
  EXPECT_EQ(entry.object, "po_1");
  EXPECT_EQ(entry.request.url, request.url);
  EXPECT_EQ(entry.status, 200);
  EXPECT_EQ(entry.requestId, "req_1");
  EXPECT_EQ(entry.errorCode, "");
  EXPECT_EQ(entry.limit, "");
  EXPECT_EQ(entry.fault, fake::Fault::none);
  EXPECT_FALSE(entry.processed);
}

TEST_F(RequestContextTest, IsLoggedAsProcessedWhenTheResponseIsAnError) {
  context.processed = true;
  context.response = Refusal{.response = &errors::apiError};
  EXPECT_TRUE(noted().processed);
  EXPECT_EQ(noted().status, 500);
}

TEST_F(RequestContextTest, IsLoggedWithItsRefusalAndFault) {
  context.limit = "global_rate";
  context.rule.kind = fake::Fault::garbledBody;
  context.response = Refusal{.response = &errors::rateLimit};
  const LoggedRequest entry = noted();
  EXPECT_EQ(entry.limit, "global_rate");
  EXPECT_EQ(entry.errorCode, "rate_limit");
  EXPECT_EQ(entry.fault, fake::Fault::garbledBody);
}

}  // namespace

}  // namespace tally::fake::detail
