#include <chrono>
#include <string>

#include <tally/async.h>
#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally {
namespace {

using test::Harness;
using test::Ids;
using test::queryOf;
using test::Walked;

/// Walks lists and searches in a loop.
class BlockingWalks {
 public:
  explicit BlockingWalks(const Harness& h) : records_(h.client.paymentRecords()) {}

  Pager<PaymentRecord> list(const PaymentRecordListParams& params = {}, const RequestOptions& options = {}) {
    return records_.list(params, options);
  }
  Pager<PaymentRecord> search(const PaymentRecordSearchParams& params) { return records_.search(params); }

  static Walked walk(Pager<PaymentRecord>& pager) { return test::walk(pager); }
  static Walked walk(Pager<PaymentRecord>&& pager) { return walk(pager); }

 private:
  PaymentRecords records_;
};

/// Walks them by an asynchronous forEach().
class AsyncWalks {
 public:
  explicit AsyncWalks(const Harness& h) : async_(h.client) {}

  AsyncPager<PaymentRecord> list(const PaymentRecordListParams& params = {},
                                 const RequestOptions& options = {}) {
    return async_.paymentRecords().list(params, options);
  }
  AsyncPager<PaymentRecord> search(const PaymentRecordSearchParams& params) {
    return async_.paymentRecords().search(params);
  }

  Walked walk(AsyncPager<PaymentRecord>& pager) {
    Walked walked;
    pager
        .forEach([&](const PaymentRecord& record) {
          walked.ids.push_back(record.id.str());
          return true;
        })
        .then([&](const Result<std::size_t>& consumed) {
          if (!consumed) walked.error = consumed.error();
        });
    async_.run();
    return walked;
  }
  Walked walk(AsyncPager<PaymentRecord>&& pager) { return walk(pager); }

 private:
  AsyncClient async_;
};

template <class Walks>
class Walk : public testing::Test {
 protected:
  Harness harness{};
  Walks walks{harness};
};

using BothWays = testing::Types<BlockingWalks, AsyncWalks>;
TYPED_TEST_SUITE(Walk, BothWays);

TYPED_TEST(Walk, SendsParametersAndOptionsWithEveryPage) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_4", "pr_3"}, true)));
  h.respond(test::ok(test::pageJson({"pr_2", "pr_1"}, false)));
  const auto walked =
      records.walk(records.list({.limit = 2}, {.connectedAccount = "acct_1", .headers = {{"X-A", "1"}}}));
  EXPECT_EQ(walked.ids, (Ids{"pr_4", "pr_3", "pr_2", "pr_1"}));
  EXPECT_FALSE(walked.error);
  ASSERT_EQ(h.transport->requests.size(), 2U);
  EXPECT_EQ(queryOf(h.transport->requests[0]), "limit=2");
  EXPECT_EQ(queryOf(h.transport->requests[1]), "limit=2&starting_after=pr_3");
  EXPECT_EQ(h.transport->requests[0].headers, h.transport->requests[1].headers);
}

TYPED_TEST(Walk, CanIterateTowardsTheNewestObjects) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_3", "pr_2"}, true)));
  h.respond(test::ok(test::pageJson({"pr_5", "pr_4"}, false)));
  const auto walked = records.walk(records.list({.endingBefore = "pr_1"}));
  EXPECT_EQ(walked.ids, (Ids{"pr_2", "pr_3", "pr_4", "pr_5"}));
  EXPECT_EQ(queryOf(h.transport->requests[0]), "ending_before=pr_1");
  EXPECT_EQ(queryOf(h.transport->requests[1]), "ending_before=pr_3");
}

TYPED_TEST(Walk, TreatsAnEmptyListAsSuccess) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({}, false)));
  const auto walked = records.walk(records.list());
  EXPECT_TRUE(walked.ids.empty());
  EXPECT_FALSE(walked.error);
}

TYPED_TEST(Walk, FailsOnAnEmptyPageWithHasMoreSet) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_2"}, true)));
  h.respond(test::ok(test::pageJson({}, true)));
  const auto walked = records.walk(records.list());
  EXPECT_EQ(walked.ids, (Ids{"pr_2"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
  EXPECT_EQ(walked.error->attemptCount(), 1);
}

TYPED_TEST(Walk, FailsWhenTheObjectToContinueFromHasNoIdentifier) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  for (int i = 0; i < 2; ++i)
    h.respond(test::ok(test::pageJson({"", "pr_1", ""}, true)));
  for (const PaymentRecordListParams& params :
       {PaymentRecordListParams{}, PaymentRecordListParams{.endingBefore = "pr_0"}}) {
    const auto walked = records.walk(records.list(params, {.maxNetworkRetries = 2}));
    EXPECT_TRUE(walked.ids.empty());
    ASSERT_TRUE(walked.error);
    EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
    EXPECT_EQ(walked.error->attemptCount(), 1);
  }
  EXPECT_EQ(h.transport->requests.size(), 2U) << "one for each list";
}

TYPED_TEST(Walk, FailsOnARepeatedCursor) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_2"}, true)));
  h.respond(test::ok(test::pageJson({"pr_3"}, true)));
  h.respond(test::ok(test::pageJson({"pr_2"}, true)));
  const auto walked = records.walk(records.list());
  EXPECT_EQ(walked.ids, (Ids{"pr_2", "pr_3"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
}

TYPED_TEST(Walk, FailsIfTheFirstCursorIsRepeated) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_2"}, true)));
  const auto walked = records.walk(records.list({.startingAfter = "pr_2"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
}

TYPED_TEST(Walk, FailsOnASearchPageWithHasMoreButNoCursor) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_2"}, true)));
  const auto walked = records.walk(records.search({.query = "x"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::pagination);
}

TYPED_TEST(Walk, RetriesTheSamePageAfterAnError) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_3"}, true)));
  h.respond(test::refused(500, "api_error"));
  h.respond(test::refused(500, "api_error"));
  h.respond(test::ok(test::pageJson({"pr_2"}, true)));
  h.respond(test::ok(test::pageJson({"pr_1"}, false)));
  auto pager = records.list();
  EXPECT_EQ(records.walk(pager).ids, (Ids{"pr_3"}));
  EXPECT_EQ(records.walk(pager).error->kind(), ErrorKind::server);
  EXPECT_EQ(records.walk(pager).ids, (Ids{"pr_2", "pr_1"}));
  EXPECT_TRUE(records.walk(pager).ids.empty()) << "the iteration has ended";
  EXPECT_EQ(h.transport->requests[1].url, h.transport->requests[3].url);
}

TYPED_TEST(Walk, ObeysOneDeadlineForAllPages) {
  using namespace std::chrono_literals;
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_2"}, true)));
  h.transport->onSend = [&] { h.clock->advance(1s); };
  const auto walked = records.walk(records.list({}, {.deadline = h.clock->now() + 1s}));
  EXPECT_EQ(walked.ids, (Ids{"pr_2"}));
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::deadlineExceeded);
}

TYPED_TEST(Walk, FollowsTheNextPageCursorInASearch) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_2"}, true, R"(,"next_page":"c/1")")));
  h.respond(test::ok(test::pageJson({"pr_1"}, false)));
  EXPECT_EQ(records.walk(records.search({.query = "a:\"b\"", .limit = 1})).ids, (Ids{"pr_2", "pr_1"}));
  EXPECT_EQ(queryOf(h.transport->requests[1]), queryOf(h.transport->requests[0]) + "&page=c%2F1");
}

TYPED_TEST(Walk, ReturnsAllObjectsWithPrefetching) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  test::respondWithNineRecords(h, 2);
  const auto walked = records.walk(records.list({.limit = 2}).prefetch());
  EXPECT_EQ(walked.ids, (Ids{"pr_9", "pr_8", "pr_7", "pr_6", "pr_5", "pr_4", "pr_3", "pr_2", "pr_1"}));
  EXPECT_FALSE(walked.error);
}

TYPED_TEST(Walk, ResumesFromACheckpointOfABlockingWalk) {
  Harness& h = this->harness;
  TypeParam& records = this->walks;
  h.respond(test::ok(test::pageJson({"pr_4", "pr_3"}, true)));
  h.respond(test::refused(500, "api_error"));
  h.respond(test::ok(test::pageJson({"pr_2", "pr_1"}, false)));
  BlockingWalks blocking{h};
  auto first = blocking.list({.limit = 2}, {.maxNetworkRetries = 0});
  EXPECT_EQ(blocking.walk(first).ids, (Ids{"pr_4", "pr_3"}));
  const std::string checkpoint = first.checkpoint();
  EXPECT_EQ(records.walk(records.list({.limit = 2}).resumeFrom(checkpoint)).ids, (Ids{"pr_2", "pr_1"}));
}

}  // namespace
}  // namespace tally
