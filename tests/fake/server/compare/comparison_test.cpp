#include "compare/comparison.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/server/support/sent_traffic.h"
#include "fake/support/requests.h"
#include "text/utf8_sequence.h"

namespace tally::fake::detail {

namespace {

using std::chrono::milliseconds;
using test::intents;
using test::records;
using test::report;
using test::sendCreations;
using test::sendReports;
using test::Traffic;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

namespace json = boost::json;

TEST(RecordingComparison, FindsNoDifferenceInReportsListsAndSearchesFromTheFake) {
  Traffic traffic;
  sendReports(traffic);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNoDifferenceInCreationsFromTheFake) {
  Traffic traffic;
  sendCreations(traffic);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNoDifferenceWhenKeysPathsAndMethodsAreRefused) {
  Traffic traffic;
  traffic.get(records);
  traffic.send(test::get("sk_test_wrong", records));
  traffic.send({.url = records});
  traffic.get("/v1/nothing");
  traffic.send(test::get(traffic.key, records), "DELETE");
  traffic.send(test::get(traffic.account.liveKey, records));
  HttpRequest acting = test::get(traffic.key, records);
  acting.headers.push_back({"Service-Account", "acct_other"});
  traffic.send(acting);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// The service has an operation that the fake lacks, but not the object.
TEST(RecordingComparison, DoesNotJudgeOperationsThatTheFakeLacks) {
  Traffic traffic;
  traffic.get("/v1/charges/ch_1");
  traffic.alter([](Recorded&, json::object& body) {
    body.at("error").as_object()["code"] = "resource_missing";
    return true;
  });
  const Findings found = traffic.compare();
  EXPECT_THAT(found.differences(), IsEmpty());
  EXPECT_THAT(found.unjudged(),
              ElementsAre(Field(&Unjudged::text, "the fake has no operation GET /v1/charges/{id}")));
}

TEST(RecordingComparison, CountsRequestsForOneUnknownOperationTogether) {
  Traffic traffic;
  for (const std::string path : {"charges/ch_1", "charges/ch_2", "charges/ch_2/refunds/3?limit=1", "charges"})
    traffic.get("/v1/" + path);
  traffic.alter([](Recorded& one, json::object&) {
    one.response->status = 200;
    return true;
  });
  EXPECT_THAT(
      traffic.compare().unjudged(),
      ElementsAre(AllOf(Field(&Unjudged::text, "the fake has no operation GET /v1/charges/{id}"),
                        Field(&Unjudged::count, 2U)),
                  Field(&Unjudged::text, "the fake has no operation GET /v1/charges/{id}/refunds/{id}"),
                  Field(&Unjudged::text, "the fake has no operation GET /v1/charges")));
}

/// A service may accept what its client sends by mistake.
TEST(RecordingComparison, JudgesARequestForAnAccountWithoutName) {
  Traffic traffic;
  HttpRequest acting = test::get(traffic.key, records);
  traffic.get(records);
  acting.headers.push_back({"Service-Account", ""});
  traffic.send(acting);
  EXPECT_THAT(traffic.differences(), IsEmpty());
  traffic.recorded[1].response = traffic.recorded[0].response;
  EXPECT_THAT(traffic.differences(), ElementsAre(StartsWith("accepted:")));
}

/// A record that no request before has shown, with this latest attempt.
Findings findingsOfARetrieve(const std::string& attempt) {
  Traffic traffic;
  traffic.get(records + '/' + traffic.service.insertMany(traffic.key, "payment_record", 1).front());
  traffic.alterObjects("payment_record",
                       [&](json::object& record) { record["latest_payment_attempt_record"] = attempt; });
  return traffic.compare();
}

TEST(RecordingComparison, JudgesAnObjectThatARetrieveShowsFirst) {
  EXPECT_THAT(findingsOfARetrieve("att_1").differences(),
              ElementsAre(Field(&Deviation::id, "id_prefix:payment_record.latest_payment_attempt_record")));
}

/// After at most 80 bytes, one of which is the quotation mark, and not within a character.
TEST(RecordingComparison, CutsALongText) {
  std::string attempt;
  for (int n = 0; n < 40; ++n)
    attempt += "é";
  EXPECT_THAT(findingsOfARetrieve(attempt).differences(),
              ElementsAre(Field(&Deviation::text,
                                HasSubstr(" is \"" + attempt.substr(0, 78) + "… instead of \"par_…\""))));
}

TEST(RecordingComparison, NamesNoPathInTheIdentifierOfADifference) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.send(test::get(traffic.key, records + '/' + id), "DELETE");
  traffic.alter([](Recorded&, json::object& body) {
    body.at("error").as_object()["code"] = "path_unknown";
    return true;
  });
  EXPECT_THAT(traffic.differences(), ElementsAre("error.other:method_not_allowed:path_unknown"));
}

TEST(RecordingComparison, FindsNoDifferenceInABurstThatExceedsLimits) {
  Traffic traffic;
  for (int i = 0; i < 3; ++i) {
    std::vector<std::pair<milliseconds, HttpRequest>> burst;
    for (int n = 0; n < 40; ++n)
      burst.emplace_back(3 * n, test::get(traffic.key, n % 2 == 0 ? records : intents));
    traffic.overlap(std::move(burst));
    traffic.pause(milliseconds{300});
  }
  ASSERT_TRUE(
      std::ranges::any_of(traffic.recorded, [](const Recorded& one) { return one.response->status == 429; }));
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, SendsRequestsInTheOrderInWhichTheyStarted) {
  Traffic traffic;
  sendCreations(traffic);
  std::ranges::reverse(traffic.recorded);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// As of a machine whose clock is not set.
TEST(RecordingComparison, SendsRequestsInTheirOrderAlsoBefore1970) {
  Traffic traffic{{.seed = 7, .start = std::chrono::sys_days{std::chrono::year{1960} / 3 / 1}}};
  sendCreations(traffic);
  std::ranges::reverse(traffic.recorded);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsACreationThatTheFakeRefuses) {
  Traffic traffic;
  traffic.post(intents, "amount=1&currency=eur");
  traffic.post(intents, "amount=1&currency=EURO");
  traffic.recorded[1].response = traffic.recorded[0].response;
  EXPECT_THAT(traffic.differences(), ElementsAre("accepted:parameter_invalid:currency"));
}

HttpRequest payoutFor(const Account& account, const std::string& key) {
  HttpRequest acting = test::post(key, "/v1/payouts", "amount=5&currency=usd");
  acting.headers.push_back({"Service-Account", account.id});
  return acting;
}

TEST(RecordingComparison, FindsNoDifferenceInRequestsForAnAccountOlderThanTheRecording) {
  Traffic traffic;
  const Account other = traffic.service.addAccount();
  traffic.service.connections().connect(traffic.account, other);
  for (int n = 0; n < 2; ++n) {
    traffic.send(payoutFor(other, traffic.key));
  }
  EXPECT_EQ(traffic.recorded[1].response->status, 200);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsThatAnOlderAccountOfThePlatformIsRefused) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "account", 1).front();
  traffic.get("/v1/accounts");
  ASSERT_EQ(traffic.send(payoutFor({.id = id}, traffic.key)).status, 200);
  ASSERT_EQ(traffic.send(payoutFor({.id = "acct_none"}, traffic.key)).status, 403);
  traffic.recorded[1].response = traffic.recorded[2].response;
  EXPECT_THAT(traffic.differences(), ElementsAre(StartsWith("refused:payouts.create:")));
}

TEST(RecordingComparison, FindsNoDifferenceInRequestsOfAConnectedAccountInBothModes) {
  Traffic traffic;
  const Account other = traffic.service.addAccount();
  traffic.service.connections().connect(traffic.account, other);
  for (const bool livemode : {false, true}) {
    const std::string payout = test::idIn(
        traffic.send(payoutFor(other, livemode ? traffic.account.liveKey : traffic.account.sandboxKey)));
    const std::string own = livemode ? other.liveKey : other.sandboxKey;
    ASSERT_EQ(traffic.send(test::get(own, "/v1/payouts/" + payout)).status, 200);
  }
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNoDifferenceIfBothModesListTheSameConnectedAccount) {
  Traffic traffic;
  traffic.service.connections().connect(traffic.account, traffic.service.addAccount());
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  for (const std::string& key : {traffic.key, traffic.account.liveKey})
    for (const std::string& path : {std::string{"/v1/accounts"}, records + '/' + id})
      traffic.send(test::get(key, path));
  EXPECT_EQ(traffic.recorded.back().response->status, 404);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

TEST(RecordingComparison, FindsNoDifferenceIfAListFiltersByAnObjectThatNoResponseShows) {
  Traffic traffic;
  const std::string subscription = traffic.service.insertMany(traffic.key, "subscription", 1).front();
  ASSERT_EQ(traffic.get("/v1/invoices?subscription=" + subscription).status, 200);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// An onboarding service creates accounts, and another one of the same platform uses them.
/// The fake looks for the cursor first, and does not know that the service has it.
TEST(RecordingComparison, DoesNotJudgeWhichOfTwoObjectsIsMissingIfNoResponseShowsEither) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "invoice", 1).front();
  const std::string filter = "&subscription=sub_none";
  EXPECT_EQ(traffic.get("/v1/invoices?starting_after=" + id + filter).status, 404);
  EXPECT_EQ(traffic.get("/v1/invoices?starting_after=in_none" + filter).status, 400);
  EXPECT_THAT(traffic.differences(), IsEmpty());
  EXPECT_EQ(traffic.compare().unjudged().size(), 1U);
}

TEST(RecordingComparison, FindsNoDifferenceIfAnAccountIsUsedWithAnotherKeyThanTheOneThatCreatedIt) {
  Traffic traffic;
  const std::string onboarding = traffic.service.tokens().add(traffic.account, false);
  const std::string id = test::idIn(traffic.send(test::post(onboarding, "/v1/accounts", "country=DE")));
  ASSERT_EQ(traffic.send(payoutFor({.id = id}, traffic.key)).status, 200);
  ASSERT_EQ(traffic.send(payoutFor({.id = id}, onboarding)).status, 200);
  EXPECT_THAT(traffic.differences(), IsEmpty());
}

/// Such as those with a key that was revoked during the recording.
TEST(RecordingComparison, DoesNotCountUnauthorizedRequestsAgainstLimits) {
  Traffic traffic;
  traffic.get(records);
  const HttpResponse unauthorized = traffic.send(test::get("sk_test_wrong", records));
  ASSERT_EQ(unauthorized.status, 401);
  traffic.pause();
  std::vector<std::pair<milliseconds, HttpRequest>> burst;
  for (int n = 0; n < 60; ++n)
    burst.emplace_back(2 * n, test::get(traffic.key, records));
  traffic.overlap(std::move(burst));
  for (Recorded& one : traffic.recorded)
    if (one.number > 2) one.response = unauthorized;
  EXPECT_THAT(traffic.differences(), ElementsAre(StartsWith("refused:payment_records.list:")));
}

TEST(RecordingComparison, ReportsTwoDifferencesInOneObject) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alterObjects("payment_record", [](json::object& o) { o.erase("description"); });
  traffic.alter([](Recorded& one, json::object& body) {
    if (one.request.url.find("_canceled") == std::string::npos) return false;
    body["metadata"] = {{"a", ""}};
    return true;
  });
  EXPECT_THAT(traffic.differences(),
              ElementsAre("missing:payment_record.description",
                          "value:payment_records.report_canceled:payment_record.metadata"));
}

TEST(RecordingComparison, ReportsOnlyThatTheFakeAcceptsARefusedRequest) {
  Traffic traffic;
  const std::string id = traffic.service.insertMany(traffic.key, "payment_record", 1).front();
  traffic.get(records + '/' + id);
  traffic.post(report(id, "failed"), "failed_at=1");
  traffic.get(records + '/' + id);
  const std::string original = traffic.recorded[0].response->body;
  traffic.recorded[1].response = HttpResponse{
      .status = 400,
      .headers = traffic.recorded[1].response->headers,
      .body = R"({"error":{"type":"invalid_request_error","code":"too_late","message":"Too late."}})"};
  traffic.recorded[2].response->body = original;
  EXPECT_THAT(traffic.differences(), ElementsAre("refused:payment_records.report_failed:too_late"));
}

TEST(RecordingComparison, CutsLongTextsBetweenCharacters) {
  Traffic traffic;
  traffic.post(intents, "amount=1&currency=eur&description=a");
  traffic.alterObjects("payment_intent", [](json::object& o) {
    std::string text;
    for (int i = 0; i < 50; ++i)
      text += "\u00e4";
    o["description"] = text;
  });
  const auto found = traffic.compare().differences();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_TRUE(tally::detail::isUtf8(found.front().text)) << found.front().text;
}

/// The text of the first difference if the amount of a created payment intent is so.
std::string textIfAmountIs(const std::optional<json::value>& amount) {
  Traffic traffic;
  traffic.post(intents, "amount=1&currency=eur");
  traffic.alterObjects("payment_intent", [&](json::object& intent) {
    amount ? void(intent["amount"] = *amount) : void(intent.erase("amount"));
  });
  return traffic.compare().differences().at(0).text;
}

TEST(RecordingComparison, ShowsBothValuesOfAFieldOnlyIfItsTypeDiffers) {
  EXPECT_EQ(textIfAmountIs("1"),
            "amount of payment_intent is \"1\" instead of 1 in a response of payment_intents.create");
  EXPECT_EQ(textIfAmountIs(std::nullopt),
            "amount of payment_intent is missing in a response of payment_intents.create");
}

TEST(RecordingComparison, FindsAnErrorThatOnlyTheFakeReturns) {
  Traffic traffic;
  traffic.get(records + "?limit=0");
  traffic.get(records);
  traffic.recorded[0].response = traffic.recorded[1].response;
  EXPECT_THAT(traffic.differences(), ElementsAre("accepted:parameter_invalid:limit"));
}

TEST(RecordingComparison, ReportsADifferenceOnceEvenIfAllReadsShowIt) {
  Traffic traffic;
  sendReports(traffic);
  traffic.alterObjects("payment_record", [](json::object& o) { o["livemode"] = true; });
  EXPECT_THAT(traffic.differences(), ElementsAre("value:payment_record.livemode"));
}

}  // namespace

}  // namespace tally::fake::detail
