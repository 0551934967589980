#include "request/request_head.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tally::fake::detail {

namespace {

TEST(Target, ConsistsOfThePathAndQueryOfAUrl) {
  EXPECT_EQ(targetOf("https://api.example.com/v1/things?limit=1#top").path, "/v1/things");
  EXPECT_EQ(targetOf("https://api.example.com/v1/things?limit=1#top").query, "limit=1");
  EXPECT_EQ(targetOf("/v1/things").path, "/v1/things");
  EXPECT_EQ(targetOf("/v1/things").query, "");
}

TEST(Target, RecognizesASchemeOnlyAtTheStart) {
  EXPECT_EQ(targetOf("/v1/things?url=http://a/b").path, "/v1/things");
  EXPECT_EQ(targetOf("/v1/things?url=http://a/b").query, "url=http://a/b");
  EXPECT_EQ(targetOf("https://host").path, "");
  EXPECT_EQ(targetOf("https://host?limit=1").query, "limit=1");
  EXPECT_EQ(targetOf("").path, "");
}

TEST(RequestHead, FindsHeadersRegardlessOfTheCaseOfTheirNames) {
  const HttpRequest request{.headers = {{"x-other", "1"},
                                        {"AUTHORIZATION", "Bearer a"},
                                        {"service-account", "acct_1"},
                                        {"content-type", "text/plain"},
                                        {"Authorization", "Bearer b"}}};
  const RequestHead head = headOf(request);
  EXPECT_EQ(*head.authorization, "Bearer a");
  EXPECT_EQ(*head.connectedAccount, "acct_1");
  EXPECT_EQ(*head.contentType, "text/plain");
}

TEST(RequestHead, FindsTheHeaderOfAnotherServiceThatNamesAnAccount) {
  EXPECT_EQ(headOf({.headers = {{"stripe-account", "acct_1"}}}).foreignAccount->name, "stripe-account");
  for (const Header& other : {Header{"Service-Account", "acct_1"}, Header{"Shop-Account", "1"},
                              Header{"Account", "acct_1"}, Header{"X-Accounts", "acct_1"}})
    EXPECT_EQ(headOf({.headers = {other}}).foreignAccount, nullptr) << other.name;
}

TEST(RequestHead, ReturnsNullForMissingHeaders) {
  const RequestHead head = headOf({});
  EXPECT_EQ(head.foreignAccount, nullptr);
  EXPECT_EQ(head.authorization, nullptr);
  EXPECT_EQ(head.connectedAccount, nullptr);
  EXPECT_EQ(head.contentType, nullptr);
}

TEST(Key, IsReadFromBearerCredentials) {
  EXPECT_EQ(keyOf("Bearer sk_test_1"), "sk_test_1");
  EXPECT_EQ(keyOf("bearer   sk_test_1 "), "sk_test_1");
}

TEST(Key, IsReadFromTheUserNameOfBasicCredentials) {
  EXPECT_EQ(keyOf("Basic c2tfdGVzdF8xOg=="), "sk_test_1");
  EXPECT_EQ(keyOf("basic c2tfdGVzdF8xOg"), "sk_test_1");
}

TEST(Key, IsEmptyIfBasicCredentialsAreMalformedOrHaveAPassword) {
  EXPECT_EQ(keyOf("Basic c2tfdGVzdF8xOnB3"), "") << "sk_test_1:pw";
  EXPECT_EQ(keyOf("Basic c2tfdGVzdF8x"), "") << "no colon";
  EXPECT_EQ(keyOf("Basic !!!!"), "");
}

TEST(Key, IsMissingWithoutCredentials) {
  EXPECT_EQ(keyOf(""), std::nullopt);
  EXPECT_EQ(keyOf("Bearer"), std::nullopt);
  EXPECT_EQ(keyOf("Bearer "), std::nullopt);
  EXPECT_EQ(keyOf("Digest a"), std::nullopt);
}

RC_GTEST_PROP(Target, IsNeverLongerThanTheUrl, (const std::string& bytes)) {
  const Target target = targetOf(bytes);
  RC_ASSERT(target.path.size() + target.query.size() <= bytes.size());
  (void)keyOf(bytes);
  (void)keyOf("Basic " + bytes);
}

}  // namespace

}  // namespace tally::fake::detail
