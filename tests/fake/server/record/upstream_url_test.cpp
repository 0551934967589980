#include "record/upstream_url.h"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

TEST(UpstreamUrl, ContainsTheSchemeHostAndDefaultPort) {
  const UpstreamUrl url = parseUpstream("https://api.example.com");
  EXPECT_TRUE(url.secure);
  EXPECT_EQ(url.host, "api.example.com");
  EXPECT_EQ(url.port, "443");
  EXPECT_EQ(url.path, "");
  EXPECT_EQ(url.origin(), "https://api.example.com");
}

TEST(UpstreamUrl, CanContainAPortAndAPath) {
  const UpstreamUrl url = parseUpstream("HTTP://127.0.0.1:8080/base//");
  EXPECT_FALSE(url.secure);
  EXPECT_EQ(url.host, "127.0.0.1");
  EXPECT_EQ(url.port, "8080");
  EXPECT_EQ(url.path, "/base");
  EXPECT_EQ(parseUpstream("http://[::1]:80/").host, "::1");
  EXPECT_EQ(parseUpstream("http://[::1]").port, "80");
  EXPECT_EQ(parseUpstream("http://[::1]").authority, "[::1]");
}

TEST(UpstreamUrl, IsRefusedWithAnExplanationWhenInvalid) {
  const auto problemOf = [](const char* url) {
    try {
      (void)parseUpstream(url);
    } catch (const std::invalid_argument& problem) {
      return std::string{problem.what()};
    }
    return std::string{"none"};
  };
  using testing::EndsWith;
  EXPECT_EQ(problemOf("api.example.com"),
            "--upstream takes a URL such as https://api.example.com, not "
            "\"api.example.com\": it has no http:// or https://");
  EXPECT_THAT(problemOf("https://sk_live_1@a.com"),
              EndsWith("leave out what precedes the @; clients send the key"));
  EXPECT_THAT(problemOf("https://a.com/?b"), EndsWith("leave out what follows the path"));
  EXPECT_THAT(problemOf("https://"), EndsWith("it has no host"));
  EXPECT_THAT(problemOf("https://:1"), EndsWith("it has no host"));
  for (const char* url : {"https://a:", "https://a:0", "https://a:65536", "https://a:x"})
    EXPECT_THAT(problemOf(url), EndsWith("its port is not a number from 1 to 65535")) << url;
}

}  // namespace

}  // namespace tally::fake::detail
