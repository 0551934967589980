// Prefetching with an in-process transport: in one thread, in a fixed order.

#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally {
namespace {

using test::Harness;
using test::Ids;
using test::ok;
using test::pageJson;
using test::queryOf;
using test::respondWithNineRecords;
using test::walk;

const Ids nineIds{"pr_9", "pr_8", "pr_7", "pr_6", "pr_5", "pr_4", "pr_3", "pr_2", "pr_1"};

class Prefetch : public testing::Test {
 protected:
  [[nodiscard]] Pager<PaymentRecord> list() const {
    return h.client.paymentRecords().list({.limit = 3}).prefetch();
  }

  [[nodiscard]] Ids queries() const {
    Ids queries;
    for (const HttpRequest& request : h.transport->requests)
      queries.push_back(queryOf(request));
    return queries;
  }

  [[nodiscard]] std::size_t requests() const { return h.transport->requests.size(); }

  Harness h;
};

TEST_F(Prefetch, SendsNothingBeforeTheFirstAccess) {
  auto pager = list();
  (void)pager.begin();
  EXPECT_EQ(requests(), 0U);
}

TEST_F(Prefetch, RequestsOnePageAhead) {
  respondWithNineRecords(h, 3);
  auto pager = list();
  std::vector<std::size_t> sent;
  for (auto& record : pager) {
    ASSERT_TRUE(record) << record.error();
    sent.push_back(requests());
  }
  EXPECT_EQ(sent, (std::vector<std::size_t>{2, 2, 2, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(queries(), (Ids{"limit=3", "limit=3&starting_after=pr_7", "limit=3&starting_after=pr_4"}));
}

TEST_F(Prefetch, FollowsTheNextPageCursorInASearch) {
  respondWithNineRecords(h, 4, "c/");
  auto found = h.client.paymentRecords().search({.query = "x"}).prefetch();
  EXPECT_EQ(found.begin()->value().id, "pr_9");
  EXPECT_EQ(queries(), (Ids{"query=x", "query=x&page=c%2F9"}));
  EXPECT_EQ(walk(found).ids, nineIds);
  EXPECT_EQ(requests(), 3U);
}

TEST_F(Prefetch, IsDisabledTowardsTheNewestObjects) {
  h.respond(ok(pageJson({"pr_3", "pr_2"}, true)));
  h.respond(ok(pageJson({"pr_5", "pr_4"}, false)));
  auto pager = h.client.paymentRecords().list({.endingBefore = "pr_1"}).prefetch();
  EXPECT_EQ(pager.begin()->value().id, "pr_2");
  EXPECT_EQ(requests(), 1U);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_2", "pr_3", "pr_4", "pr_5"}));
}

TEST_F(Prefetch, RequestsOnePageAheadOfALoopOverPages) {
  respondWithNineRecords(h, 3);
  std::vector<std::size_t> sent;
  for (auto& page : list().pages()) {
    ASSERT_TRUE(page) << page.error();
    EXPECT_EQ(page.value().data.size(), 3U);
    sent.push_back(requests());
  }
  EXPECT_EQ(sent, (std::vector<std::size_t>{2, 3, 3}));
}

TEST_F(Prefetch, RequestsOnePageAheadOfCollect) {
  respondWithNineRecords(h, 3);
  auto pager = list();
  EXPECT_EQ(pager.collect(4).value().size(), 4U);
  EXPECT_EQ(requests(), 3U);
  EXPECT_EQ(pager.collect(9).value().size(), 5U);
}

TEST_F(Prefetch, CanPrecedeOrFollowResumeFrom) {
  respondWithNineRecords(h, 3);
  auto first = list();
  (void)first.collect(3);
  const std::string checkpoint = first.checkpoint();
  for (const bool aheadFirst : {true, false}) {
    h.transport->requests.clear();
    h.transport->responses.clear();
    h.respond(ok(pageJson({"pr_6"}, true)));
    h.respond(ok(pageJson({"pr_5"}, false)));
    auto plain = h.client.paymentRecords().list({.limit = 3});
    auto second = aheadFirst ? std::move(plain).prefetch().resumeFrom(checkpoint)
                             : std::move(plain).resumeFrom(checkpoint).prefetch();
    EXPECT_EQ(second.begin()->value().id, "pr_6");
    EXPECT_EQ(queries(), (Ids{"limit=3&starting_after=pr_7", "limit=3&starting_after=pr_6"}));
  }
}

TEST_F(Prefetch, SendsNothingWhenResumedFromACheckpointAtTheEnd) {
  respondWithNineRecords(h, 9);
  auto whole = list();
  (void)walk(whole);
  h.transport->requests.clear();
  EXPECT_TRUE(walk(list().resumeFrom(whole.checkpoint())).ids.empty());
  EXPECT_EQ(requests(), 0U);
}

TEST_F(Prefetch, CostsOneExtraRequestWhenTheLoopEndsEarly) {
  respondWithNineRecords(h, 3);
  EXPECT_EQ(walk(list() | std::views::take(3)).ids, (Ids{"pr_9", "pr_8", "pr_7"}));
  EXPECT_EQ(requests(), 2U);
  EXPECT_EQ(h.client.readsUsed().own, 2);
}

TEST_F(Prefetch, SendsNothingForBadParameters) {
  const auto walked = walk(h.client.paymentRecords().list({.limit = 0}).prefetch());
  EXPECT_EQ(walked.error->param(), "limit");
  EXPECT_EQ(requests(), 0U);
}

TEST_F(Prefetch, DeliversAnErrorInPlaceOfAPage) {
  h.respond(ok(pageJson({"pr_3", "pr_2"}, true)));
  h.respond(test::refused(500, "api_error"));
  h.respond(ok(pageJson({"pr_1"}, false)));
  auto pager = list();
  EXPECT_EQ(pager.begin()->value().id, "pr_3");
  EXPECT_EQ(requests(), 2U);
  const auto walked = walk(pager);
  EXPECT_EQ(walked.ids, (Ids{"pr_3", "pr_2"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::server);
  EXPECT_EQ(walked.error->attemptCount(), 1);
  EXPECT_EQ(requests(), 2U);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_1"}));
  EXPECT_EQ(queries()[1], queries()[2]);
}

TEST_F(Prefetch, ResumesAfterAnError) {
  h.respond(test::refused(500, "api_error"));
  respondWithNineRecords(h, 3);
  auto pager = list();
  EXPECT_TRUE(walk(pager).error);
  EXPECT_EQ(pager.begin()->value().id, "pr_9");
  EXPECT_EQ(requests(), 3U);
  EXPECT_EQ(walk(pager).ids, nineIds);
}

TEST_F(Prefetch, RetriesARequestWhoseResponseIsLost) {
  Harness retrying{{.maxNetworkRetries = 1}};
  retrying.respond(ok(pageJson({"pr_2"}, true)));
  retrying.respond(test::lostResponse());
  retrying.respond(ok(pageJson({"pr_1"}, false)));
  auto pager = retrying.client.paymentRecords().list().prefetch();
  EXPECT_EQ(pager.begin()->value().id, "pr_2");
  EXPECT_EQ(retrying.clock->sleeps.size(), 1U);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_2", "pr_1"}));
}

TEST_F(Prefetch, DeliversAPageWithItsAttempts) {
  h.respond(ok(pageJson({"pr_2"}, true)));
  h.respond(test::refused(500, "api_error"));
  std::vector<Attempt> attempts;
  auto pager = h.client.paymentRecords().list({}, {.attempts = &attempts}).prefetch();
  EXPECT_EQ(pager.begin()->value().id, "pr_2");
  ASSERT_EQ(attempts.size(), 1U);
  EXPECT_EQ(attempts[0].status, 200);
  EXPECT_EQ(walk(pager).error->attempts().size(), 1U);
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_EQ(attempts[1].status, 500);
}

TEST_F(Prefetch, EndsWhenStoppedEvenIfAPageHasBeenPrefetched) {
  respondWithNineRecords(h, 3);
  std::stop_source source;
  auto pager = h.client.paymentRecords().list({}, {.stop = source.get_token()}).prefetch();
  (void)pager.collect(3);
  EXPECT_EQ(requests(), 2U);
  source.request_stop();
  EXPECT_EQ(pager.collect(1).error().kind(), ErrorKind::canceled);
  EXPECT_EQ(requests(), 2U);
}

TEST_F(Prefetch, CancelsTheRequestForTheNextPageWhenStopped) {
  respondWithNineRecords(h, 3);
  std::stop_source source;
  auto pager = h.client.paymentRecords().list({}, {.stop = source.get_token()}).prefetch();
  h.transport->onSend = [&] {
    if (requests() == 2) source.request_stop();
  };
  EXPECT_EQ(pager.begin()->value().id, "pr_9");
  EXPECT_TRUE(h.transport->limits[1].stop.stop_requested());
}

/// A page with another array after its objects.
std::string misleading(const Ids& ids, bool hasMore) {
  const std::string related = R"("related":[)" + test::recordJson("pr_77") + "],";
  std::string body = pageJson(ids, hasMore);
  return body.insert(body.find(R"("has_more")"), related);
}

TEST_F(Prefetch, RequestsTheCorrectPageAfterAWrongGuess) {
  h.respond(ok(misleading({"pr_4"}, true)));
  h.respond(ok(pageJson({"pr_76"}, true)));
  h.respond(ok(pageJson({"pr_3"}, true)));
  h.respond(ok(pageJson({"pr_2"}, true)));
  h.respond(ok(pageJson({"pr_1"}, false)));
  auto pager = list();
  EXPECT_EQ(walk(pager | std::views::take(3)).ids, (Ids{"pr_4", "pr_3", "pr_2"}));
  EXPECT_EQ(queries(), (Ids{"limit=3", "limit=3&starting_after=pr_77", "limit=3&starting_after=pr_4",
                            "limit=3&starting_after=pr_3"}))
      << "and no other page is prefetched";
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_1"}));
}

TEST_F(Prefetch, StopsAtTheLastPage) {
  h.respond(ok(misleading({"pr_3"}, false)));
  EXPECT_EQ(walk(list()).ids, (Ids{"pr_3"}));
  EXPECT_EQ(requests(), 1U);
}

TEST_F(Prefetch, RequestsTheNextPageOnDemandWhenTheEndOfAPageIsUnreadable) {
  h.respond(ok(pageJson({"pr_2"}, true, R"(,"related":[1])")));
  h.respond(ok(pageJson({"pr_1"}, false)));
  auto pager = list();
  EXPECT_EQ(pager.begin()->value().id, "pr_2");
  EXPECT_EQ(requests(), 1U);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_2", "pr_1"}));
}

/// A page that breaks off in its second object.
std::string garbled(const Ids& ids) {
  std::string body = pageJson(ids, true);
  const std::string created = R"("created":17)";
  return body.replace(body.find(created, body.find(ids[1])), created.size(), R"("created":xx)");
}

TEST_F(Prefetch, RequestsAnUnreadablePageOnceMore) {
  h.respond(ok(pageJson({"pr_9", "pr_8", "pr_7"}, true)));
  h.respond(ok(garbled({"pr_6", "pr_5", "pr_4"})));
  h.respond(ok(pageJson({"pr_3", "pr_2"}, true)));
  h.respond(ok(pageJson({"pr_6", "pr_5", "pr_4"}, true)));
  h.respond(ok(pageJson({"pr_1"}, false)));
  EXPECT_EQ(walk(list()).ids, nineIds);
  EXPECT_EQ(queries(), (Ids{"limit=3", "limit=3&starting_after=pr_7", "limit=3&starting_after=pr_4",
                            "limit=3&starting_after=pr_7", "limit=3&starting_after=pr_2"}));
}

TEST_F(Prefetch, DeliversTheErrorOfAPageThatStaysUnreadable) {
  h.respond(ok(garbled({"pr_4", "pr_3", "pr_2"})));
  h.respond(ok(pageJson({"pr_1"}, false)));
  h.respond(ok(garbled({"pr_4", "pr_3", "pr_2"})));
  auto pager = list();
  const auto walked = walk(pager);
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::malformedResponse);
  EXPECT_TRUE(walked.ids.empty());
  h.respond(ok(pageJson({"pr_4", "pr_3"}, false)));
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_4", "pr_3"}));
}

TEST_F(Prefetch, FailsWhenPagesRepeat) {
  h.respond(ok(pageJson({"pr_2"}, true)));
  h.respond(ok(pageJson({"pr_3"}, true)));
  for (int i = 0; i < 3; ++i)
    h.respond(ok(pageJson({"pr_2"}, true)));
  const auto walked = walk(list());
  EXPECT_EQ(walked.ids, (Ids{"pr_2", "pr_3"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
}

TEST_F(Prefetch, FailsOnAnEmptyPageWithHasMoreSet) {
  h.respond(ok(pageJson({}, true)));
  h.respond(ok(pageJson({}, true)));
  const auto walked = walk(list());
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
  EXPECT_EQ(requests(), 2U);
}

TEST_F(Prefetch, FailsWhenTheLastObjectHasNoIdentifier) {
  for (int i = 0; i < 3; ++i)
    h.respond(ok(pageJson({"pr_2", ""}, true)));
  const auto walked = walk(list());
  EXPECT_TRUE(walked.ids.empty());
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
  EXPECT_EQ(queries(), (Ids{"limit=3", "limit=3"})) << "once more, to report the problem";
}

TEST_F(Prefetch, PropagatesExceptionsFromTheTransport) {
  h.respond(ok(pageJson({"pr_2"}, true)));
  auto pager = list();
  EXPECT_EQ(pager.begin()->value().id, "pr_2") << "although no response is set for the next page";
  EXPECT_THROW((void)walk(pager), std::logic_error);
  h.respond(ok(pageJson({"pr_1"}, false)));
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_1"}));
}

}  // namespace
}  // namespace tally
