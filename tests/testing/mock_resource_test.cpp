#include <memory>
#include <stdexcept>
#include <string>

#include <tally/async_client.h>
#include <tally/tally.h>
#include <tally/testing/mock_core_accounts.h>
#include <tally/testing/mock_payment_records.h>
#include <tally/testing/mock_payouts.h>
#include <tally/testing/result_matchers.h>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using namespace tally::testing;
using tally::Client;
using tally::Effect;
using tally::Error;
using tally::ErrorKind;
using tally::Page;
using tally::PaymentRecord;
using tally::fake::serviceError;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::NiceMock;
using testing::Optional;
using testing::Return;

using Failed = tally::PaymentRecordReportFailedParams;

constexpr std::chrono::sys_seconds failedAt{1767225600s};

PaymentRecord recordOf(const std::string& id) {
  PaymentRecord record;
  record.id = id;
  record.amountRequested = {"eur", 500};
  record.metadata = {{"order", "42"}};
  return record;
}

class MockedPayments : public testing::Test {
 protected:
  std::shared_ptr<NiceMock<MockPaymentRecords>> payments = std::make_shared<NiceMock<MockPaymentRecords>>();
  Client client{clientOptions(payments)};
};

TEST_F(MockedPayments, ReceiveTheArgumentsOfACall) {
  EXPECT_CALL(*payments,
              reportFailed("pr_1", AllOf(Field(&Failed::failedAt, Optional(failedAt)),
                                         Field(&Failed::metadata, tally::MetadataEdit{{"order", "4 2"}}))))
      .WillOnce(Return(recordOf("pr_1")));
  EXPECT_THAT(
      client.paymentRecords().reportFailed("pr_1", {.failedAt = failedAt, .metadata = {{"order", "4 2"}}}),
      IsOkAnd(recordOf("pr_1")));
}

TEST_F(MockedPayments, DecodeIdentifiersAndUnsetMetadata) {
  EXPECT_CALL(*payments, reportCanceled("pr_a/b c", Field(&tally::PaymentRecordReportCanceledParams::metadata,
                                                          tally::MetadataEdit::unsetAll())))
      .WillOnce(Return(recordOf("pr_a/b c")));
  EXPECT_THAT(client.paymentRecords().reportCanceled(
                  "pr_a/b c", {.canceledAt = failedAt, .metadata = tally::MetadataEdit::unsetAll()}),
              IsOk());
}

TEST_F(MockedPayments, CanRespondWithErrorsOfTheService) {
  EXPECT_CALL(*payments, retrieve)
      .WillOnce(Return(serviceError("lock_timeout")))
      .WillOnce(Return(serviceError("rate_limit", tally::RateLimitedReason::endpointRate)))
      .WillOnce(Return(serviceError("resource_missing")))
      .WillOnce(Return(Error{{.status = 500,
                              .code = "odd",
                              .message = "a \"b\"",
                              .param = "id",
                              .requestId = "req_1",
                              .retryAfter = 3s}}));
  const auto retrieve = [&] { return client.paymentRecords().retrieve("pr_1"); };
  EXPECT_THAT(retrieve(), HasError(ErrorKind::lockTimeout, WithStatus(429), WithCode("lock_timeout")));
  EXPECT_THAT(retrieve(), HasError(ErrorKind::rateLimited, WithReason("endpoint-rate")));
  EXPECT_THAT(retrieve(), HasError(ErrorKind::notFound, WithEffect(Effect::none)));
  const auto odd = retrieve();
  EXPECT_THAT(odd, HasError(WithStatus(500), WithCode("odd"), WithMessage("a \"b\""), WithParam("id")));
  EXPECT_EQ(odd.error().requestId(), "req_1");
  EXPECT_EQ(odd.error().retryAfter(), 3s);
}

TEST_F(MockedPayments, CanRespondWithFailuresOfTheTransport) {
  EXPECT_CALL(*payments, reportFailed)
      .WillOnce(Return(Error{{.kind = ErrorKind::timeout, .effect = Effect::unknown}}))
      .WillOnce(Return(Error{{.kind = ErrorKind::connection, .effect = Effect::none}}))
      .WillOnce(Return(Error{{.kind = ErrorKind::connection,
                              .effect = Effect::none,
                              .failure = tally::TransportFailure::Kind::tls}}));
  const auto report = [&] { return client.paymentRecords().reportFailed("pr_1", {.failedAt = failedAt}); };
  EXPECT_THAT(report(), HasError(ErrorKind::timeout, WithEffect(Effect::unknown)));
  EXPECT_THAT(report(), HasError(ErrorKind::connection, WithEffect(Effect::none)));
  EXPECT_EQ(report().error().failure(), tally::TransportFailure::Kind::tls);
}

TEST_F(MockedPayments, AreCalledAgainWhenTheClientRetries) {
  EXPECT_CALL(*payments, retrieve("pr_1"))
      .WillOnce(Return(serviceError("lock_timeout")))
      .WillOnce(Return(recordOf("pr_1")));
  EXPECT_THAT(client.paymentRecords().retrieve("pr_1", {.maxNetworkRetries = 1}), IsOk());
}

TEST_F(MockedPayments, CanReturnPagesOfAListOrASearch) {
  using List = tally::PaymentRecordListParams;
  EXPECT_CALL(*payments, list(Field(&List::startingAfter, std::nullopt)))
      .WillOnce(Return(Page<PaymentRecord>{.data = {recordOf("pr_1"), recordOf("pr_2")}, .hasMore = true}));
  EXPECT_CALL(*payments, list(Field(&List::startingAfter, Optional(tally::Id<PaymentRecord>{"pr_2"}))))
      .WillOnce(Return(Page<PaymentRecord>{.data = {recordOf("pr_3")}}));
  const auto all = client.paymentRecords().list().collect(10);
  EXPECT_THAT(all, IsOkAnd(ElementsAre(recordOf("pr_1"), recordOf("pr_2"), recordOf("pr_3"))));

  using Search = tally::PaymentRecordSearchParams;
  EXPECT_CALL(*payments, search(AllOf(Field(&Search::query, Optional(std::string{"a:\"b\""})),
                                      Field(&Search::expand, ElementsAre("total_count")))))
      .WillOnce(Return(Page<PaymentRecord>{
          .data = {recordOf("pr_1")}, .hasMore = true, .nextPage = "p2", .totalCount = 17}));
  auto pages = client.paymentRecords().search({.query = "a:\"b\"", .expand = {"total_count"}}).pages();
  const auto page = *pages.begin();
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page.value().nextPage, "p2");
  EXPECT_EQ(page.value().totalCount, 17);
  EXPECT_EQ(page.value().url, "/v1/payment_records/search");
}

/// Which the client does not look at.
TEST_F(MockedPayments, SendPagesInTheSpecifiedFormat) {
  EXPECT_CALL(*payments, list).WillOnce(Return(Page<PaymentRecord>{.url = "/other"}));
  EXPECT_CALL(*payments, search).WillOnce(Return(Page<PaymentRecord>{.nextPage = "p2", .totalCount = 0}));
  const auto bodyOf = [&](const std::string& path) {
    const auto sent = payments->send({.url = "https://service.test/v1/payment_records" + path}, {});
    return std::get<tally::HttpResponse>(sent).body;
  };
  EXPECT_EQ(bodyOf(""), R"({"object":"list","url":"/other","has_more":false,"data":[]})");
  EXPECT_EQ(bodyOf("/search?query=a"),
            R"({"object":"search_result","url":"/v1/payment_records/search","has_more":false,)"
            R"("next_page":"p2","total_count":0,"data":[]})");
}

TEST_F(MockedPayments, FailCallsThatHaveNoAction) {
  EXPECT_THAT(client.paymentRecords().retrieve("pr_1"),
              HasError(ErrorKind::connection, WithEffect(Effect::none),
                       WithMessage(HasSubstr("no action is set up for the call"))));
  EXPECT_THAT(client.payouts().retrieve("po_1"),
              HasError(ErrorKind::connection, WithMessage(HasSubstr("no response is set up for GET"))));
}

TEST_F(MockedPayments, RefuseAnErrorThatTheServiceNeverSends) {
  EXPECT_CALL(*payments, retrieve).WillOnce(Return(Error{{.kind = ErrorKind::notFound}}));
  EXPECT_THAT([&] { (void)client.paymentRecords().retrieve("pr_1"); },
              testing::ThrowsMessage<std::invalid_argument>(HasSubstr("an Error without a status")));
  EXPECT_THAT([] { (void)serviceError("no_such_error"); },
              testing::ThrowsMessage<std::invalid_argument>("the service has no error 'no_such_error'"));
}

TEST_F(MockedPayments, ReportParametersThatTheMethodLacks) {
  EXPECT_NONFATAL_FAILURE(
      (void)Client{clientOptions(std::make_shared<MockPaymentRecords>())}.paymentRecords().retrieve(
          "pr_1", {.extraParams = {{"expand[]", "x"}}}),
      "the mock can't read the parameters of payment_records.retrieve: {\"error\"");
}

TEST(MockedServices, CanBeChained) {
  const auto payments = std::make_shared<MockPaymentRecords>();
  const auto payouts = std::make_shared<MockPayouts>(payments);
  const Client client{clientOptions(payouts)};
  EXPECT_CALL(*payments, retrieve("pr_1")).WillOnce(Return(recordOf("pr_1")));
  EXPECT_CALL(*payouts, create(Field(&tally::PayoutCreateParams::amount, Optional(500))))
      .WillOnce(Return(tally::Payout{.id = "po_1", .amount = 500, .currency = "eur"}));
  EXPECT_THAT(client.paymentRecords().retrieve("pr_1"), IsOk());
  EXPECT_THAT(client.payouts().create({.amount = 500, .currency = "eur"}),
              IsOkAnd(Field(&tally::Payout::id, tally::Id<tally::Payout>{"po_1"})));
}

TEST(MockedServices, LeaveOtherResourcesToTheFake) {
  tally::fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  const auto payouts = std::make_shared<MockPayouts>(service.transport());
  const Client client{service.clientOptions(key, {.transport = payouts})};
  EXPECT_CALL(*payouts, create).WillOnce(Return(serviceError("api_error")));
  EXPECT_THAT(client.payouts().create({.amount = 500, .currency = "eur"}), HasError(WithStatus(500)));
  EXPECT_THAT(client.paymentRecords().retrieve(service.insert<PaymentRecord>(key).id), IsOk());
}

TEST(MockedServices, DecodeJsonParameters) {
  const auto accounts = std::make_shared<MockCoreAccounts>();
  using Create = tally::CoreAccountCreateParams;
  Create received;
  EXPECT_CALL(*accounts, create).WillOnce([&](const Create& params) {
    received = params;
    return tally::Result<tally::CoreAccount>{tally::CoreAccount{.id = "acct_1"}};
  });
  const Create sent{.country = "DE", .metadata = tally::MetadataEdit{{"a", "\"b\""}}.unset("c")};
  EXPECT_THAT(Client{clientOptions(accounts)}.coreAccounts().create(sent), IsOk());
  EXPECT_EQ(testing::PrintToString(received), testing::PrintToString(sent));
}

TEST(MockedServices, ServeAsynchronousCalls) {
  const auto payments = std::make_shared<MockPaymentRecords>();
  EXPECT_CALL(*payments, retrieve("pr_1")).WillOnce(Return(recordOf("pr_1")));
  tally::AsyncClient client{clientOptions(payments)};
  auto record = client.paymentRecords().retrieve("pr_1").future();
  client.run();
  EXPECT_THAT(record.get(), IsOk());
}

/// What GoogleMock prints about an unexpected call.
TEST(MockedServices, ShowAnUnexpectedCallInTheFailure) {
  const auto payments = std::make_shared<MockPaymentRecords>();
  EXPECT_CALL(*payments, reportFailed("pr_1", _)).Times(testing::AnyNumber());
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter{
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures};
    (void)Client{clientOptions(payments)}.paymentRecords().reportFailed("pr_2", {.failedAt = failedAt});
  }
  ASSERT_EQ(failures.size(), 1);
  EXPECT_THAT(failures.GetTestPartResult(0).message(),
              AllOf(HasSubstr("reportFailed(@"), HasSubstr("\"pr_2\""),
                    HasSubstr("PaymentRecordReportFailedParams{failed_at: 2026-01-01T00:00:00Z}"),
                    HasSubstr("Expected arg #0: is equal to \"pr_1\""), HasSubstr("Actual: \"pr_2\"")));
}

}  // namespace
