#include <tally/testing/request_matchers.h>

#include <gtest/gtest.h>

#include "failure.h"

namespace {

using namespace tally::testing;
using tally::HttpRequest;
using tally::Method;
using tally::fake::LoggedRequest;
using tally::fake::SentParam;
using tally::fake::sentParams;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const HttpRequest report{
    .method = Method::post,
    .url = "https://service.test/v1/payment_records/pr_1%2F?a=1",
    .headers = {{"Authorization", "Bearer sk_secret"}, {"Content-Type", "application/x-www-form-urlencoded"}},
    .body = "failed_at=7&metadata%5Border%5D=4+2%2B&expand[]=x&expand[]=y"};

TEST(SentParams, ComeFromTheQueryAndTheForm) {
  EXPECT_THAT(sentParams(report), ElementsAre(SentParam{"a", "1"}, SentParam{"failed_at", "7"},
                                              SentParam{"metadata[order]", "4 2+"},
                                              SentParam{"expand[]", "x"}, SentParam{"expand[]", "y"}));
}

TEST(SentParams, KeepMalformedInputAsItWasSent) {
  EXPECT_THAT(sentParams({.url = "/?%zz=%&&=&b"}),
              ElementsAre(SentParam{"%zz", "%"}, SentParam{"", ""}, SentParam{"b", ""}));
  EXPECT_THAT(sentParams({}), IsEmpty());
}

TEST(SentParams, IgnoreABodyThatIsNotAForm) {
  EXPECT_THAT(sentParams({.headers = {{"content-type", "application/json"}}, .body = "a=b"}), IsEmpty());
}

TEST(RequestMatchers, CompareMethodPathParametersAndHeaders) {
  EXPECT_THAT(report, HasMethod(Method::post));
  EXPECT_THAT(report, Not(HasMethod(Method::get)));
  EXPECT_THAT(report, HasPath("/v1/payment_records/pr_1%2F"));
  EXPECT_THAT(report, Not(HasPath("/v1/payment_records/pr_1%2F?a=1")));
  EXPECT_THAT(report, HasParam("metadata[order]", "4 2+"));
  EXPECT_THAT(report, HasParam("expand[]", "y"));
  EXPECT_THAT(report, HasParam("a"));
  EXPECT_THAT(report, Not(HasParam("a", "2")));
  EXPECT_THAT(report, Not(HasParam("b")));
  EXPECT_THAT(report, HasHeader("authorization", StartsWith("Bearer ")));
  EXPECT_THAT(report, Not(HasHeader("Authorization", "Basic")));
  EXPECT_THAT(report, Not(HasHeader("Service-Account")));
}

TEST(RequestMatchers, MatchAnyOfSeveralHeadersWithTheSameName) {
  const HttpRequest twice{.headers = {{"X-Trace", "1"}, {"Accept", "*/*"}, {"x-trace", "2"}}};
  EXPECT_THAT(twice, HasHeader("X-Trace", "1"));
  EXPECT_THAT(twice, HasHeader("X-Trace", "2"));
  EXPECT_EQ(explanationOf(twice, HasHeader("X-Trace", "3")),
            R"(whose header X-Trace is "1", whose header X-Trace is "2")");
}

TEST(RequestMatchers, MaskKeys) {
  const std::string key = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";
  const HttpRequest authorized{.headers = {{"Authorization", "Bearer " + key}}};
  EXPECT_EQ(explanationOf(authorized, HasHeader("authorization", "Bearer")),
            R"(whose header authorization is "Bearer ****p7dc")");
  EXPECT_EQ(descriptionOf<HttpRequest>(HasHeader("Authorization", "Bearer " + key)),
            R"(has a header Authorization that is equal to "Bearer ****p7dc")");
  EXPECT_EQ(descriptionOf<HttpRequest>(Not(HasHeader("Authorization", testing::HasSubstr(key)))),
            R"(has no header Authorization that has substring "****")");
  EXPECT_EQ(descriptionOf<HttpRequest>(HasHeader("X-Quote", R"(a "b" c)")),
            R"(has a header X-Quote that is equal to "a \"b\" c")");
  const auto repeating = testing::AllOf(testing::ResultOf([](const std::string& text) { return text; }, key));
  EXPECT_THAT(explanationOf(authorized, HasHeader("Authorization", repeating)), Not(testing::HasSubstr(key)));
}

TEST(RequestMatchers, CompareLoggedRequests) {
  const LoggedRequest logged{.request = report};
  EXPECT_THAT(logged, HasParam("failed_at", "7"));
  EXPECT_THAT(logged, Not(HasParam("failed_at", "8")));
  EXPECT_THAT(logged, HasMethod(Method::post));
}

TEST(RequestMatchers, ExplainMismatches) {
  EXPECT_EQ(explanationOf(report, HasMethod(Method::get)), "whose method is POST");
  EXPECT_EQ(explanationOf(report, HasPath("/v1")), R"(whose path is "/v1/payment_records/pr_1%2F")");
  EXPECT_EQ(explanationOf(report, HasParam("failed_at", "8")), R"(whose parameter failed_at is "7")");
  EXPECT_EQ(explanationOf(report, HasParam("expand[]", "z")),
            R"(whose parameter expand[] is "x", whose parameter expand[] is "y")");
  EXPECT_EQ(explanationOf(report, HasHeader("X-A", "1")), "which has no header X-A");
  EXPECT_EQ(descriptionOf<HttpRequest>(HasParam("a", "2")), R"(has a parameter a that is equal to "2")");
  EXPECT_EQ(descriptionOf<HttpRequest>(Not(HasHeader("X-A"))), "has no header X-A that is anything");
}

}  // namespace
