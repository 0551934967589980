// Verification, filters of the log, and the further faults, over the control API.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/control_fixture.h"
#include "tables/utf8.h"

namespace tally::fake::detail {

namespace {

namespace json = boost::json;

using test::errorOf;
using test::messageOf;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class VerifyControl : public ControlTest {
 protected:
  HttpResponse pay(const std::string& amount, const std::string& order = "1") {
    return postForm("/v1/payouts", "amount=" + amount + "&currency=eur&metadata[order]=" + order);
  }
  HttpResponse remove(const std::string& path) { return send(test::get(key, path), "DELETE"); }
  json::value verified(const std::string& body) { return told(post("/_fake/verify", body)); }

  /// The numbers of the listed requests.
  std::string listed(const std::string& query) {
    const auto page = told(get("/_fake/requests" + query));
    std::string numbers;
    for (const auto& request : page.at("requests").as_array())
      numbers += std::to_string(request.at("number").as_int64()) + ' ';
    return numbers + (page.at("has_more").as_bool() ? "more" : "end");
  }

  /// What the control API says against a body, which has to be refused without any effect.
  std::string complaint(const std::string& path, const std::string& body) {
    const std::size_t faults = first.service.faults().list().size();
    const HttpResponse response = post(path, body);
    EXPECT_EQ(errorOf(response), "400 parameter_invalid") << body;
    EXPECT_EQ(first.service.faults().list().size(), faults) << body;
    return messageOf(response);
  }
};

TEST_F(VerifyControl, CountsMatchesAndExplainsNearMisses) {
  (void)pay("500");
  (void)pay("510");
  const std::string fives = R"("operation":"payouts.create","params":{"amount":"500"})";
  const auto ok = verified('{' + fives + '}');
  EXPECT_EQ(ok.at("ok"), true);
  EXPECT_EQ(ok.at("matched"), 1);
  EXPECT_EQ(ok.at("requests"), (json::array{1}));
  EXPECT_TRUE(ok.at("near_misses").as_array().empty());
  for (const char* fits :
       {R"("exactly":1)", R"("at_least":1)", R"("at_most":1)", R"("at_least":0,"at_most":1)"})
    EXPECT_EQ(verified('{' + fives + ',' + fits + '}').at("ok"), true) << fits;
  for (const char* fails : {R"("exactly":2)", R"("at_least":2)", R"("at_most":0)"})
    EXPECT_EQ(verified('{' + fives + ',' + fails + '}').at("ok"), false) << fails;

  const auto failed = verified('{' + fives + R"(,"exactly":2})");
  const auto& miss = failed.at("near_misses").at(0);
  EXPECT_EQ(miss.at("request").at("number"), 2);
  EXPECT_EQ(miss.at("differences").at(0),
            json::parse(R"({"part":"parameter amount","expected":"\"500\"","actual":"\"510\""})"));
  EXPECT_THAT(test::text(failed.at("message")),
              AllOf(HasSubstr("expected exactly 2 of payouts.create"), HasSubstr("not \"500\"")));
}

TEST_F(VerifyControl, FailsIfTheLogDroppedRequestsThatMayMatch) {
  key = test::text(told(post("/_fake/accounts", R"({"request_log":2})")).at("sandbox_key"));
  for (int n = 0; n < 3; ++n)
    (void)pay("500");
  const auto unknown = verified(R"({"operation":"payouts.list","exactly":0})");
  EXPECT_EQ(unknown.at("ok"), false);
  EXPECT_EQ(unknown.at("decided"), false);
  EXPECT_EQ(unknown.at("dropped"), 1);
  EXPECT_EQ(unknown.at("unknown"), 0);
  EXPECT_THAT(test::text(unknown.at("message")),
              AllOf(HasSubstr("lacks 1 request"), HasSubstr("--request-log")));
  EXPECT_EQ(verified(R"({"operation":"payouts.list","exactly":0,"after":1})").at("ok"), true);
  EXPECT_EQ(verified(R"({"operation":"payouts.create","at_least":2})").at("ok"), true);
  const auto failed = verified(R"({"operation":"payouts.create","at_most":1})");
  EXPECT_EQ(failed.at("ok"), false);
  EXPECT_EQ(failed.at("decided"), true);
}

TEST_F(VerifyControl, ComparesEveryPartOfARequest) {
  (void)pay("500", "42");
  const std::vector<std::string> fitting{R"("account":")" + first.account.id + '"',
                                         R"("operation":"payouts.create")",
                                         R"("params":{"metadata[order]":"42","none":{"present":false}})",
                                         R"("metadata":{"order":{"contains":"4"}})",
                                         R"("headers":{"content-type":{"present":true}})",
                                         R"("body":{"contains":"amount=500"})",
                                         R"("status":200)",
                                         R"("processed":true)",
                                         R"("response_body":{"contains":"po_"})",
                                         R"("outcome":"succeeded")",
                                         R"("faulted":false)",
                                         R"("has_operation":true)",
                                         R"("from":0)",
                                         R"("until":"2262-01-01T00:00:00Z")",
                                         R"("text":"EUR")"};
  for (const std::string& part : fitting)
    EXPECT_EQ(verified('{' + part + '}').at("matched"), 1) << part;
  const std::vector<std::string> others{R"("account":"acct_2")",
                                        R"("operation":"payouts.list")",
                                        R"("object":"po_1")",
                                        R"("params":{"amount":"501"})",
                                        R"("metadata":{"order":"4"})",
                                        R"("headers":{"content-type":"text/plain"})",
                                        R"("body":"amount=500")",
                                        R"("status":0)",
                                        R"("processed":false)",
                                        R"("error_code":"rate_limit")",
                                        R"("response_body":"{}")",
                                        R"("outcome":"limited")",
                                        R"("faulted":true)",
                                        R"("has_operation":false)",
                                        R"("until":0)",
                                        R"("from":"2262-01-01T00:00:00Z")",
                                        R"("text":"usd")"};
  for (const std::string& part : others)
    EXPECT_EQ(verified('{' + part + '}').at("matched"), 0) << part;
}

TEST_F(VerifyControl, ExplainsWhyItRefusesAnExpectation) {
  const auto wrong = [&](const std::string& body) { return complaint("/_fake/verify", body); };
  EXPECT_THAT(wrong(R"({"operation":"payout.create"})"),
              HasSubstr("unknown operation 'payout.create'; did you mean 'payouts.create'?"));
  EXPECT_THAT(wrong(R"({"exactly":1,"at_most":2})"),
              HasSubstr("exactly: can't be combined with at_least or at_most"));
  EXPECT_THAT(wrong(R"({"at_least":2,"at_most":1})"), HasSubstr("at_least: must not exceed at_most"));
  EXPECT_THAT(wrong(R"({"exactly":-1})"), HasSubstr("exactly: expected a number of at least 0"));
  EXPECT_THAT(wrong(R"({"params":{"amount":500}})"), HasSubstr("params.amount: expected a string, {"));
  EXPECT_THAT(wrong(R"({"params":{"amount":null}})"), HasSubstr("params.amount: missing"));
  EXPECT_THAT(wrong(R"({"body":{}})"), HasSubstr("body: expected either 'contains' or 'present'"));
  EXPECT_THAT(wrong(R"({"body":{"contains":"a","present":true}})"), HasSubstr("expected either"));
  EXPECT_THAT(wrong(R"({"body":{"matches":"a"}})"), HasSubstr("body.matches: unknown field"));
  EXPECT_THAT(wrong(R"({"status":1000})"), HasSubstr("status: expected a status"));
  EXPECT_THAT(wrong(R"({"outcome":"lost"})"), HasSubstr("outcome: expected succeeded, limited"));
  EXPECT_THAT(wrong(R"({"after":-1})"), HasSubstr("after: expected a number of at least 0"));
  EXPECT_THAT(wrong(R"({"parameters":{}})"), HasSubstr("parameters: unknown field"));
}

TEST_F(VerifyControl, FiltersTheLog) {
  const std::string id = insertOne();
  (void)get(records + '/' + id);
  (void)pay("500");
  (void)pay("none");
  (void)pay("600");
  EXPECT_EQ(listed("?operation=payouts.create"), "2 3 4 end");
  EXPECT_EQ(listed("?operation=payouts.create&limit=2"), "2 3 more");
  EXPECT_EQ(listed("?operation=payouts.create&limit=2&after=3"), "4 end");
  EXPECT_EQ(listed("?object=" + id), "1 end");
  EXPECT_EQ(listed("?status=400"), "3 end");
  EXPECT_EQ(listed("?account=" + first.account.id), "1 2 3 4 end");
  EXPECT_EQ(listed("?account=acct_none"), "end");
  EXPECT_EQ(listed("?text=Amount%3D600"), "4 end");
  EXPECT_EQ(listed("?operation=&object=&text="), "1 2 3 4 end") << "an empty filter is none";
  const auto wrong = [&](const std::string& query) { return messageOf(get("/_fake/requests" + query)); };
  EXPECT_THAT(wrong("?operation=payout"), HasSubstr("unknown operation 'payout'; did you mean"));
  EXPECT_THAT(wrong("?status=ok"), HasSubstr("status: expected a number of at least 0"));
  EXPECT_THAT(wrong("?status=1000"), HasSubstr("status: expected a status"));
  EXPECT_THAT(wrong("?after=1&starting_after=1"), HasSubstr("after: the same as starting_after"));
}

TEST_F(VerifyControl, ListsTheHeadersParametersAndResponseOfARequest) {
  const HttpResponse response = pay("500", "42");
  const auto request = told(get("/_fake/requests")).at("requests").at(0);
  EXPECT_EQ(request.at("params").at(2), json::parse(R"({"name":"metadata[order]","value":"42"})"));
  const auto& authorization = request.at("headers").at(0);
  EXPECT_EQ(authorization.at("name"), "Authorization");
  EXPECT_EQ(test::text(authorization.at("value")), "Bearer ****" + key.substr(key.size() - 4));
  EXPECT_THAT(json::serialize(request), Not(HasSubstr(key)));
  EXPECT_EQ(request.at("response").at("body"), json::value(response.body));
  EXPECT_EQ(request.at("response").at("headers").as_array().size(), response.headers.size());
  EXPECT_TRUE(request.at("fault_id").is_null());
}

TEST_F(VerifyControl, ReplacesInvalidUtf8InTheLog) {
  (void)told(post("/_fake/faults", R"({"fault":"garbled_body"})"));
  (void)pay("%ff");
  (void)pay("500");
  const HttpResponse log = get("/_fake/requests");
  EXPECT_TRUE(isUtf8(log.body));
  const auto request = told(log).at("requests").at(1);
  EXPECT_THAT(test::text(request.at("response").at("body")), HasSubstr("\uFFFD"));
  EXPECT_EQ(request.at("fault_id"), 1);
}

TEST_F(VerifyControl, ClearsTheLog) {
  (void)pay("500");
  (void)told(remove("/_fake/requests"));
  EXPECT_EQ(listed(""), "end");
  (void)pay("500");
  EXPECT_EQ(listed(""), "2 end");
}

TEST_F(VerifyControl, RemovesFaults) {
  const auto id = told(post("/_fake/faults", R"({"error":"api_error","times":3})")).at("id").as_int64();
  EXPECT_EQ(errorOf(pay("500")), "500 api_error");
  const auto listedFault = told(get("/_fake/faults")).at("faults").at(0);
  EXPECT_EQ(listedFault.at("id"), id);
  EXPECT_EQ(listedFault.at("hits"), 1);
  EXPECT_EQ(listedFault.at("times"), 2);
  const std::string path = "/_fake/faults/" + std::to_string(id);
  (void)told(remove(path));
  EXPECT_EQ(pay("500").status, 200);
  EXPECT_THAT(messageOf(remove(path)),
              HasSubstr("unknown fault '1'; it may have been removed, or may have happened"));
  EXPECT_THAT(messageOf(remove("/_fake/faults/x")), HasSubstr("unknown fault 'x'"));
  (void)told(post("/_fake/faults", R"({"error":"api_error"})"));
  (void)told(remove("/_fake/faults"));
  EXPECT_TRUE(first.service.faults().list().empty());
}

TEST_F(VerifyControl, AcceptsAndListsEveryPartOfAFault) {
  const std::string fault =
      R"({"operation":"payouts.create","object":null,"params":{"amount":"500"},)"
      R"("metadata":{"order":{"contains":"4"}},"request_headers":{"X-Shop":{"present":false}},)"
      R"("times":"unlimited","every":2,"probability":0.5,"fault":"none","error":null,"headers":{"A":"b"},)"
      R"("latency_ms":20,"latency_up_to_ms":40,"latency_sigma":0.5,"chunks":3,"pause_ms":7,"after_ms":1000,)"
      R"("period_ms":5000})";
  (void)told(post("/_fake/faults", fault));
  json::object shown = told(get("/_fake/faults")).at("faults").at(0).as_object();
  EXPECT_EQ(shown.at("from"), "2026-01-01T00:00:01.000000000Z");
  EXPECT_EQ(shown.at("until"), "2026-01-01T00:00:06.000000000Z");
  for (const char* added : {"id", "hits", "from", "until"})
    shown.erase(added);
  EXPECT_EQ(shown, json::parse(fault).as_object());
  const FaultRule rule = first.service.faults().list().front().rule;
  EXPECT_EQ(rule.params, (std::vector<NamedPattern>{{"amount", "500"}}));
  EXPECT_EQ(rule.times, FaultRule::unlimited);
  EXPECT_EQ(rule.pause, std::chrono::milliseconds{7});
}

TEST_F(VerifyControl, ExplainsWhyItRefusesAFault) {
  const auto wrong = [&](const std::string& body) { return complaint("/_fake/faults", body); };
  EXPECT_THAT(wrong(R"({"times":"forever"})"), HasSubstr("times: expected an integer or \"unlimited\""));
  EXPECT_THAT(wrong(R"({"every":0})"), HasSubstr("every: expected a number from 1 to 2147483647"));
  EXPECT_THAT(wrong(R"({"every":2147483648})"), HasSubstr("every: expected a number"));
  EXPECT_THAT(wrong(R"({"probability":"half"})"), HasSubstr("probability: expected a number"));
  EXPECT_THAT(wrong(R"({"probability":0})"), HasSubstr("must be greater than 0 and at most 1"));
  EXPECT_THAT(wrong(R"({"period_ms":0})"), HasSubstr("leave it out for a rule without an end"));
  EXPECT_THAT(wrong(R"({"after_ms":-1})"), HasSubstr("after_ms: expected a number of milliseconds"));
  EXPECT_THAT(wrong(R"({"latency_ms":5,"latency_up_to_ms":4})"), HasSubstr("must be at least its latency"));
  EXPECT_THAT(wrong(R"({"latency_sigma":1})"), HasSubstr("needs a latency greater than 0"));
  EXPECT_THAT(wrong(R"({"chunks":10001})"), HasSubstr("must be from 1 to 10000"));
  EXPECT_THAT(wrong(R"({"pause_ms":5})"), HasSubstr("set chunks to at least 2"));
  EXPECT_THAT(wrong(R"({"chunks":2,"fault":"reset"})"), HasSubstr("produces no response"));
  EXPECT_THAT(wrong(R"({"params":{"a":1}})"), HasSubstr("params.a: expected a string"));
  EXPECT_THAT(wrong(R"({"request_headers":{"":"x"}})"), HasSubstr("a header without a name"));
  EXPECT_THAT(wrong(R"({"operation":"payouts.list","object":"po_1"})"), HasSubstr("leave out the object"));
  EXPECT_THAT(wrong(R"({"error":"api_eror"})"), HasSubstr("did you mean 'api_error'?"));
}

}  // namespace

}  // namespace tally::fake::detail
