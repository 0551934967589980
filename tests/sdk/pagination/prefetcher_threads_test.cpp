// Prefetching with a transport that fetches the next page in another thread.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/gated_transport.h"
#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"
#include "support/no_more_threads.h"

namespace tally {
namespace {

using test::GatedTransport;
using test::Ids;
using test::ok;
using test::pageJson;
using test::queryOf;
using test::walk;
using Records = Pager<PaymentRecord>;

constexpr std::size_t all = 100;

class PrefetchInAThread : public testing::Test {
 protected:
  [[nodiscard]] Records list(const RequestOptions& options = {}) const {
    return client.paymentRecords().list({}, options).prefetch();
  }

  /// Pages of one record each: pr_4, pr_3, pr_2, pr_1.
  void respondWithFourPages() const {
    for (int number = 4; number > 0; --number)
      transport->respond(ok(pageJson({"pr_" + std::to_string(number)}, number > 1)));
  }

  /// A pager at pr_4 while the next page is in flight.
  [[nodiscard]] Records walkWithAPageInFlight(const RequestOptions& options = {}) const {
    respondWithFourPages();
    transport->open();
    Records pager = list(options);
    EXPECT_EQ(pager.begin()->value().id, "pr_4");
    transport->await(2);
    return pager;
  }

  [[nodiscard]] Ids queries() const {
    Ids queries;
    for (const auto& request : transport->requests())
      queries.push_back(queryOf({.url = request.url}));
    return queries;
  }

  std::shared_ptr<GatedTransport> transport = std::make_shared<GatedTransport>();
  Client client{{.apiKey = "sk_test_1",
                 .baseUrl = "https://service.test",
                 .transport = transport,
                 .clock = std::make_shared<test::TestClock>()}};
};

TEST_F(PrefetchInAThread, FetchesAPageWhileThePreviousOneIsInUse) {
  Records pager = walkWithAPageInFlight();
  const auto requests = transport->requests();
  EXPECT_EQ(requests[0].from, std::this_thread::get_id());
  EXPECT_NE(requests[1].from, std::this_thread::get_id());
  transport->open(all);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_4", "pr_3", "pr_2", "pr_1"}));
  EXPECT_EQ(transport->requests().size(), 4U);
}

TEST_F(PrefetchInAThread, SendsOneRequestForASinglePage) {
  transport->respond(ok(pageJson({"pr_1"}, false)));
  transport->open(all);
  EXPECT_EQ(walk(list()).ids, (Ids{"pr_1"}));
  EXPECT_EQ(transport->requests().size(), 1U);
}

TEST_F(PrefetchInAThread, ContinuesWithoutAThreadIfNoneCanStart) {
  const test::NoMoreThreads none;
  ASSERT_THROW(std::jthread{[] {}}, std::system_error);
  respondWithFourPages();
  transport->open(all);
  EXPECT_EQ(walk(list()).ids, (Ids{"pr_4", "pr_3", "pr_2", "pr_1"}));
  ASSERT_EQ(transport->requests().size(), 4U);
  for (const auto& request : transport->requests())
    EXPECT_EQ(request.from, std::this_thread::get_id());
}

TEST_F(PrefetchInAThread, RequestsPagesInOrder) {
  respondWithFourPages();
  transport->open(all);
  (void)walk(list());
  const auto asked = queries();
  ASSERT_EQ(asked.size(), 4U);
  for (std::size_t n = 1; n < 4; ++n)
    EXPECT_TRUE(asked[n].ends_with("starting_after=pr_" + std::to_string(5 - n))) << asked[n];
}

TEST_F(PrefetchInAThread, FetchesAtMostOnePageAhead) {
  respondWithFourPages();
  transport->open(all);
  {
    Records pager = list();
    EXPECT_EQ(pager.begin()->value().id, "pr_4");
    transport->await(2);
  }  // waits for the thread
  EXPECT_EQ(transport->requests().size(), 2U);
}

TEST_F(PrefetchInAThread, ContinuesWhileTheCallerWaits) {
  Records pager = walkWithAPageInFlight();
  std::jthread walker{[&] { EXPECT_EQ(pager.collect(2).value().size(), 2U); }};
  transport->open();  // the caller's request and the page race
  transport->await(3);
  walker.join();
  transport->open(all);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_2", "pr_1"}));
}

TEST_F(PrefetchInAThread, EndsTheRequestInFlightWhenThePagerIsDestroyed) {
  {
    const Records pager = walkWithAPageInFlight();
    EXPECT_EQ(transport->stops(), 0U);
  }
  EXPECT_EQ(transport->stops(), 1U);
}

TEST_F(PrefetchInAThread, EndsTheRequestInFlightOnABreakFromALoopThatOwnsThePager) {
  respondWithFourPages();
  transport->open();
  for (auto& record : list()) {
    EXPECT_TRUE(record);
    transport->await(2);
    break;
  }
  EXPECT_EQ(transport->stops(), 1U);
}

TEST_F(PrefetchInAThread, KeepsTheRequestInFlightWhenThePagerIsMoved) {
  Records pager = walkWithAPageInFlight();
  Records other = std::move(pager);
  transport->open(all);
  EXPECT_EQ(walk(other).ids, (Ids{"pr_4", "pr_3", "pr_2", "pr_1"}));
  EXPECT_EQ(transport->stops(), 0U);
}

TEST_F(PrefetchInAThread, EndsTheRequestInFlightWhenThePagerIsAssignedTo) {
  Records pager = walkWithAPageInFlight();
  pager = list();
  EXPECT_EQ(transport->stops(), 1U);
}

TEST_F(PrefetchInAThread, EndsTheRequestInFlightWhenThePagesAreDestroyed) {
  respondWithFourPages();
  transport->open();
  {
    auto pages = list().pages();
    EXPECT_TRUE(*pages.begin());
    transport->await(2);
  }
  EXPECT_EQ(transport->stops(), 1U);
}

TEST_F(PrefetchInAThread, EndsTheWaitForAPageWhenStopped) {
  std::stop_source source;
  Records pager = walkWithAPageInFlight({.stop = source.get_token()});
  EXPECT_EQ(pager.collect(1).value().size(), 1U);
  std::optional<Error> error;
  std::jthread walker{[&] { error = pager.collect(1).error(); }};
  source.request_stop();
  transport->awaitStop();
  EXPECT_EQ(transport->stops(), 1U);
  walker.join();
  EXPECT_EQ(error->kind(), ErrorKind::canceled);
}

TEST_F(PrefetchInAThread, DeliversAnErrorInPlaceOfAPage) {
  transport->respond(ok(pageJson({"pr_2"}, true)));
  transport->respond(test::refused(500, "api_error"));
  transport->respond(ok(pageJson({"pr_1"}, false)));
  transport->open(all);
  Records pager = list();
  const auto walked = walk(pager);
  EXPECT_EQ(walked.ids, (Ids{"pr_2"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::server);
  EXPECT_EQ(transport->requests().size(), 2U);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_1"}));
}

TEST_F(PrefetchInAThread, RetriesInTheThreadOfTheCallerAfterAnException) {
  transport->respond(ok(pageJson({"pr_2"}, true)));
  transport->respond(std::nullopt);
  transport->respond(std::nullopt);
  transport->respond(ok(pageJson({"pr_1"}, false)));
  transport->open(all);
  Records pager = list();
  EXPECT_THROW((void)walk(pager), std::runtime_error);
  EXPECT_EQ(transport->requests()[2].from, std::this_thread::get_id());
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_1"}));
}

TEST_F(PrefetchInAThread, DoesNotWaitForAWronglyGuessedPage) {
  std::string misleading = pageJson({"pr_2"}, true);
  misleading.insert(misleading.find(R"("has_more")"), R"("related":[)" + test::recordJson("pr_77") + "],");
  transport->respond(ok(misleading));
  transport->respond(ok(pageJson({"pr_76"}, false)));
  transport->respond(ok(pageJson({"pr_1"}, false)));
  transport->open();
  Records pager = list();
  EXPECT_EQ(pager.collect(1).value().size(), 1U);
  transport->await(2);
  std::jthread opener{[&] {
    transport->await(3);
    transport->open(all);
  }};
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_1"}));
  EXPECT_EQ(transport->stops(), 1U);
  EXPECT_TRUE(queries().back().ends_with("starting_after=pr_2"));
}

TEST_F(PrefetchInAThread, RequestsAnUnreadablePageAgainInTheThreadOfTheCaller) {
  transport->respond(ok(pageJson({"pr_3"}, true)));
  transport->respond(ok(R"({"data":[17,)" + test::recordJson("pr_2") + R"(],"has_more":false,"url":"/"})"));
  transport->respond(ok(pageJson({"pr_2"}, true)));
  transport->respond(ok(pageJson({"pr_1"}, false)));
  transport->open(all);
  EXPECT_EQ(walk(list()).ids, (Ids{"pr_3", "pr_2", "pr_1"}));
  EXPECT_EQ(transport->requests()[2].from, std::this_thread::get_id());
}

TEST_F(PrefetchInAThread, DeliversAPageWithItsAttempts) {
  std::vector<Attempt> attempts;
  Records pager = walkWithAPageInFlight({.attempts = &attempts});
  EXPECT_EQ(attempts.size(), 1U);
  transport->open(all);
  (void)walk(pager);
  EXPECT_EQ(attempts.size(), 4U);
}

TEST_F(PrefetchInAThread, OutlivesItsClient) {
  Records pager = walkWithAPageInFlight();
  client = Client{{.apiKey = "sk_test_2"}};
  transport->open(all);
  EXPECT_EQ(walk(pager).ids.size(), 4U);
}

}  // namespace
}  // namespace tally
