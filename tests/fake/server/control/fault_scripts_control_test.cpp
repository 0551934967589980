// Fault scripts, faults by header and marks of attempts over the control API.

#include <string>
#include <variant>
#include <vector>

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using test::messageOf;
using testing::HasSubstr;

class FaultScriptsControl : public ControlTest {
 protected:
  /// The status of a list; 0 without a response.
  int list(const std::string& account, const std::vector<Header>& headers = {}) {
    HttpRequest request = test::get(account, records);
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    const Reply reply = control.handle({.request = request}, {});
    const auto* response = std::get_if<HttpResponse>(&reply.result);
    return response == nullptr ? 0 : response->status;
  }
  HttpResponse drop(const std::string& path) { return send(test::get(key, path), "DELETE"); }
  json::value played() { return told(get("/_fake/fault_scripts")).at("scripts"); }
};

TEST_F(FaultScriptsControl, PlaysAReadyMadeScript) {
  const json::value id = told(post("/_fake/fault_scripts", R"({"name":"outage","seed":3})")).at("id");
  EXPECT_EQ(list(key), 0);
  const json::value script = played().at(0);
  EXPECT_EQ(script.at("id"), id);
  EXPECT_EQ(script.at("name"), "outage");
  EXPECT_EQ(script.at("seed"), 3);
  EXPECT_EQ(script.at("started"), "2026-01-01T00:00:00.000000000Z");
  EXPECT_EQ(script.at("next_at"), "2026-01-01T00:01:30.000000000Z");
  EXPECT_EQ(script.at("next"), "ends: connection refused");
  const json::value step = script.at("steps").at(0);
  EXPECT_EQ(step.at("hits"), 1);
  EXPECT_EQ(step.at("fault"), told(get("/_fake/faults")).at("faults").at(0).at("id"));
  told(drop("/_fake/fault_scripts/" + json::serialize(id)));
  EXPECT_TRUE(played().as_array().empty());
  EXPECT_EQ(list(key), 200);
}

TEST_F(FaultScriptsControl, PlaysCustomSteps) {
  told(post("/_fake/fault_scripts", R"({"steps":[{"for_ms":1000,"limit":"global_rate","value":0}]})"));
  EXPECT_EQ(list(key), 429);
  EXPECT_TRUE(played().at(0).at("steps").at(0).at("fault").is_null());
  told(post("/_fake/clock/advance", R"({"milliseconds":1000})"));
  EXPECT_EQ(list(key), 200);
  EXPECT_TRUE(played().at(0).at("next").is_null());
}

TEST_F(FaultScriptsControl, ListsTheReadyMadeScripts) {
  const json::value ready = told(get("/_fake/fault_scripts")).at("ready_made");
  EXPECT_EQ(ready.as_array().size(), 5U);
  EXPECT_EQ(ready.at(0).at("name"), "outage");
}

TEST_F(FaultScriptsControl, ExplainsWhyItRefusesARequest) {
  EXPECT_THAT(
      messageOf(post("/_fake/fault_scripts", R"({"steps":[{"for_ms":1,"error":"api_eror"}]})")),
      HasSubstr("steps[0]: a fault rule names an unknown error 'api_eror'; did you mean 'api_error'?"));
  EXPECT_THAT(messageOf(post("/_fake/fault_scripts", R"({"name":"lost"})")),
              HasSubstr("did you mean 'lost-responses'?"));
  EXPECT_THAT(
      messageOf(
          send({.url = "/_fake/fault_scripts/7", .headers = {{"Authorization", "Bearer " + key}}}, "DELETE")),
      HasSubstr("unknown fault script '7'"));
}

TEST_F(FaultScriptsControl, EndsScriptsWhenAllFaultsAreRemoved) {
  told(post("/_fake/fault_scripts", R"({"name":"outage"})"));
  told(drop("/_fake/faults"));
  EXPECT_TRUE(played().as_array().empty());
}

TEST_F(FaultScriptsControl, ShowsWhichFaultsAHeaderRequested) {
  const std::string other =
      test::text(toldBy(key, "/_fake/accounts", R"({"fault_header":true})").at("sandbox_key"));
  EXPECT_EQ(list(key, {{"Tally-Fake-Fault", "error=lock_timeout"}}), 200) << "only where it is allowed";
  EXPECT_EQ(list(other, {{"Tally-Fake-Fault", "error=lock_timeout"}}), 429);
  const json::value shown = toldBy(other, "/_fake/requests").at("requests").at(0);
  EXPECT_EQ(shown.at("fault_from_header"), true);
  EXPECT_TRUE(shown.at("fault_id").is_null());
  EXPECT_TRUE(toldBy(other, "/_fake/faults").at("faults").as_array().empty());
}

TEST_F(FaultScriptsControl, ShowsTheMarksOfAttemptsAndFiltersByCall) {
  list(key, {{"Tally-Call", "9f86d081884c7d65; attempt=2"}});
  list(key);
  const json::value shown = told(get("/_fake/requests")).at("requests");
  EXPECT_EQ(shown.at(0).at("call"), "9f86d081884c7d65");
  EXPECT_EQ(shown.at(0).at("attempt"), 2);
  EXPECT_TRUE(shown.at(1).at("call").is_null());
  EXPECT_TRUE(shown.at(1).at("attempt").is_null());
  const json::value ofCall = told(get("/_fake/requests?call=9f86d081884c7d65")).at("requests");
  ASSERT_EQ(ofCall.as_array().size(), 1U);
  EXPECT_EQ(ofCall.at(0).at("number"), 1);
  EXPECT_EQ(told(post("/_fake/verify", R"({"call":"9f86d081884c7d65"})")).at("ok"), true);
}

}  // namespace

}  // namespace tally::fake::detail
