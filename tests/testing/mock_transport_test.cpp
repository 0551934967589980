#include <memory>
#include <thread>
#include <vector>

#include <tally/tally.h>
#include <tally/testing/mock_transport.h>
#include <tally/testing/request_matchers.h>
#include <tally/testing/result_matchers.h>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace {

using namespace tally::testing;
using tally::Client;
using tally::Effect;
using tally::ErrorKind;
using tally::Method;
using tally::PaymentRecord;
using tally::TransportFailure;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::NiceMock;

class MockedTransport : public testing::Test {
 protected:
  std::string json(const std::string& id) {
    return service.insert(key, "payment_record", R"({"id":")" + id + R"("})");
  }

  tally::fake::Service service{};
  std::string key = service.addAccount().sandboxKey;
  std::shared_ptr<NiceMock<MockTransport>> transport = std::make_shared<NiceMock<MockTransport>>();
};

TEST_F(MockedTransport, ReceivesTheRequestAndReturnsTheResponse) {
  EXPECT_CALL(*transport, send(AllOf(HasMethod(Method::get), HasPath("/v1/payment_records/pr_1"),
                                     HasHeader("Authorization", "Bearer sk_test_mock")),
                               _))
      .WillOnce(RespondWith(200, json("pr_1")));
  const Client client{clientOptions(transport)};
  EXPECT_THAT(client.paymentRecords().retrieve("pr_1"),
              IsOkAnd(testing::Field("id", &PaymentRecord::id, "pr_1")));
}

TEST_F(MockedTransport, ReturnsResponsesAndFailuresInOrder) {
  EXPECT_CALL(*transport, send)
      .WillOnce(RespondWith(429, R"({"error":{"code":"lock_timeout"}})"))
      .WillOnce(FailWith(TransportFailure::Kind::couldNotConnect, false))
      .WillOnce(RespondWith(404, R"({"error":{"type":"invalid_request_error","code":"resource_missing"}})",
                            {{"Request-Id", "req_7"}}));
  tally::ClientOptions options = clientOptions(transport);
  options.maxNetworkRetries = 5;
  const auto result = Client{options}.paymentRecords().retrieve("pr_1");
  EXPECT_THAT(result, HasError(ErrorKind::notFound, WithAttempts(3)));
  EXPECT_EQ(result.error().requestId(), "req_7");
}

TEST_F(MockedTransport, IsUsedWithTheOptionsOfTheTest) {
  EXPECT_CALL(*transport, send(HasHeader("Authorization", "Bearer sk_test_own"), _))
      .WillOnce(RespondWith(429, R"({"error":{"code":"lock_timeout"}})"))
      .WillOnce(RespondWith(200, json("pr_1")));
  const Client client{clientOptions(transport, {.apiKey = "sk_test_own", .maxNetworkRetries = 1})};
  EXPECT_THAT(client.paymentRecords().retrieve("pr_1"), IsOk());
}

TEST_F(MockedTransport, IsCalledInTheTestsOwnThreadWhenPagesArePrefetched) {
  for (int left = 3; left > 0; --left)
    service.insert<PaymentRecord>(key);
  const auto around = std::make_shared<NiceMock<MockTransport>>(service.transport());
  std::vector<std::thread::id> threads;
  EXPECT_CALL(*around, send).WillRepeatedly([&](const auto& request, const auto& limits) {
    threads.push_back(std::this_thread::get_id());
    return service.transport()->send(request, limits);
  });
  tally::ClientOptions options = service.clientOptions(key);
  options.transport = around;
  auto payments = Client{options}.paymentRecords().list({.limit = 1}).prefetch();
  EXPECT_THAT(*payments.begin(), IsOk());
  EXPECT_EQ(threads, (std::vector<std::thread::id>(2, std::this_thread::get_id())));
}

TEST_F(MockedTransport, DeterminesWhetherAFailureMayHaveHadAnEffect) {
  EXPECT_CALL(*transport, send)
      .WillOnce(FailWith(TransportFailure::Kind::connection, true))
      .WillOnce(FailWith(TransportFailure::Kind::connection, false));
  const Client client{clientOptions(transport)};
  const auto report = [&] {
    return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  };
  EXPECT_THAT(report(), HasError(ErrorKind::connection, WithEffect(Effect::unknown)));
  EXPECT_THAT(report(), HasError(ErrorKind::connection, WithEffect(Effect::none)));
}

TEST_F(MockedTransport, FailsARequestForWhichNoResponseIsSetUp) {
  const Client client{clientOptions(transport)};
  EXPECT_THAT(client.paymentRecords().retrieve("pr_1"),
              HasError(ErrorKind::connection, WithEffect(Effect::none),
                       WithMessage(HasSubstr(
                           "no response is set up for GET https://service.test/v1/payment_records/pr_1"))));
}

TEST_F(MockedTransport, DelegatesToTheWrappedTransportByDefault) {
  const auto payment = service.insert<PaymentRecord>(key);
  const auto around = std::make_shared<NiceMock<MockTransport>>(service.transport());
  EXPECT_CALL(*around, send).Times(testing::AnyNumber());
  EXPECT_CALL(*around, send(HasMethod(Method::post), _))
      .WillOnce(FailWith(TransportFailure::Kind::connection, true));
  tally::ClientOptions options = service.clientOptions(key);
  options.transport = around;
  const Client client{options};
  EXPECT_THAT(client.paymentRecords().reportFailed(payment.id, {.failedAt = std::chrono::sys_seconds{}}),
              HasError(ErrorKind::connection));
  EXPECT_THAT(client.paymentRecords().retrieve(payment.id), IsOkAnd(payment));
}

TEST(MockTransport, ShowsAnUnexpectedRequestWithoutItsKey) {
  const auto transport = std::make_shared<MockTransport>();
  EXPECT_CALL(*transport, send(HasPath("/v1/files"), _)).Times(testing::AnyNumber());
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter{
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures};
    (void)Client{clientOptions(transport)}.paymentRecords().retrieve("pr_1");
  }
  ASSERT_EQ(failures.size(), 1);
  const std::string message = failures.GetTestPartResult(0).message();
  EXPECT_THAT(message, HasSubstr("GET https://service.test/v1/payment_records/pr_1 ["));
  EXPECT_THAT(message, HasSubstr(R"(whose path is "/v1/payment_records/pr_1")"));
  EXPECT_THAT(message, HasSubstr(" until 2026-01-01T00:00:30Z)"));
  EXPECT_THAT(message, testing::Not(HasSubstr("sk_test_mock")));
}

}  // namespace
