// What a pattern compares, and how it explains a difference.

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/fake/request_pattern.h>
#include <tally/fake/sent_request.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::fake {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const LoggedRequest creation{
    .account = "acct_1",
    .operation = "payouts.create",
    .method = "POST",
    .request = {.method = Method::post,
                .url = "/v1/payouts?expand[]=a&expand[]=b",
                .headers = {{"Authorization", "Bearer sk_test_0123456789abcdef"},
                            {"Content-Type", "application/x-www-form-urlencoded"},
                            {"Idempotency-Key", "k1"}},
                .body = "amount=500&currency=eur&metadata%5Border%5D=42"},
    .status = 400,
    .requestId = "req_1",
    .errorCode = "parameter_invalid",
    .response = HttpResponse{.status = 400, .headers = {}, .body = R"({"error":"Nope"})"}};

template <class Value>
std::string inText(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// The differences in one line each.
std::vector<std::string> told(const RequestPattern& pattern) {
  std::vector<std::string> lines;
  for (const Difference& difference : differences(pattern, creation))
    lines.push_back(inText(difference));
  EXPECT_EQ(lines.empty(), matches(pattern, creation));
  return lines;
}

TEST(RequestPatternTest, CanMatchAnyPartOfARequestOrItsResponse) {
  const std::vector<RequestPattern> fitting{
      {},
      {.account = "acct_1"},
      {.operation = "payouts.create"},
      {.params = {{"amount", "500"}, {"currency", TextPattern::containing("ur")}}},
      {.params = {{"expand[]", "b"}, {"metadata[order]", "42"}}},
      {.params = {{"amount"}, {"colour", TextPattern::absent()}}},
      {.metadata = {{"order", "42"}, {"shop", TextPattern::absent()}}},
      {.headers = {{"idempotency-key", "k1"}, {"X-None", TextPattern::absent()}}},
      {.headers = {{"Authorization", TextPattern::containing("sk_test_")}}},
      {.body = TextPattern::containing("amount=500")},
      {.body = TextPattern::any()},
      {.status = 400},
      {.processed = false},
      {.errorCode = "parameter_invalid"},
      {.responseBody = TextPattern::containing("Nope")},
      {.text = "NOPE"},
      {.text = "metadata[order]=42"},
      {.text = "req_1"}};
  for (const RequestPattern& pattern : fitting)
    EXPECT_THAT(told(pattern), IsEmpty()) << pattern;
}

TEST(RequestPatternTest, NamesThePartThatDoesNotMatch) {
  EXPECT_THAT(told({.account = "acct_2"}), ElementsAre(R"(account is "acct_1", not "acct_2")"));
  EXPECT_THAT(told({.operation = "payouts.list"}),
              ElementsAre(R"(operation is "payouts.create", not "payouts.list")"));
  EXPECT_THAT(told({.object = "po_1"}), ElementsAre(R"(object is nothing, not "po_1")"));
  EXPECT_THAT(
      told({.params = {{"amount", "600"}, {"colour"}, {"currency", TextPattern::absent()}}}),
      ElementsAre(R"(parameter amount is "500", not "600")", "parameter colour is nothing, not any value",
                  R"(parameter currency is "eur", not no value)"));
  EXPECT_THAT(told({.params = {{"expand[]", "c"}}}),
              ElementsAre(R"(parameter expand[] is "a", "b", not "c")"));
  EXPECT_THAT(told({.metadata = {{"order", TextPattern::containing("7")}}}),
              ElementsAre(R"(metadata order is "42", not containing "7")"));
  EXPECT_THAT(told({.headers = {{"Idempotency-Key", "K1"}}}),
              ElementsAre(R"(header Idempotency-Key is "k1", not "K1")"));
  EXPECT_THAT(told({.body = TextPattern::absent()}),
              ElementsAre(R"(body is "amount=500&currency=eur&metadata%5Border%5D=42", not no value)"));
  EXPECT_THAT(told({.status = 200}), ElementsAre("status is 400, not 200"));
  EXPECT_THAT(told({.processed = true}), ElementsAre("processed is false, not true"));
  EXPECT_THAT(told({.errorCode = "rate_limit"}),
              ElementsAre(R"(error code is "parameter_invalid", not "rate_limit")"));
  EXPECT_THAT(told({.responseBody = "{}"}),
              ElementsAre(R"(response body is "{\"error\":\"Nope\"}", not "{}")"));
  EXPECT_THAT(told({.text = "yes"}), ElementsAre(R"(text is nothing, not containing "yes")"));
}

TEST(RequestPatternTest, ShowsAtMostTheEndOfAnApiKey) {
  const std::string shown = told({.headers = {{"Authorization", "Bearer sk_test_other_key_9999"}}}).front();
  EXPECT_EQ(shown, R"(header Authorization is "Bearer ****cdef", not "Bearer ****9999")");
  EXPECT_EQ(inText(RequestPattern{.headers = {{"authorization", "Bearer sk_test_other_key_9999"}}}),
            R"(any operation with header authorization = "Bearer ****9999")");
  const NamedPattern part{"Authorization", TextPattern::containing("test_0123456789")};
  EXPECT_EQ(inText(part), R"(Authorization = containing "****")");
  EXPECT_EQ(inText(RequestPattern{.headers = {part}}),
            R"(any operation with header Authorization = containing "****")");
  EXPECT_THAT(told({.headers = {{"Authorization", TextPattern::containing("sk_live_")}}}),
              ElementsAre(R"(header Authorization is "Bearer ****cdef", not containing "****")"));
  EXPECT_EQ(inText(NamedPattern{"Authorization", TextPattern::absent()}), "Authorization = no value");
}

TEST(RequestPatternTest, ShowsNothingOfAKeyShorterThanTwelveCharacters) {
  EXPECT_EQ(inText(NamedPattern{"Authorization", "Bearer 456789abcdef"}),
            "Authorization = \"Bearer ****cdef\"");
  EXPECT_EQ(inText(NamedPattern{"Authorization", "Bearer 56789abcdef"}), "Authorization = \"Bearer ****\"");
}

TEST(RequestPatternTest, MatchesParametersInAJsonBody) {
  const LoggedRequest json{
      .request = {.method = Method::post,
                  .url = "/",
                  .headers = {{"Content-Type", "application/json"}},
                  .body = R"({"a":{"b":[1,"x",null]},"metadata":{"order":"42"},"c":true})"}};
  EXPECT_THAT(differences({.params = {{"a[b][0]", "1"}, {"a[b][1]", "x"}, {"a[b][2]", ""}, {"c", "true"}},
                           .metadata = {{"order", "42"}}},
                          json),
              IsEmpty());
}

TEST(RequestPatternTest, MatchesParametersInAJsonBodyWithoutContentType) {
  const LoggedRequest json{
      .request = {.method = Method::post, .url = "/", .body = R"({"metadata":{"a":"b"}})"}};
  EXPECT_THAT(differences({.params = {{"metadata[a]", "b"}}, .metadata = {{"a", "b"}}}, json), IsEmpty());
}

TEST(RequestPatternTest, MatchesParametersInAJsonBodyAfterWhiteSpace) {
  LoggedRequest json{.request = {.method = Method::post,
                                 .url = "/",
                                 .headers = {{"Content-Type", "application/json"}},
                                 .body = "\n  {\"metadata\":{\"a\":\"b\"}}\n"}};
  const RequestPattern pattern{
      .params = {{"metadata[a]", "b"}}, .metadata = {{"a", "b"}}, .text = "metadata[a]=b"};
  EXPECT_THAT(differences(pattern, json), IsEmpty());
  json.request.headers.clear();
  EXPECT_THAT(differences(pattern, json), IsEmpty());
}

TEST(RequestPatternTest, KeepsTheSpellingOfJsonNumbers) {
  const auto params = sentParams({.method = Method::post,
                                  .url = "/v2/core/accounts",
                                  .headers = {{"Content-Type", "application/json"}},
                                  .body = R"({"a":1.10,"b":[-0,true,null],"c":12345678901234567890123})"});
  std::string all;
  for (const SentParam& param : params)
    all += param.name + '=' + param.value + ' ';
  EXPECT_EQ(all, "a=1.10 b[0]=-0 b[1]=true b[2]= c=12345678901234567890123 ");
}

TEST(RequestPatternTest, IsPrintedOnOneLine) {
  EXPECT_EQ(inText(RequestPattern{}), "any operation");
  EXPECT_EQ(inText(RequestPattern{.operation = "payouts.create",
                                  .object = "po_1",
                                  .params = {{"amount", "500"}, {"currency"}},
                                  .metadata = {{"order", TextPattern::containing("4")}},
                                  .status = 200,
                                  .text = "x"}),
            "payouts.create of po_1 with parameter amount = \"500\" and parameter currency = any value and "
            "metadata order = containing \"4\" and status 200 and text \"x\"");
}

TEST(RequestPatternTest, IsPrintedWithAllItsDemands) {
  EXPECT_EQ(inText(RequestPattern{.account = "acct_1",
                                  .headers = {{"X-Version", "1"}},
                                  .body = TextPattern::containing("b"),
                                  .processed = true,
                                  .errorCode = "lock_timeout",
                                  .responseBody = TextPattern::any(),
                                  .outcome = RequestOutcome::limited,
                                  .faulted = false,
                                  .hasOperation = true,
                                  .from = Instant{},
                                  .until = Instant{std::chrono::seconds{1}},
                                  .call = "c1"}),
            "any operation with account \"acct_1\" and header X-Version = \"1\" and body containing \"b\" "
            "and an effect and "
            "error code \"lock_timeout\" and response body any value and outcome limited and no fault and an "
            "operation and "
            "a time from 1970-01-01T00:00:00Z and a time before 1970-01-01T00:00:01Z and call \"c1\"");
}

TEST(CountTest, IncludesBothEndsOfItsRange) {
  EXPECT_TRUE(Count::exactly(2).includes(2));
  EXPECT_FALSE(Count::exactly(2).includes(1));
  EXPECT_FALSE(Count::exactly(2).includes(3));
  EXPECT_TRUE(Count::atLeast(2).includes(2));
  EXPECT_FALSE(Count::atLeast(2).includes(1));
  EXPECT_TRUE(Count::atMost(2).includes(0));
  EXPECT_TRUE(Count::atMost(2).includes(2));
  EXPECT_FALSE(Count::atMost(2).includes(3));
  EXPECT_TRUE(Count::between(1, 2).includes(1));
  EXPECT_FALSE(Count::between(1, 2).includes(0));
  EXPECT_THROW((void)Count::between(2, 1), std::invalid_argument);
  EXPECT_EQ(inText(Count::exactly(2)), "exactly 2");
  EXPECT_EQ(inText(Count::atLeast(2)), "at least 2");
  EXPECT_EQ(inText(Count::atMost(2)), "at most 2");
  EXPECT_EQ(inText(Count::between(1, 2)), "from 1 to 2");
}

}  // namespace

}  // namespace tally::fake
