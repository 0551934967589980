#include "control/host_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"

namespace tally::fake::detail {

namespace {

using test::errorOf;
using test::messageOf;
using testing::HasSubstr;

/// What a request with these headers gets from the control API; empty headers are left out.
class HostCheck : public ControlTest {
 protected:
  HttpResponse postTo(const std::string& host, const std::string& origin = {}) {
    HttpRequest request =
        test::post(key, "/_fake/clock/advance", R"({"milliseconds":1000})", "application/json");
    if (!host.empty()) request.headers.push_back({"host", host});
    if (!origin.empty()) request.headers.push_back({"origin", origin});
    return send(request);
  }
};

TEST_F(HostCheck, AcceptsTheLoopbackNamesAndAMissingHost) {
  for (const char* host :
       {"localhost", "localhost:7878", "LocalHost:1", "127.0.0.1", "127.0.0.1:7878", "[::1]", "[::1]:7878",
        "localhost.", "LOCALHOST.:7878", "localhost:", "[0:0:0:0:0:0:0:1]:7878", "[::0001]", ""})
    EXPECT_EQ(postTo(host).status, 200) << host;
}

TEST_F(HostCheck, RefusesUnknownNamesAndChangesNothing) {
  const Instant before = first.service.clock()->now();
  for (const char* host : {"evil.test",
                           "evil.test:7878",
                           "localhost.evil.test",
                           "127.0.0.1.evil.test",
                           "[::2]:80",
                           "[::1",
                           "[",
                           ":80",
                           "evil.test:localhost",
                           "localhost@evil.test",
                           "localhost:80.evil.test",
                           "127.0.0.1:80.evil.test",
                           "[::1]:80.evil.test",
                           "[::1].evil.test",
                           "[::1]evil.test:80",
                           "[localhost]",
                           "[127.0.0.1]",
                           "::1",
                           "localhost:80:80",
                           "localhost:65536",
                           "localhost:+80",
                           "localhost:-1",
                           "localhost:0x50",
                           "localhost: 80",
                           "localhost..",
                           ".localhost",
                           "127.0.0.1.",
                           "localhost/",
                           "localhost#",
                           "localhost,evil.test",
                           "[::1%lo]",
                           "."})
    EXPECT_EQ(errorOf(postTo(host)), "403 host_unknown") << host;
  EXPECT_THAT(messageOf(postTo("evil.test:80")), HasSubstr("'evil.test'"));
  EXPECT_THAT(messageOf(postTo("evil.test:80")), HasSubstr("--allow-host evil.test."));
  EXPECT_THAT(messageOf(postTo("localhost:80.evil.test")),
              HasSubstr("'localhost:80.evil.test': expected a name or an IP address"));
  EXPECT_EQ(first.service.clock()->now(), before);
}

TEST_F(HostCheck, AcceptsTheConfiguredNames) {
  const std::vector<std::string> more{"fake.test", "Dotted.Test.", "2001:DB8:0::1"};
  const HostNames names{"192.0.2.1", more};
  const auto knows = [&](const std::string& host) { return !names.refusal({.headers = {{"Host", host}}}); };
  EXPECT_TRUE(knows("192.0.2.1:7878"));
  EXPECT_TRUE(knows("Fake.Test:7878"));
  EXPECT_TRUE(knows("fake.test.:7878"));
  EXPECT_TRUE(knows("dotted.test"));
  EXPECT_TRUE(knows("[2001:db8::1]:7878"));
  EXPECT_TRUE(knows("localhost"));
  EXPECT_FALSE(knows("192.0.2.2:7878"));
  EXPECT_FALSE(knows("[2001:db8::2]:7878"));
  EXPECT_FALSE(knows("fake.test:7878.evil.test"));
}

/// A target with a host overrides the header.
TEST_F(HostCheck, RefusesARequestTargetWithAnUnknownHost) {
  const HttpRequest request{.url = "http://evil.test:7878/_fake/health", .headers = {{"Host", "localhost"}}};
  EXPECT_EQ(errorOf(send(request)), "403 host_unknown");
  EXPECT_EQ(send({.url = "http://127.0.0.1/_fake/health", .headers = {{"Host", "localhost"}}}).status, 200);
}

TEST_F(HostCheck, RefusesForeignOriginsAndChangesNothing) {
  const Instant before = first.service.clock()->now();
  for (const char* origin : {"http://evil.test", "http://localhost", "http://localhost:3000", "null", "x",
                             "http://localhost:7878.evil.test", "file://", "http://127.0.0.1:7878"})
    EXPECT_EQ(errorOf(postTo("localhost:7878", origin)), "403 origin_refused") << origin;
  EXPECT_EQ(errorOf(postTo("", "http://localhost:7878")), "403 origin_refused");
  EXPECT_EQ(errorOf(postTo("localhost:7878.evil.test", "http://localhost:7878.evil.test")),
            "403 host_unknown");
  EXPECT_THAT(messageOf(postTo("localhost:7878", "http://evil.test")), HasSubstr("'http://evil.test'"));
  EXPECT_THAT(messageOf(postTo("localhost:7878", "http://evil.test")), HasSubstr("Use the page at /_fake/"));
  EXPECT_EQ(first.service.clock()->now(), before);
}

TEST_F(HostCheck, AcceptsAnOriginThatMatchesTheHost) {
  EXPECT_EQ(postTo("localhost:7878", "http://localhost:7878").status, 200);
  EXPECT_EQ(postTo("LOCALHOST:7878", "https://localhost:7878").status, 200);
}

TEST_F(HostCheck, DoesNotRestrictThePaymentsApi) {
  HttpRequest request = test::get(key, records);
  request.headers.push_back({"Host", "api.example.com"});
  request.headers.push_back({"Origin", "http://evil.test"});
  EXPECT_EQ(send(request).status, 200);
}

TEST_F(HostCheck, RefusesMalformedNames) {
  for (const char* name : {"fake", "fake.test", "a-b_c.test", "192.0.2.1", "2001:db8::1", "::1"})
    EXPECT_TRUE(HostNames::isName(name)) << name;
  for (const char* text : {"", "http://fake", "fake:80", "fake/", "[::1]", "a b", "*", "a\n"})
    EXPECT_FALSE(HostNames::isName(text)) << text;
}

}  // namespace

}  // namespace tally::fake::detail
