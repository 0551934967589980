#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <tally/version.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "tables/description.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using test::messageOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ServerOperations : public ControlTest {
 protected:
  /// A request without a key.
  HttpResponse getOpenly(const std::string& path, std::vector<Header> headers = {}) {
    return send({.method = Method::get, .url = path, .headers = std::move(headers)});
  }

  std::string metrics() { return getOpenly("/_fake/metrics").body; }
};

TEST_F(ServerOperations, ReportTheHealthOfTheServer) {
  EXPECT_EQ(told(getOpenly("/_fake/health")),
            (json::value{{"status", "ok"}, {"version", version}, {"accounts", 1}}));
}

TEST_F(ServerOperations, CountRequestsByResult) {
  first.service.limits().set({.limit = "global_rate", .value = 4});
  (void)post("/_fake/faults", R"({"operation":"payouts.list","fault":"response_lost"})");
  (void)control.handle({.request = test::get(key, "/v1/payouts")}, {});
  (void)post("/_fake/faults", R"({"error":"api_error","times":1})");
  (void)get(records);
  for (int i = 0; i < 5; ++i)
    (void)get(records);
  const std::string text = metrics();
  for (const char* line : {R"(tally_fake_requests_total{operation="payouts.list",status="none"} 1)",
                           R"(tally_fake_requests_total{operation="payment_records.list",status="200"} 3)",
                           R"(tally_fake_requests_total{operation="payment_records.list",status="429"} 2)",
                           R"(tally_fake_requests_total{operation="payment_records.list",status="500"} 1)",
                           R"(tally_fake_refusals_total{limit="global_rate"} 2)",
                           R"(tally_fake_faults_total{fault="response_lost"} 1)",
                           R"(tally_fake_faults_total{fault="response"} 1)", "tally_fake_logged_requests 7",
                           "tally_fake_accounts 1"})
    EXPECT_THAT(text, HasSubstr('\n' + std::string{line} + '\n'));
  EXPECT_THAT(text, Not(HasSubstr("process_resident_memory_bytes 0\n")));
}

TEST_F(ServerOperations, ReportABoundedNumberOfMetrics) {
  (void)get("/v1/unheard_of");
  const auto before = std::ranges::count(metrics(), '\n');
  for (int i = 0; i < 50; ++i) {
    (void)get("/v1/unheard_of/" + std::to_string(i));
    (void)send(test::get(key, "/v1/" + std::to_string(i)), "METHOD" + std::to_string(i));
  }
  EXPECT_THAT(metrics(), HasSubstr(R"({operation="unknown",status="404"} 101)"));
  EXPECT_EQ(std::ranges::count(metrics(), '\n'), before);
}

/// Each line is a comment or a sample, and each metric has a HELP line, then a TYPE line, then its samples.
TEST_F(ServerOperations, WriteMetricsInTheExpositionFormat) {
  (void)get(records);
  EXPECT_EQ(*getOpenly("/_fake/metrics").header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const std::regex help{"# HELP ([a-z_]+) .+"};
  const std::regex type{"# TYPE ([a-z_]+) (counter|gauge)"};
  const std::regex sample{R"(([a-z_]+)(\{[a-z_]+="[^"\\]*"(,[a-z_]+="[^"\\]*")*\})? [0-9.e+-]+)"};
  std::istringstream lines{metrics()};
  std::set<std::string> known;
  std::string name;
  std::string line;
  std::smatch parts;
  while (std::getline(lines, line)) {
    if (std::regex_match(line, parts, help)) {
      name = parts[1];
      EXPECT_TRUE(known.insert(name).second) << "twice: " << name;
      ASSERT_TRUE(std::getline(lines, line));
      ASSERT_TRUE(std::regex_match(line, parts, type)) << line;
      EXPECT_EQ(parts[2] == "counter", name.ends_with("_total")) << line;
    } else {
      ASSERT_TRUE(std::regex_match(line, parts, sample)) << line;
    }
    EXPECT_EQ(parts[1], name) << line;
  }
  EXPECT_GT(known.size(), 10U);
}

TEST_F(ServerOperations, DescribeThePaymentsApiInOneDocument) {
  const std::string text = getOpenly("/_fake/openapi.json").body;
  const json::value document = json::parse(text);
  std::set<std::string> described;
  for (const auto& [path, methods] : document.at("paths").as_object())
    for (const auto& [method, operation] : methods.as_object())
      described.insert(test::text(operation.at("operationId")));
  std::set<std::string> served;
  for (const AnyOperation* operation : Description{}.operations)
    served.emplace(operation->name);
  EXPECT_EQ(described, served);
  const std::regex reference{R"re("\$ref":"([^"]*)")re"};
  for (std::sregex_iterator each{text.begin(), text.end(), reference}; each != std::sregex_iterator{};
       ++each) {
    const std::string target = (*each)[1];
    ASSERT_THAT(target, StartsWith("#/"));
    json::error_code error;
    EXPECT_NE(document.find_pointer(target.substr(1), error), nullptr) << target;
  }
  for (const auto& [name, member] : document.as_object())
    EXPECT_THAT(std::string{name}, Not(StartsWith("x-")));
  EXPECT_EQ(document.at("servers"), (json::array{{{"url", "/"}}}));
}

TEST_F(ServerOperations, ReturnTheDescriptionOfTheControlApi) {
  const json::value document = told(getOpenly("/_fake/control.openapi.json"));
  EXPECT_TRUE(document.at("paths").as_object().contains("/_fake/events"));
}

TEST_F(ServerOperations, RefuseUnknownAndInvalidParameters) {
  for (const std::string path : {"health", "metrics", "openapi.json", "control.openapi.json", "events"}) {
    EXPECT_EQ(post("/_fake/" + path).status, 405) << path;
    EXPECT_THAT(messageOf(get("/_fake/" + path + "?verbose=1")), HasSubstr("verbose: unknown parameter"))
        << path;
  }
  EXPECT_EQ(getOpenly("/_fake/events").status, 401);
  for (const char* after : {"-1", "x", "", "1x", "18446744073709551616"})
    EXPECT_THAT(messageOf(get(std::string{"/_fake/events?after="} + after)),
                HasSubstr("after: expected a number of at least 0"));
  HttpRequest resumed = test::get(key, "/_fake/events?after=1");
  resumed.headers.push_back({"last-event-id", "x"});
  EXPECT_THAT(messageOf(send(resumed)), HasSubstr("Last-Event-ID: expected the id of an event"));
}

TEST_F(ServerOperations, ExplainHowToUseTheServerAtItsRoot) {
  const HttpResponse text = getOpenly("/", {{"Host", "localhost:1234"}, {"Accept", "*/*"}});
  EXPECT_EQ(*text.header("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_THAT(text.body, HasSubstr("curl -X POST http://localhost:1234/_fake/accounts\n"));
  const HttpResponse page =
      getOpenly("/", {{"Host", "<script>&\""}, {"Accept", "text/html,application/xhtml+xml"}});
  EXPECT_EQ(*page.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(page.body, StartsWith("<!doctype html>"));
  EXPECT_THAT(page.body, HasSubstr("http://&lt;script&gt;&amp;&quot;/_fake/accounts"));
  EXPECT_THAT(page.body, Not(HasSubstr("<script>")));
  EXPECT_EQ(send({.method = Method::get, .url = "/"}, "HEAD").status, 200);
  EXPECT_EQ(send({.method = Method::post, .url = "/"}).status, 401) << "as the service responds";
}

/// Each path that the page at the root names exists.
TEST_F(ServerOperations, AreListedAtTheRoot) {
  const std::string text = getOpenly("/").body;
  const std::regex path{"(/_fake/[a-z.]+)\n"};
  int found = 0;
  for (std::sregex_iterator each{text.begin(), text.end(), path}; each != std::sregex_iterator{};
       ++each, ++found)
    EXPECT_EQ(getOpenly((*each)[1]).status, 200) << (*each)[1];
  EXPECT_EQ(found, 6);
}

}  // namespace

}  // namespace tally::fake::detail
