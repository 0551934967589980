// Pagers with the ranges library.

#include <algorithm>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally {
namespace {

namespace views = std::views;
using test::Harness;
using test::Ids;
using test::walk;

using Records = Pager<PaymentRecord>;
using RecordPages = Pages<PaymentRecord>;

template <class Range>
constexpr bool composes =
    std::ranges::input_range<Range> && !std::ranges::forward_range<Range> &&
    std::input_iterator<std::ranges::iterator_t<Range>> && std::movable<std::ranges::iterator_t<Range>> &&
    std::ranges::viewable_range<Range> && std::ranges::viewable_range<Range&>;

static_assert(composes<Records> && composes<RecordPages>);
// A view would be copied from a variable, but iteration must advance the pager itself.
static_assert(!std::ranges::view<Records> && !std::ranges::view<RecordPages>);
static_assert(std::ranges::view<decltype(std::declval<Records&>() | views::take(3))>);
static_assert(std::ranges::view<decltype(std::declval<Records>() | views::take(3))>);
static_assert(!std::is_copy_constructible_v<decltype(std::declval<Records>() | views::take(3))>);

bool isOdd(const Result<PaymentRecord>& record) {
  return (record.value().id.str().back() - '0') % 2 != 0;
}

class Views : public testing::Test {
 protected:
  Views() { test::respondWithNineRecords(h, 3); }

  [[nodiscard]] std::size_t requests() const { return h.transport->requests.size(); }

  Harness h{};
  Records pager = h.client.paymentRecords().list({.limit = 3});
};

TEST_F(Views, TakeObjectsWithoutRequestingTheNextPage) {
  EXPECT_EQ(walk(pager | views::take(3)).ids, (Ids{"pr_9", "pr_8", "pr_7"}));
  EXPECT_EQ(requests(), 1U);
  EXPECT_EQ(walk(pager | views::take(2)).ids, (Ids{"pr_6", "pr_5"})) << "the iteration continues";
  EXPECT_EQ(requests(), 2U);
}

TEST_F(Views, SendNothingWhenTheyTakeNoObjects) {
  EXPECT_TRUE(walk(pager | views::take(0)).ids.empty());
  EXPECT_EQ(requests(), 0U);
}

TEST_F(Views, ReturnAllObjectsWhenTheyTakeMoreThanTheTotal) {
  EXPECT_EQ(walk(pager | views::take(250)).ids.size(), 9U);
  EXPECT_EQ(requests(), 3U);
}

TEST_F(Views, ReturnTheGivenNumberOfObjectsWhenCounted) {
  std::vector<Id<PaymentRecord>> ids;
  for (const auto& record : views::counted(pager.begin(), 3))
    ids.push_back(record.value().id);
  EXPECT_EQ(ids.size(), 3U);
  EXPECT_EQ(requests(), 1U);
}

TEST_F(Views, CanCombineFilterAndTransform) {
  auto odd = pager | views::take(6) | views::filter(isOdd) |
             views::transform([](const auto& record) { return record.value().id.str(); });
  Ids ids;
  std::ranges::copy(odd, std::back_inserter(ids));
  EXPECT_EQ(ids, (Ids{"pr_9", "pr_7", "pr_5"}));
  EXPECT_EQ(requests(), 2U);
}

TEST_F(Views, ReadOneMoreObjectWhenFilterPrecedesTake) {
  EXPECT_EQ(walk(pager | views::filter(isOdd) | views::take(2)).ids, (Ids{"pr_9", "pr_7"}));
  EXPECT_EQ(requests(), 2U) << "as the guide says: pr_5 is on the second page";
}

TEST_F(Views, LoseNoObjectAfterTakeWhile) {
  const auto isNew = [](const auto& record) { return record.value().id.str() > "pr_5"; };
  EXPECT_EQ(walk(pager | views::take_while(isNew)).ids.size(), 4U);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_5", "pr_4", "pr_3", "pr_2", "pr_1"}));
}

TEST_F(Views, CanSkipObjectsByDropAndDropWhile) {
  EXPECT_EQ(walk(pager | views::drop(4) | views::take(2)).ids, (Ids{"pr_5", "pr_4"}));
  EXPECT_EQ(walk(pager | views::drop_while(isOdd)).ids, (Ids{"pr_2", "pr_1"}));
}

TEST_F(Views, CanFlattenPagesByJoin) {
  auto pages = std::move(pager).pages();
  auto objects =
      pages | views::transform([](auto& page) -> auto& { return page.value().data; }) | views::join;
  Ids ids;
  for (const PaymentRecord& record : objects | views::take(4))
    ids.push_back(record.id.str());
  EXPECT_EQ(ids, (Ids{"pr_9", "pr_8", "pr_7", "pr_6"}));
  EXPECT_EQ(requests(), 2U);
}

TEST_F(Views, OwnTemporaryPagers) {
  EXPECT_EQ(walk(h.client.paymentRecords().list() | views::take(2)).ids, (Ids{"pr_9", "pr_8"}));
  auto kept = h.client.paymentRecords().list() | views::filter(isOdd);
  auto moved = std::move(kept);
  EXPECT_EQ(walk(moved).ids, (Ids{"pr_5", "pr_3", "pr_1"})) << "of the remaining pages";
}

TEST_F(Views, EndWithAnErrorIfAPageFails) {
  h.transport->responses[1] = test::refused(500, "api_error");
  const auto walked = walk(pager | views::take(5));
  EXPECT_EQ(walked.ids.size(), 3U);
  ASSERT_TRUE(walked.error);
  EXPECT_EQ(walked.error->kind(), ErrorKind::server);
}

TEST_F(Views, CanBePassedToAlgorithms) {
  const auto found = std::ranges::find_if(pager, [](auto& record) { return record.value().id == "pr_5"; });
  ASSERT_NE(found, pager.end());
  EXPECT_EQ(found->value().id, "pr_5");
  EXPECT_EQ(std::ranges::distance(pager | views::take(2)), 2);
}

}  // namespace
}  // namespace tally
