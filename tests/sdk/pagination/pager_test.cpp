#include <memory>
#include <ranges>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally {
namespace {

using test::Harness;
using test::Ids;
using test::queryOf;
using test::walk;

static_assert(std::ranges::input_range<Pager<PaymentRecord>>);
static_assert(std::ranges::input_range<Pages<PaymentRecord>>);
static_assert(std::is_same_v<std::ranges::range_value_t<Pager<PaymentRecord>>, Result<PaymentRecord>>);
static_assert(!std::is_copy_constructible_v<Pager<PaymentRecord>> &&
              std::is_move_constructible_v<Pager<PaymentRecord>>);

TEST(Pager, SendsNothingWhenCreated) {
  Harness h;
  const auto pager = h.client.paymentRecords().list();
  EXPECT_TRUE(h.transport->requests.empty());
}

TEST(Pager, FetchesAPageOnlyWhenItIsAccessed) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_3"}, true)));
  h.respond(test::ok(test::pageJson({"pr_2"}, false)));
  auto pager = h.client.paymentRecords().list();
  auto at = pager.begin();
  EXPECT_TRUE(h.transport->requests.empty()) << "not by begin()";
  EXPECT_EQ(at->value().id, "pr_3");
  ++at;
  EXPECT_EQ(h.transport->requests.size(), 1U) << "nor by advancing";
  EXPECT_FALSE(at == pager.end());
  EXPECT_EQ(h.transport->requests.size(), 2U);
}

TEST(Pager, CanAdvanceOverUnreadObjects) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_3"}, true)));
  h.respond(test::ok(test::pageJson({"pr_2", "pr_1"}, false)));
  auto pager = h.client.paymentRecords().list();
  auto at = pager.begin();
  ++at;
  ++at;
  EXPECT_EQ(at->value().id, "pr_1");
  ++at;
  ++at;
  EXPECT_TRUE(at == pager.end()) << "and not past the end";
}

TEST(Pager, FollowsTheNextPageCursorInASearch) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_2"}, true, R"(,"next_page":"c/1","total_count":2)")));
  h.respond(test::ok(test::pageJson({"pr_1"}, false, R"(,"total_count":2)")));
  auto pager = h.client.paymentRecords().search({.query = "a:\"b\"", .limit = 1, .expand = {"total_count"}});
  EXPECT_EQ(pager.totalCount(), std::nullopt);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_2", "pr_1"}));
  EXPECT_EQ(pager.totalCount(), 2);
  const std::string everywhere = "query=a%3A%22b%22&limit=1&expand%5B%5D=total_count";
  EXPECT_EQ(queryOf(h.transport->requests[0]), everywhere);
  EXPECT_EQ(queryOf(h.transport->requests[1]), everywhere + "&page=c%2F1");
}

TEST(Pager, ContinuesAfterABreak) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_2", "pr_1"}, false)));
  auto pager = h.client.paymentRecords().list();
  for (auto& record : pager) {
    EXPECT_TRUE(record);
    break;
  }
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_2", "pr_1"}));
}

/// Equivalent to an assignment, which the analyzer misreads.
void spoil(Result<PaymentRecord>& record) {
  std::destroy_at(&record);
  std::construct_at(&record, Error{{.kind = ErrorKind::connection}});
}

TEST(Pager, FetchesTheNextPageEvenIfObjectsWereMovedFrom) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_5", "pr_4", "pr_3"}, true)));
  h.respond(test::ok(test::pageJson({"pr_2", "pr_1"}, false)));
  std::vector<PaymentRecord> taken;
  for (auto& record : h.client.paymentRecords().list()) {
    ASSERT_TRUE(record) << record.error();
    taken.push_back(std::move(record.value()));
    if (taken.size() == 1) spoil(record);
    if (taken.size() == 2) record.value().unknownFields.push_back({"mood", {"1"}});
  }
  std::vector<PaymentRecord> expected;
  Harness other;
  other.respond(test::ok(test::pageJson({"pr_5", "pr_4", "pr_3", "pr_2", "pr_1"}, false)));
  for (const auto& record : other.client.paymentRecords().list())
    expected.push_back(record.value());
  EXPECT_EQ(taken, expected);
}

TEST(Pager, OutlivesItsClient) {
  auto pager = [] {
    Harness h;
    h.respond(test::ok(test::pageJson({"pr_1"}, false)));
    return h.client.paymentRecords().list();
  }();
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_1"}));
}

TEST(Pages, AreReturnedAsReceived) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_4", "pr_3"}, true)));
  h.respond(test::ok(test::pageJson({"pr_2"}, false)));
  std::vector<std::size_t> sizes;
  for (auto& page : h.client.paymentRecords().list().pages()) {
    ASSERT_TRUE(page) << page.error();
    EXPECT_EQ(page.value().url, "/v1/payment_records");
    EXPECT_EQ(page.value().hasMore, sizes.empty());
    sizes.push_back(page.value().data.size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1}));
}

TEST(Pages, RetryTheSamePageAfterAnError) {
  Harness h;
  h.respond(test::refused(500, "api_error"));
  h.respond(test::ok(test::pageJson({"pr_1"}, false)));
  auto pages = h.client.paymentRecords().list().pages();
  for (auto& page : pages)
    EXPECT_FALSE(page);
  for (auto& page : pages)
    EXPECT_TRUE(page);
}

}  // namespace
}  // namespace tally
