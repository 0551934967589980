#include "pagination/checkpoint.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>
#include <variant>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally {
namespace {

using detail::Standing;
using test::Harness;
using test::Ids;
using test::queryOf;
using test::walk;

constexpr detail::WalkName walkName{"payment_records.list", 0xC0FFEE};

std::string problemOf(std::string_view text, const detail::WalkName& walk = walkName) {
  const auto read = detail::readCheckpoint(walk, text);
  const auto* problem = std::get_if<std::string>(&read);
  return problem == nullptr ? "" : *problem;
}

TEST(Checkpoint, RoundTrips) {
  for (const Standing& standing :
       {Standing{}, Standing{.ended = true}, Standing{.cursor = "pr_1"},
        Standing{.cursor = "c/1?a=b&c~.%", .behind = std::string{"pr_\n\0\xff", 6}}}) {
    const auto read = detail::readCheckpoint(walkName, writeCheckpoint(walkName, standing));
    ASSERT_TRUE(std::holds_alternative<Standing>(read)) << std::get<std::string>(read);
    EXPECT_EQ(std::get<Standing>(read).ended, standing.ended);
    EXPECT_EQ(std::get<Standing>(read).cursor, standing.cursor);
    EXPECT_EQ(std::get<Standing>(read).behind, standing.behind);
  }
}

TEST(Checkpoint, KeepsItsFormat) {
  EXPECT_EQ(writeCheckpoint(walkName, {.cursor = "c/1", .behind = "pr_1"}),
            "tally1~payment_records.list~00c0ffee~at~c.2f1~pr_1~78f428bb");
}

TEST(Checkpoint, ConsistsOfCharactersThatAreSafeInFilesUrlsAndLogs) {
  std::string all;
  for (int c = 0; c < 256; ++c)
    all += static_cast<char>(c);
  EXPECT_TRUE(std::ranges::all_of(writeCheckpoint(walkName, {.cursor = all, .behind = all}), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view{"-._~"}.find(c) != std::string_view::npos;
  }));
}

TEST(Checkpoint, IsRefusedWhenTruncated) {
  const std::string text = writeCheckpoint(walkName, {.cursor = "pr_1"});
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(problemOf(text.substr(0, length)), "") << text.substr(0, length);
}

TEST(Checkpoint, IsRefusedWhenACharacterChanges) {
  const std::string text = writeCheckpoint(walkName, {.cursor = "pr_1"});
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int change = 1; change < 256; ++change) {
      std::string altered = text;
      altered[at] = static_cast<char>(static_cast<unsigned char>(altered[at]) ^ change);
      EXPECT_NE(problemOf(altered), "") << altered;
    }
}

TEST(Checkpoint, IsRefusedWhenTextFollowsIt) {
  EXPECT_EQ(problemOf(writeCheckpoint(walkName, {}) + "\n"), "is truncated or modified");
}

TEST(Checkpoint, IsRefusedWithAReasonWhenInvalid) {
  const std::string text = writeCheckpoint(walkName, {});
  EXPECT_EQ(problemOf(""), "was not written by this version of tally");
  EXPECT_EQ(problemOf("tally2" + text.substr(6)), "was not written by this version of tally");
  EXPECT_EQ(problemOf(text, {"payouts.list", 0xC0FFEE}),
            "belongs to payment_records.list, not to payouts.list");
  EXPECT_EQ(problemOf(text, {"payment_records.list", 1}),
            "was taken with other parameters or for another account");
}

/// Nine records in three pages, the client that starts, and the one that resumes.
class ResumedIteration : public testing::Test {
 protected:
  using Records = Pager<PaymentRecord>;

  static Records listOf(const Harness& h) { return h.client.paymentRecords().list({.limit = 3}); }
  static Records searchOf(const Harness& h) {
    return h.client.paymentRecords().search({.query = "created>0", .limit = 3});
  }

  /// Advances past `count` objects.
  static std::string checkpointAfter(Records& pager, int count) {
    auto at = pager.begin();
    for (int i = 0; i < count; ++i)
      ++at;
    return pager.checkpoint();
  }

  /// The error that a pager returns instead of its first object. Expects that nothing is sent.
  std::optional<Error> refusalOf(Records pager) {
    const auto walked = walk(pager);
    EXPECT_TRUE(later.transport->requests.empty());
    EXPECT_TRUE(walked.ids.empty());
    return walked.error;
  }

  Harness earlier{};
  Harness later{};
};

TEST_F(ResumedIteration, ContinuesAListAfterTheLastFinishedObject) {
  test::respondWithNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 4);
  later.respond(test::ok(test::pageJson({"pr_5", "pr_4"}, false)));
  EXPECT_EQ(walk(listOf(later).resumeFrom(checkpoint)).ids, (Ids{"pr_5", "pr_4"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_6");
}

TEST_F(ResumedIteration, ContinuesAListTowardsTheNewestObjects) {
  const PaymentRecordListParams params{.endingBefore = "pr_1"};
  earlier.respond(test::ok(test::pageJson({"pr_4", "pr_3", "pr_2"}, true)));
  auto pager = earlier.client.paymentRecords().list(params);
  const std::string checkpoint = checkpointAfter(pager, 2);
  later.respond(test::ok(test::pageJson({"pr_5", "pr_4"}, false)));
  EXPECT_EQ(walk(later.client.paymentRecords().list(params).resumeFrom(checkpoint)).ids,
            (Ids{"pr_4", "pr_5"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "ending_before=pr_3");
}

TEST_F(ResumedIteration, RepeatsAnUnfinishedObject) {
  test::respondWithNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  std::string checkpoint;
  for (auto& record : pager) {
    checkpoint = pager.checkpoint();
    if (record.value().id == "pr_5") break;
  }
  EXPECT_EQ(pager.checkpoint(), checkpoint) << "left by a break";
  later.respond(test::ok(test::pageJson({"pr_5"}, false)));
  (void)walk(listOf(later).resumeFrom(checkpoint));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_6");
}

TEST_F(ResumedIteration, SkipsObjectsThatViewsOrCollectHaveReturned) {
  test::respondWithNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  const auto id = [](auto& record) { return std::move(record.value()).id; };
  for (const auto& taken : pager | std::views::take(2) | std::views::transform(id))
    EXPECT_FALSE(taken.empty());
  const std::string taken = pager.checkpoint();
  EXPECT_TRUE(pager.collect(2));
  const std::string collected = pager.checkpoint();
  for (int i = 0; i < 2; ++i)
    later.respond(test::ok(test::pageJson({}, false)));
  (void)walk(listOf(later).resumeFrom(taken));
  (void)walk(listOf(later).resumeFrom(collected));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_8");
  EXPECT_EQ(queryOf(later.transport->requests.at(1)), "limit=3&starting_after=pr_6");
}

TEST_F(ResumedIteration, StartsFromTheBeginningIfNothingWasConsumed) {
  test::respondWithNineRecords(later, 3);
  EXPECT_EQ(walk(listOf(later).resumeFrom(listOf(earlier).checkpoint())).ids.size(), 9U);
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3");
}

TEST_F(ResumedIteration, StartsAtTheOriginalCursor) {
  const PaymentRecordListParams params{.startingAfter = "pr_7"};
  later.respond(test::ok(test::pageJson({"pr_6"}, false)));
  const std::string checkpoint = earlier.client.paymentRecords().list(params).checkpoint();
  EXPECT_EQ(walk(later.client.paymentRecords().list(params).resumeFrom(checkpoint)).ids, (Ids{"pr_6"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "starting_after=pr_7");
}

TEST_F(ResumedIteration, SendsNothingAtTheEnd) {
  test::respondWithNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  EXPECT_FALSE(refusalOf(listOf(later).resumeFrom(checkpointAfter(pager, 9))));
}

TEST_F(ResumedIteration, ContinuesWithTheLastObject) {
  test::respondWithNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  later.respond(test::ok(test::pageJson({"pr_1"}, false)));
  EXPECT_EQ(walk(listOf(later).resumeFrom(checkpointAfter(pager, 8))).ids, (Ids{"pr_1"}));
}

TEST_F(ResumedIteration, ReturnsNewObjectsAfterAnIterationTowardsTheNewestEnded) {
  const PaymentRecordListParams params{.endingBefore = "pr_1"};
  earlier.respond(test::ok(test::pageJson({"pr_2"}, false)));
  auto pager = earlier.client.paymentRecords().list(params);
  (void)walk(pager);
  later.respond(test::ok(test::pageJson({"pr_3"}, false)));
  EXPECT_EQ(walk(later.client.paymentRecords().list(params).resumeFrom(pager.checkpoint())).ids,
            (Ids{"pr_3"}))
      << "created since";
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "ending_before=pr_2");
}

TEST_F(ResumedIteration, RequestsAFailedPageAgain) {
  test::respondWithNineRecords(earlier, 3);
  earlier.transport->responses[1] = test::refused(500, "api_error");
  auto pager = listOf(earlier);
  EXPECT_TRUE(walk(pager).error);
  later.respond(test::ok(test::pageJson({"pr_6"}, false)));
  EXPECT_EQ(walk(listOf(later).resumeFrom(pager.checkpoint())).ids, (Ids{"pr_6"}));
  EXPECT_EQ(later.transport->requests.at(0).url, earlier.transport->requests.at(1).url);
}

TEST_F(ResumedIteration, ContinuesASearchInTheMiddleOfAPage) {
  test::respondWithNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 4);
  later.respond(test::ok(test::pageJson({"pr_6", "pr_5", "pr_4"}, false)));
  auto resumed = searchOf(later).resumeFrom(checkpoint);
  EXPECT_EQ(resumed.checkpoint(), checkpoint);
  auto at = resumed.begin();
  EXPECT_EQ(at->value().id, "pr_5");
  EXPECT_EQ(resumed.checkpoint(), checkpoint) << "nothing has been consumed yet";
  EXPECT_EQ(walk(resumed).ids, (Ids{"pr_5", "pr_4"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3&page=c%2F9");
}

TEST_F(ResumedIteration, ContinuesASearchBetweenPages) {
  test::respondWithNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 3);
  later.respond(test::ok(test::pageJson({"pr_6"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumeFrom(checkpoint)).ids, (Ids{"pr_6"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3&page=c%2F9");
}

TEST_F(ResumedIteration, RepeatsAPageOfASearchIfTheLastFinishedObjectIsMissing) {
  test::respondWithNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 2);
  later.respond(test::ok(test::pageJson({"pr_7", "pr_6"}, true, R"(,"next_page":"c/x")")));
  later.respond(test::ok(test::pageJson({"pr_5"}, false)));
  auto resumed = searchOf(later).resumeFrom(checkpoint);
  EXPECT_EQ(resumed.begin()->value().id, "pr_7");
  EXPECT_NE(resumed.checkpoint(), checkpoint);
  EXPECT_EQ(walk(resumed).ids, (Ids{"pr_7", "pr_6", "pr_5"})) << "repeated rather than lost";
}

TEST_F(ResumedIteration, ContinuesASearchAfterAPageWithoutNewObjects) {
  test::respondWithNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 2);
  later.respond(test::ok(test::pageJson({"pr_9", "pr_8"}, true, R"(,"next_page":"c/x")")));
  later.respond(test::ok(test::pageJson({"pr_6"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumeFrom(checkpoint)).ids, (Ids{"pr_6"}));
}

TEST_F(ResumedIteration, ContinuesASearchAfterAFinishedPage) {
  test::respondWithNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  later.respond(test::ok(test::pageJson({"pr_9", "pr_8"}, true, R"(,"next_page":"c/x")")));
  later.respond(test::ok(test::pageJson({"pr_6", "pr_5"}, false)));
  auto resumed = searchOf(later).resumeFrom(checkpointAfter(pager, 2));
  ASSERT_TRUE(resumed.collect(1));
  later.respond(test::ok(test::pageJson({"pr_6", "pr_5"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumeFrom(resumed.checkpoint())).ids, (Ids{"pr_5"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(2)), "query=created%3E0&limit=3&page=c%2Fx");
}

TEST_F(ResumedIteration, ContinuesASearchWithSeveralPagesFetchedAhead) {
  test::respondWithNineRecords(earlier, 3, "c/");
  earlier.transport->responses[2] = test::refused(500, "api_error");
  auto pager = searchOf(earlier);
  EXPECT_FALSE(pager.collect(9));
  EXPECT_TRUE(pager.collect(1));
  later.respond(test::ok(test::pageJson({"pr_9", "pr_8"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumeFrom(pager.checkpoint())).ids, (Ids{"pr_8"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3");
  EXPECT_TRUE(pager.collect(3));
  later.respond(test::ok(test::pageJson({"pr_6", "pr_5", "pr_4"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumeFrom(pager.checkpoint())).ids, (Ids{"pr_5", "pr_4"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(1)), "query=created%3E0&limit=3&page=c%2F9");
}

TEST_F(ResumedIteration, ContinuesASearchWithinTheFirstOfSeveralPagesFetchedAhead) {
  test::respondWithNineRecords(earlier, 3, "c/");
  earlier.transport->responses[2] = test::refused(500, "api_error");
  auto pager = searchOf(earlier);
  ASSERT_TRUE(pager.collect(1));
  EXPECT_FALSE(pager.collect(9));
  later.respond(test::ok(test::pageJson({"pr_9", "pr_8", "pr_7"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumeFrom(pager.checkpoint())).ids, (Ids{"pr_8", "pr_7"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3");
}

TEST_F(ResumedIteration, LosesNoObjectsWhenOneAppearsAgain) {
  test::respondWithNineRecords(earlier, 3, "c/");
  earlier.transport->responses[1] = test::ok(test::pageJson({"pr_6", "pr_9", "pr_5"}, false));
  auto pager = searchOf(earlier);
  ASSERT_TRUE(pager.collect(1));
  const auto rest = pager.collect(9);
  Ids ids;
  for (const PaymentRecord& record : rest.value())
    ids.push_back(record.id.str());
  EXPECT_EQ(ids, (Ids{"pr_8", "pr_7", "pr_6", "pr_9", "pr_5"}));
}

TEST_F(ResumedIteration, ContinuesPageByPageAfterAnIterationOverObjects) {
  test::respondWithNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  later.respond(test::ok(test::pageJson({"pr_5"}, false)));
  auto pages = listOf(later).resumeFrom(checkpointAfter(pager, 4)).pages();
  EXPECT_EQ(pages.begin()->value().data.size(), 1U);
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_6");
}

TEST_F(ResumedIteration, TreatsAPageAsFinishedOnceTheLoopAdvances) {
  test::respondWithNineRecords(earlier, 3);
  auto pages = listOf(earlier).pages();
  auto at = pages.begin();
  const std::string first = pages.checkpoint();
  EXPECT_EQ(at->value().data.size(), 3U);
  EXPECT_EQ(pages.checkpoint(), first);
  at->value() = {};
  ++at;
  const std::string second = pages.checkpoint();
  EXPECT_EQ(at->value().data.front().id, "pr_6");
  EXPECT_EQ(pages.checkpoint(), second);
  for (int i = 0; i < 2; ++i)
    later.respond(test::ok(test::pageJson({}, false)));
  (void)walk(listOf(later).resumeFrom(first));
  (void)walk(listOf(later).resumeFrom(second));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3");
  EXPECT_EQ(queryOf(later.transport->requests.at(1)), "limit=3&starting_after=pr_7");
}

TEST_F(ResumedIteration, OmitsFinishedObjectsFromPagesOfASearch) {
  test::respondWithNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  later.respond(test::ok(test::pageJson({"pr_6", "pr_5", "pr_4"}, false)));
  auto pages = searchOf(later).resumeFrom(checkpointAfter(pager, 4)).pages();
  EXPECT_EQ(pages.begin()->value().data.size(), 2U);
}

TEST_F(ResumedIteration, AllowsADifferentPageSizeInAList) {
  const std::string checkpoint = listOf(earlier).checkpoint();
  later.respond(test::ok(test::pageJson({"pr_1"}, false)));
  EXPECT_FALSE(walk(later.client.paymentRecords().list({.limit = 100}).resumeFrom(checkpoint)).error);
}

TEST_F(ResumedIteration, IsRefusedWhenTheParametersDiffer) {
  const std::string list = listOf(earlier).checkpoint();
  const std::string search = searchOf(earlier).checkpoint();
  const PaymentRecords records = later.client.paymentRecords();
  const RequestOptions other{.connectedAccount = "acct_1"};
  for (auto refused : {refusalOf(records.list({.startingAfter = "pr_1"}).resumeFrom(list)),
                       refusalOf(records.list({.endingBefore = "pr_1"}).resumeFrom(list)),
                       refusalOf(records.list({}, other).resumeFrom(list)),
                       refusalOf(records.search({.query = "created>1", .limit = 3}).resumeFrom(search)),
                       refusalOf(records.search({.query = "created>0", .limit = 4}).resumeFrom(search)),
                       refusalOf(records.search({.query = "created>0"}).resumeFrom(list))}) {
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(refused->param(), "checkpoint");
    EXPECT_EQ(refused->attemptCount(), 0);
  }
  EXPECT_TRUE(walk(later.client.payouts().list().resumeFrom(list)).error);
}

TEST_F(ResumedIteration, IsRefusedWhenAHeaderNamesAnotherAccount) {
  const PaymentRecords records = later.client.paymentRecords();
  const std::string checkpoint =
      earlier.client.paymentRecords().list({}, {.headers = {{"Service-Account", "acct_1"}}}).checkpoint();
  for (const RequestOptions& other :
       {RequestOptions{}, RequestOptions{.headers = {{"Service-Account", "acct_2"}}},
        RequestOptions{.connectedAccount = "acct_1", .headers = {{"service-account", "acct_2"}}}}) {
    const auto refused = refusalOf(records.list({}, other).resumeFrom(checkpoint));
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(refused->param(), "checkpoint");
  }
}

TEST_F(ResumedIteration, ContinuesWhetherAnOptionOrAHeaderNamesTheAccount) {
  const std::string checkpoint =
      earlier.client.paymentRecords().list({}, {.connectedAccount = "acct_1"}).checkpoint();
  later.respond(test::ok(test::pageJson({"pr_1"}, false)));
  const auto walked = walk(later.client.paymentRecords()
                               .list({}, {.headers = {{"Service-Account", "acct_1"}}})
                               .resumeFrom(checkpoint));
  EXPECT_EQ(walked.ids, (Ids{"pr_1"}));
}

TEST_F(ResumedIteration, RefusesTextThatIsNotACheckpoint) {
  auto pager = listOf(later).resumeFrom("pr_1");
  EXPECT_TRUE(walk(pager).error);
  EXPECT_EQ(walk(pager).error->message(), "checkpoint was not written by this version of tally");
  EXPECT_FALSE(pager.collect(1));
  EXPECT_EQ(pager.checkpoint(), "pr_1") << "otherwise, the initial checkpoint would overwrite a file";
  auto pages = listOf(later).resumeFrom("pr_1").pages();
  EXPECT_FALSE(*pages.begin());
  EXPECT_TRUE(later.transport->requests.empty());
}

TEST_F(ResumedIteration, ReportsAnInvalidParameterEvenAtTheEnd) {
  test::respondWithNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  const std::string end = checkpointAfter(pager, 9);
  const auto refused = refusalOf(later.client.paymentRecords().list({.limit = 0}).resumeFrom(end));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->param(), "limit");
}

TEST_F(ResumedIteration, LeavesKeysAndParametersOutOfTheCheckpoint) {
  Harness h{{.apiKey = "sk_test_secret"}};
  const std::string checkpoint =
      h.client.paymentRecords().search({.query = "secret"}, {.connectedAccount = "acct_secret"}).checkpoint();
  EXPECT_EQ(checkpoint.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace tally
