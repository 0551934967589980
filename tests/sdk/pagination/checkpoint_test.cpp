#include "pagination/checkpoint.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>
#include <variant>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/walks.h"

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

TEST(Checkpoint, ReadsAsItWasWritten) {
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

TEST(Checkpoint, IsSafeInAFileAUrlAndALog) {
  std::string all;
  for (int c = 0; c < 256; ++c)
    all += static_cast<char>(c);
  EXPECT_TRUE(std::ranges::all_of(writeCheckpoint(walkName, {.cursor = all, .behind = all}), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view{"-._~"}.find(c) != std::string_view::npos;
  }));
}

TEST(Checkpoint, IsRefusedWhereItIsCutShort) {
  const std::string text = writeCheckpoint(walkName, {.cursor = "pr_1"});
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(problemOf(text.substr(0, length)), "") << text.substr(0, length);
}

TEST(Checkpoint, IsRefusedWhereACharacterIsAnother) {
  const std::string text = writeCheckpoint(walkName, {.cursor = "pr_1"});
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int change = 1; change < 256; ++change) {
      std::string altered = text;
      altered[at] = static_cast<char>(static_cast<unsigned char>(altered[at]) ^ change);
      EXPECT_NE(problemOf(altered), "") << altered;
    }
}

TEST(Checkpoint, IsRefusedWithMoreBehindIt) {
  EXPECT_EQ(problemOf(writeCheckpoint(walkName, {}) + "\n"), "is cut short or altered");
}

TEST(Checkpoint, SaysWhatIsWrong) {
  const std::string text = writeCheckpoint(walkName, {});
  EXPECT_EQ(problemOf(""), "is none that this version of tally has written");
  EXPECT_EQ(problemOf("tally2" + text.substr(6)), "is none that this version of tally has written");
  EXPECT_EQ(problemOf(text, {"payouts.list", 0xC0FFEE}),
            "is one of payment_records.list, not of payouts.list");
  EXPECT_EQ(problemOf(text, {"payment_records.list", 1}),
            "was taken with other parameters, or for another account");
}

/// Nine records in three pages; and who goes on.
class Resuming : public testing::Test {
 protected:
  using Records = Pager<PaymentRecord>;

  static Records listOf(const Harness& h) { return h.client.paymentRecords().list({.limit = 3}); }
  static Records searchOf(const Harness& h) {
    return h.client.paymentRecords().search({.query = "created>0", .limit = 3});
  }

  /// Moves on behind so many objects.
  static std::string checkpointAfter(Records& pager, int count) {
    auto at = pager.begin();
    for (int i = 0; i < count; ++i)
      ++at;
    return pager.checkpoint();
  }

  /// The error that a pager gives in the place of its first object. Nothing may be sent.
  std::optional<Error> refusalOf(Records pager) {
    const auto walked = walk(pager);
    EXPECT_TRUE(later.transport->requests.empty());
    EXPECT_TRUE(walked.ids.empty());
    return walked.error;
  }

  Harness earlier{};
  Harness later{};
};

TEST_F(Resuming, AListBehindTheObjectThatWasFinishedLast) {
  test::answerNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 4);
  later.answer(test::ok(test::pageJson({"pr_5", "pr_4"}, false)));
  EXPECT_EQ(walk(listOf(later).resumedAt(checkpoint)).ids, (Ids{"pr_5", "pr_4"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_6");
}

TEST_F(Resuming, AListTowardsTheNewest) {
  const PaymentRecordListParams params{.endingBefore = "pr_1"};
  earlier.answer(test::ok(test::pageJson({"pr_4", "pr_3", "pr_2"}, true)));
  auto pager = earlier.client.paymentRecords().list(params);
  const std::string checkpoint = checkpointAfter(pager, 2);
  later.answer(test::ok(test::pageJson({"pr_5", "pr_4"}, false)));
  EXPECT_EQ(walk(later.client.paymentRecords().list(params).resumedAt(checkpoint)).ids,
            (Ids{"pr_4", "pr_5"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "ending_before=pr_3");
}

TEST_F(Resuming, TheObjectOfThisTurnIsNotFinished) {
  test::answerNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  std::string checkpoint;
  for (auto& record : pager) {
    checkpoint = pager.checkpoint();
    if (record.value().id == "pr_5") break;
  }
  EXPECT_EQ(pager.checkpoint(), checkpoint) << "left by a break";
  later.answer(test::ok(test::pageJson({"pr_5"}, false)));
  (void)walk(listOf(later).resumedAt(checkpoint));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_6");
}

TEST_F(Resuming, WhatIsTakenByAViewOrCollectedIsFinished) {
  test::answerNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  const auto id = [](auto& record) { return std::move(record.value()).id; };
  for (const auto& taken : pager | std::views::take(2) | std::views::transform(id))
    EXPECT_FALSE(taken.empty());
  const std::string taken = pager.checkpoint();
  EXPECT_TRUE(pager.collect(2));
  const std::string collected = pager.checkpoint();
  for (int i = 0; i < 2; ++i)
    later.answer(test::ok(test::pageJson({}, false)));
  (void)walk(listOf(later).resumedAt(taken));
  (void)walk(listOf(later).resumedAt(collected));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_8");
  EXPECT_EQ(queryOf(later.transport->requests.at(1)), "limit=3&starting_after=pr_6");
}

TEST_F(Resuming, BeforeTheFirstObject) {
  test::answerNineRecords(later, 3);
  EXPECT_EQ(walk(listOf(later).resumedAt(listOf(earlier).checkpoint())).ids.size(), 9U);
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3");
}

TEST_F(Resuming, BehindTheCursorThatItBeganWith) {
  const PaymentRecordListParams params{.startingAfter = "pr_7"};
  later.answer(test::ok(test::pageJson({"pr_6"}, false)));
  const std::string checkpoint = earlier.client.paymentRecords().list(params).checkpoint();
  EXPECT_EQ(walk(later.client.paymentRecords().list(params).resumedAt(checkpoint)).ids, (Ids{"pr_6"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "starting_after=pr_7");
}

TEST_F(Resuming, AtTheEndSendsNothing) {
  test::answerNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  EXPECT_FALSE(refusalOf(listOf(later).resumedAt(checkpointAfter(pager, 9))));
}

TEST_F(Resuming, BeforeTheLastObjectIsNotYetTheEnd) {
  test::answerNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  later.answer(test::ok(test::pageJson({"pr_1"}, false)));
  EXPECT_EQ(walk(listOf(later).resumedAt(checkpointAfter(pager, 8))).ids, (Ids{"pr_1"}));
}

TEST_F(Resuming, TowardsTheNewestThereIsNoEnd) {
  const PaymentRecordListParams params{.endingBefore = "pr_1"};
  earlier.answer(test::ok(test::pageJson({"pr_2"}, false)));
  auto pager = earlier.client.paymentRecords().list(params);
  (void)walk(pager);
  later.answer(test::ok(test::pageJson({"pr_3"}, false)));
  EXPECT_EQ(walk(later.client.paymentRecords().list(params).resumedAt(pager.checkpoint())).ids, (Ids{"pr_3"}))
      << "which has come since";
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "ending_before=pr_2");
}

TEST_F(Resuming, AfterAnErrorThePageIsAskedForAgain) {
  test::answerNineRecords(earlier, 3);
  earlier.transport->answers[1] = test::refused(500, "api_error");
  auto pager = listOf(earlier);
  EXPECT_TRUE(walk(pager).error);
  later.answer(test::ok(test::pageJson({"pr_6"}, false)));
  EXPECT_EQ(walk(listOf(later).resumedAt(pager.checkpoint())).ids, (Ids{"pr_6"}));
  EXPECT_EQ(later.transport->requests.at(0).url, earlier.transport->requests.at(1).url);
}

TEST_F(Resuming, ASearchInTheMiddleOfAPage) {
  test::answerNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 4);
  later.answer(test::ok(test::pageJson({"pr_6", "pr_5", "pr_4"}, false)));
  auto resumed = searchOf(later).resumedAt(checkpoint);
  EXPECT_EQ(resumed.checkpoint(), checkpoint);
  auto at = resumed.begin();
  EXPECT_EQ(at->value().id, "pr_5");
  EXPECT_EQ(resumed.checkpoint(), checkpoint) << "nothing is finished yet";
  EXPECT_EQ(walk(resumed).ids, (Ids{"pr_5", "pr_4"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3&page=c%2F9");
}

TEST_F(Resuming, ASearchBetweenPages) {
  test::answerNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 3);
  later.answer(test::ok(test::pageJson({"pr_6"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumedAt(checkpoint)).ids, (Ids{"pr_6"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3&page=c%2F9");
}

TEST_F(Resuming, ASearchWhoseLastObjectIsGoneShowsAllOfThePage) {
  test::answerNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 2);
  later.answer(test::ok(test::pageJson({"pr_7", "pr_6"}, true, R"(,"next_page":"c/x")")));
  later.answer(test::ok(test::pageJson({"pr_5"}, false)));
  auto resumed = searchOf(later).resumedAt(checkpoint);
  EXPECT_EQ(resumed.begin()->value().id, "pr_7");
  EXPECT_NE(resumed.checkpoint(), checkpoint);
  EXPECT_EQ(walk(resumed).ids, (Ids{"pr_7", "pr_6", "pr_5"})) << "better twice than never";
}

TEST_F(Resuming, ASearchWhosePageHasNothingElseGoesOn) {
  test::answerNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  const std::string checkpoint = checkpointAfter(pager, 2);
  later.answer(test::ok(test::pageJson({"pr_9", "pr_8"}, true, R"(,"next_page":"c/x")")));
  later.answer(test::ok(test::pageJson({"pr_6"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumedAt(checkpoint)).ids, (Ids{"pr_6"}));
}

TEST_F(Resuming, ASearchBehindAPageThatHadNothingElse) {
  test::answerNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  later.answer(test::ok(test::pageJson({"pr_9", "pr_8"}, true, R"(,"next_page":"c/x")")));
  later.answer(test::ok(test::pageJson({"pr_6", "pr_5"}, false)));
  auto resumed = searchOf(later).resumedAt(checkpointAfter(pager, 2));
  ASSERT_TRUE(resumed.collect(1));
  later.answer(test::ok(test::pageJson({"pr_6", "pr_5"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumedAt(resumed.checkpoint())).ids, (Ids{"pr_5"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(2)), "query=created%3E0&limit=3&page=c%2Fx");
}

TEST_F(Resuming, ASearchOfWhichMorePagesAreHeldThanOne) {
  test::answerNineRecords(earlier, 3, "c/");
  earlier.transport->answers[2] = test::refused(500, "api_error");
  auto pager = searchOf(earlier);
  EXPECT_FALSE(pager.collect(9));
  EXPECT_TRUE(pager.collect(1));
  later.answer(test::ok(test::pageJson({"pr_9", "pr_8"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumedAt(pager.checkpoint())).ids, (Ids{"pr_8"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3");
  EXPECT_TRUE(pager.collect(3));
  later.answer(test::ok(test::pageJson({"pr_6", "pr_5", "pr_4"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumedAt(pager.checkpoint())).ids, (Ids{"pr_5", "pr_4"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(1)), "query=created%3E0&limit=3&page=c%2F9");
}

TEST_F(Resuming, ASearchInTheMiddleOfAPageBehindWhichMoreAreHeld) {
  test::answerNineRecords(earlier, 3, "c/");
  earlier.transport->answers[2] = test::refused(500, "api_error");
  auto pager = searchOf(earlier);
  ASSERT_TRUE(pager.collect(1));
  EXPECT_FALSE(pager.collect(9));
  later.answer(test::ok(test::pageJson({"pr_9", "pr_8", "pr_7"}, false)));
  EXPECT_EQ(walk(searchOf(later).resumedAt(pager.checkpoint())).ids, (Ids{"pr_8", "pr_7"}));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "query=created%3E0&limit=3");
}

TEST_F(Resuming, AnObjectThatComesAgainInALaterPageTakesNothingWithIt) {
  test::answerNineRecords(earlier, 3, "c/");
  earlier.transport->answers[1] = test::ok(test::pageJson({"pr_6", "pr_9", "pr_5"}, false));
  auto pager = searchOf(earlier);
  ASSERT_TRUE(pager.collect(1));
  const auto rest = pager.collect(9);
  Ids ids;
  for (const PaymentRecord& record : rest.value())
    ids.push_back(record.id.str());
  EXPECT_EQ(ids, (Ids{"pr_8", "pr_7", "pr_6", "pr_9", "pr_5"}));
}

TEST_F(Resuming, PagesGoOnWhereObjectsStopped) {
  test::answerNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  later.answer(test::ok(test::pageJson({"pr_5"}, false)));
  auto pages = listOf(later).resumedAt(checkpointAfter(pager, 4)).pages();
  EXPECT_EQ(pages.begin()->value().data.size(), 1U);
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3&starting_after=pr_6");
}

TEST_F(Resuming, APageIsFinishedWhenTheLoopMovesOn) {
  test::answerNineRecords(earlier, 3);
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
    later.answer(test::ok(test::pageJson({}, false)));
  (void)walk(listOf(later).resumedAt(first));
  (void)walk(listOf(later).resumedAt(second));
  EXPECT_EQ(queryOf(later.transport->requests.at(0)), "limit=3");
  EXPECT_EQ(queryOf(later.transport->requests.at(1)), "limit=3&starting_after=pr_7");
}

TEST_F(Resuming, PagesOfASearchLeaveOutWhatWasFinished) {
  test::answerNineRecords(earlier, 3, "c/");
  auto pager = searchOf(earlier);
  later.answer(test::ok(test::pageJson({"pr_6", "pr_5", "pr_4"}, false)));
  auto pages = searchOf(later).resumedAt(checkpointAfter(pager, 4)).pages();
  EXPECT_EQ(pages.begin()->value().data.size(), 2U);
}

TEST_F(Resuming, AListMayAskForPagesOfAnotherSize) {
  const std::string checkpoint = listOf(earlier).checkpoint();
  later.answer(test::ok(test::pageJson({"pr_1"}, false)));
  EXPECT_FALSE(walk(later.client.paymentRecords().list({.limit = 100}).resumedAt(checkpoint)).error);
}

TEST_F(Resuming, IsRefusedWithOtherParameters) {
  const std::string list = listOf(earlier).checkpoint();
  const std::string search = searchOf(earlier).checkpoint();
  const PaymentRecords records = later.client.paymentRecords();
  const RequestOptions other{.connectedAccount = "acct_1"};
  for (auto refused : {refusalOf(records.list({.startingAfter = "pr_1"}).resumedAt(list)),
                       refusalOf(records.list({.endingBefore = "pr_1"}).resumedAt(list)),
                       refusalOf(records.list({}, other).resumedAt(list)),
                       refusalOf(records.search({.query = "created>1", .limit = 3}).resumedAt(search)),
                       refusalOf(records.search({.query = "created>0", .limit = 4}).resumedAt(search)),
                       refusalOf(records.search({.query = "created>0"}).resumedAt(list))}) {
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->kind(), ErrorKind::invalidParameter);
    EXPECT_EQ(refused->param(), "checkpoint");
    EXPECT_EQ(refused->attempts(), 0);
  }
  EXPECT_TRUE(walk(later.client.payouts().list().resumedAt(list)).error);
}

TEST_F(Resuming, AtSomethingElseIsAnErrorWhoeverAsks) {
  auto pager = listOf(later).resumedAt("pr_1");
  EXPECT_TRUE(walk(pager).error);
  EXPECT_EQ(walk(pager).error->message(), "checkpoint is none that this version of tally has written");
  EXPECT_FALSE(pager.collect(1));
  EXPECT_EQ(pager.checkpoint(), "pr_1") << "or a file would be overwritten with the beginning";
  auto pages = listOf(later).resumedAt("pr_1").pages();
  EXPECT_FALSE(*pages.begin());
  EXPECT_TRUE(later.transport->requests.empty());
}

TEST_F(Resuming, AFaultInTheParametersComesFirst) {
  test::answerNineRecords(earlier, 3);
  auto pager = listOf(earlier);
  const std::string end = checkpointAfter(pager, 9);
  const auto refused = refusalOf(later.client.paymentRecords().list({.limit = 0}).resumedAt(end));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->param(), "limit");
}

TEST_F(Resuming, HoldsNoKeyAndNoParameter) {
  Harness h{{.key = "sk_test_secret"}};
  const std::string checkpoint =
      h.client.paymentRecords().search({.query = "secret"}, {.connectedAccount = "acct_secret"}).checkpoint();
  EXPECT_EQ(checkpoint.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace tally
