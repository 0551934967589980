// Spec: "Endpoints": each operation, and each row of its table of parameters.

#include "conformance/support/conformance.h"

namespace tally::conformance {
namespace {

struct Endpoint {
  const char* name;
  const char* outcome;
};

void PrintTo(const Endpoint& endpoint, std::ostream* out) {
  *out << endpoint.name;
}

class Endpoints : public Conformance, public testing::WithParamInterface<Endpoint> {
 protected:
  Id<PaymentRecord> id = insert().id;
  std::string timeParam = std::string{GetParam().outcome} + "_at";

  HttpResponse report(const std::string& on, const std::string& form) {
    return post("/v1/payment_records/" + on + "/report_payment_attempt_" + GetParam().outcome, form);
  }
  static bool says(const HttpResponse& response, const std::string& text) {
    return response.body.find(text) != std::string::npos;
  }
};

TEST_P(Endpoints, ReturnTheUpdatedRecordForAPostRequest) {
  const HttpResponse response = report(id.str(), timeParam + "=1730000000");
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(says(response, R"("id":")" + id.str() + '"'));
  EXPECT_TRUE(says(response,
                   std::string{R"("amount_)"} + GetParam().outcome + R"(":{"currency":"usd","value":1000})"));
  EXPECT_EQ(service.requests().list().back().operation,
            std::string{"payment_records.report_"} + GetParam().outcome);
}

TEST_P(Endpoints, RefuseAReportOnAMissingRecord) {
  const HttpResponse response = report("pr_nobody", timeParam + "=1730000000");
  EXPECT_EQ(response.status, 404);
  EXPECT_TRUE(says(response, R"("code":"resource_missing")"));
}

TEST_P(Endpoints, RequireATime) {
  const HttpResponse response = report(id.str(), "");
  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(says(response, R"("code":"parameter_missing")"));
  EXPECT_TRUE(says(response, R"("param":")" + timeParam + '"'));
}

TEST_P(Endpoints, RequireATimeInWholeSecondsSinceTheEpoch) {
  EXPECT_EQ(report(id.str(), timeParam + "=0").status, 200);
  for (const char* wrong : {"-1", "1.5", "soon", "", "99999999999999999999"}) {
    const HttpResponse response = report(id.str(), timeParam + "=" + wrong);
    EXPECT_EQ(response.status, 400) << wrong;
    EXPECT_TRUE(says(response, R"("code":"parameter_invalid")") ||
                says(response, R"("code":"parameter_missing")"));
    EXPECT_TRUE(says(response, R"("param":")" + timeParam + '"'));
  }
}

TEST_P(Endpoints, AcceptATimeInTheFuture) {
  EXPECT_EQ(report(id.str(), timeParam + "=253402300799").status, 200);
}

TEST_P(Endpoints, AttachMetadataToTheRecord) {
  const HttpResponse response = report(id.str(), timeParam + "=1730000000&metadata[order]=42");
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(says(response, R"("metadata":{"order":"42"})"));
}

TEST_P(Endpoints, NameAnUnknownParameterInTheError) {
  const HttpResponse response = report(id.str(), timeParam + "=1730000000&metdata[order]=42");
  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(says(response, R"("code":"parameter_unknown")"));
  EXPECT_TRUE(says(response, R"("param":"metdata[order]")"));
}

TEST_P(Endpoints, RefuseAGetRequest) {
  const HttpResponse response =
      get("/v1/payment_records/" + id.str() + "/report_payment_attempt_" + GetParam().outcome);
  EXPECT_EQ(response.status, 405);
}

INSTANTIATE_TEST_SUITE_P(ReportPaymentAttempt, Endpoints,
                         testing::Values(Endpoint{"Canceled", "canceled"}, Endpoint{"Failed", "failed"},
                                         Endpoint{"Guaranteed", "guaranteed"}),
                         [](const auto& endpoint) { return endpoint.param.name; });

class ReportMethods : public Conformance {};

TEST_F(ReportMethods, ReturnTheRecordReportedAsCanceled) {
  const auto id = insert().id;
  EXPECT_EQ(records.reportCanceled(id, {.canceledAt = reportTime, .metadata = {{"a", "1"}}}).value().id, id);
}

TEST_F(ReportMethods, ReturnTheRecordReportedAsFailed) {
  const auto id = insert().id;
  EXPECT_EQ(records.reportFailed(id, {.failedAt = reportTime, .metadata = {{"a", "1"}}}).value().id, id);
}

TEST_F(ReportMethods, ReturnTheRecordReportedAsGuaranteed) {
  const auto id = insert().id;
  EXPECT_EQ(records.reportGuaranteed(id, {.guaranteedAt = reportTime, .metadata = {{"a", "1"}}}).value().id,
            id);
}

TEST_F(ReportMethods, RefuseAMissingTimeWithoutSendingARequest) {
  const auto id = insert().id;
  EXPECT_EQ(records.reportCanceled(id, {}).error().param(), "canceled_at");
  EXPECT_EQ(records.reportFailed(id, {}).error().param(), "failed_at");
  EXPECT_EQ(records.reportGuaranteed(id, {}).error().param(), "guaranteed_at");
  EXPECT_TRUE(service.requests().list().empty());
}

}  // namespace
}  // namespace tally::conformance
