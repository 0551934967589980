// Requests without a typed method, asynchronously.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/pacer.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally {
namespace {

using testing::EndsWith;
using testing::StartsWith;

/// g++ 12 would destroy a temporary twice in a `co_await`.
template <class Request>
concept CanSend =
    requires(const AsyncClient& client, Request&& request) { client.send(std::forward<Request>(request)); };
static_assert(CanSend<const RawRequest&>);
static_assert(!CanSend<RawRequest>);

struct AsyncRawRequests : testing::Test {
  fake::Service service{};
  std::string key = service.addAccount().sandboxKey;
  AsyncClient async{service.clientOptions(key)};

  Result<RawResponse> sendAndRun(const RawRequest& request, const RequestOptions& options = {}) {
    std::optional<Result<RawResponse>> result;
    async.send(request, options).then([&](Result<RawResponse> response) { result = std::move(response); });
    async.run();
    return result.value();
  }
};

TEST_F(AsyncRawRequests, ReturnResponsesAndErrors) {
  const RawRequest create{
      .method = Method::post, .path = "/v1/payouts", .params = {{"amount", "500"}, {"currency", "eur"}}};
  const auto created = sendAndRun(create);
  ASSERT_TRUE(created) << created.error();
  EXPECT_THAT(created.value().json.text, StartsWith("{\"id\":\"po_"));
  EXPECT_EQ(created.value().lastResponse.status(), 200);
  const RawRequest unknown{.path = "/v1/tea"};
  EXPECT_EQ(sendAndRun(unknown).error(), ErrorKind::notFound);
  const RawRequest bad{.path = "tea"};
  EXPECT_EQ(sendAndRun(bad).error().param(), "path");
}

TEST_F(AsyncRawRequests, ArePacedByTheirParameters) {
  AsyncClient paced{service.clientOptions(key, {.pacer = std::make_shared<Pacer>()})};
  const RawRequest invoice{.method = Method::post,
                           .path = "/v1/invoices",
                           .params = {{"subscription", service.insert<Subscription>(key).id.str()}}};
  const Instant start = paced.clock().now();
  int succeeded = 0;
  for (int i = 0; i < 11; ++i)
    paced.send(invoice).then([&](const Result<RawResponse>& made) { succeeded += made.has_value() ? 1 : 0; });
  paced.run();
  EXPECT_EQ(succeeded, 11);
  EXPECT_GE(paced.clock().now() - start, std::chrono::minutes{1}) << "10 per minute";
}

TEST_F(AsyncRawRequests, HaveAnUnknownEffectWhenTheResponseToAPostIsLost) {
  const RawRequest create{
      .method = Method::post, .path = "/v1/payouts", .params = {{"amount", "500"}, {"currency", "eur"}}};
  service.faults().inject({.fault = fake::Fault::responseLost});
  const auto created = sendAndRun(create, {.maxNetworkRetries = 0});
  EXPECT_TRUE(created.error().mayHaveTakenEffect());
  EXPECT_EQ(created.error().operation(), "payouts.create");
}

TEST_F(AsyncRawRequests, SucceedWithoutABodyIfTheStatusAllowsIt) {
  const RawRequest create{.method = Method::post, .path = "/v1/payouts"};
  service.faults().inject({.response = HttpResponse{.status = 204}});
  const auto created = sendAndRun(create);
  ASSERT_TRUE(created) << created.error();
  EXPECT_EQ(created.value().json.text, "");
  EXPECT_EQ(created.value().lastResponse.status(), 204);
  service.faults().inject({.response = HttpResponse{.status = 200}});
  EXPECT_EQ(sendAndRun(create).error(), ErrorKind::malformedResponse);
}

using AsyncExtraParams = AsyncRawRequests;

TEST_F(AsyncExtraParams, AreSentWithTypedCalls) {
  const std::vector<Param> extra{{"tea", "green"}};
  std::optional<Error> error;
  async.payouts()
      .create({.amount = 500, .currency = "eur"}, {.extraParams = extra})
      .then([&](const Result<Payout>& payout) { error = payout.error(); });
  async.run();
  EXPECT_EQ(error, ErrorKind::invalidRequest);
  EXPECT_EQ(service.requests().list().back().request.body, "amount=500&currency=eur&tea=green");
}

TEST_F(AsyncExtraParams, AreOmittedWhenALostReportIsRead) {
  const auto id = service.insert<PaymentRecord>(key).id;
  const PaymentRecordReport report = PaymentRecordReportFailedParams{.failedAt = Timestamp{}};
  const RequestOptions options{.extraParams = {{"tea", "green"}}};
  const AsyncPaymentRecords records = async.paymentRecords();
  const auto firstUrlOf = [&](auto call) {
    const std::size_t before = service.requests().size();
    std::move(call).then([](const auto&) {});
    async.run();
    return service.requests().list().at(before).request.url;
  };
  EXPECT_THAT(firstUrlOf(records.checkReport(id, report, {}, options)), EndsWith(id.str()));
  EXPECT_THAT(firstUrlOf(records.resolveReport(id, report, {}, options)), EndsWith(id.str()));
}

}  // namespace
}  // namespace tally
