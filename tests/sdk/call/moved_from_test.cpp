// Moved-from objects can be destroyed, assigned and printed.

#include <sstream>
#include <string>
#include <utility>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sdk/support/harness.h"
#include "sdk/support/page_walks.h"

namespace tally::movedFromTest {
namespace {

using test::Harness;
using test::Ids;
using test::walk;

/// Moves without the analyzer noticing, because tests examine the moved-from object on purpose.
template <class T>
T take(T& from) {
  return std::move(from);
}

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(MovedFrom, ErrorKeepsItsContents) {
  Error error{{.kind = ErrorKind::lockTimeout, .status = 429, .message = "In use."}};
  const std::string line = printed(error);
  const Error other = take(error);
  EXPECT_EQ(printed(error), line);
  EXPECT_EQ(printed(other), line);
  EXPECT_EQ(error.kind(), ErrorKind::lockTimeout);
  EXPECT_EQ(make_error_code(error), make_error_code(other));
  error = Error{{.kind = ErrorKind::timeout}};
  EXPECT_EQ(error.kind(), ErrorKind::timeout);
  EXPECT_EQ(other.kind(), ErrorKind::lockTimeout);
  static_assert(std::is_nothrow_move_constructible_v<Error> && std::is_nothrow_move_assignable_v<Error>);
}

TEST(MovedFrom, ResultWithAnErrorKeepsItsContents) {
  Result<PaymentRecord> result = Error{{.kind = ErrorKind::notFound, .message = "No."}};
  const std::string line = printed(result);
  const Result<PaymentRecord> other = take(result);
  EXPECT_EQ(printed(result), line);
  EXPECT_EQ(printed(other), line);
  EXPECT_THROW((void)result.value(), Exception);
}

TEST(MovedFrom, ResultWithAValueCanBePrinted) {
  Result<PaymentRecord> result = PaymentRecord{};
  const Result<PaymentRecord> other = take(result);
  EXPECT_FALSE(printed(result).empty());
  EXPECT_TRUE(other);
}

TEST(MovedFrom, ExceptionKeepsItsError) {
  Exception exception{Error{{.kind = ErrorKind::notFound, .message = "No."}}};
  const Exception other = take(exception);
  EXPECT_EQ(exception.error().kind(), ErrorKind::notFound);
  EXPECT_NE(exception.what(), nullptr);
}

TEST(MovedFrom, ClientStaysUsable) {
  Harness h;
  for (int i = 0; i < 3; ++i)
    h.respond(test::ok(test::recordJson("pr_1")));
  Client other = take(h.client);
  EXPECT_TRUE(other.paymentRecords().retrieve("pr_1"));
  EXPECT_TRUE(h.client.paymentRecords().retrieve("pr_1"));
  EXPECT_EQ(h.client.mutations().inProgress, 0U);
  EXPECT_EQ(h.client.readsUsed().own, 2);
  EXPECT_EQ(&h.client.clock(), &other.clock());
  other = take(h.client);
  EXPECT_TRUE(other.paymentRecords().retrieve("pr_1"));
}

TEST(MovedFrom, ServiceCanBeAssignedTo) {
  Harness h;
  h.respond(test::ok(test::recordJson("pr_1")));
  PaymentRecords records = h.client.paymentRecords();
  const PaymentRecords other = take(records);
  records = other;
  EXPECT_TRUE(records.retrieve("pr_1"));
}

class MovedPager : public testing::Test {
 protected:
  MovedPager() { test::respondWithNineRecords(h, 3); }

  Harness h{};
  Pager<PaymentRecord> pager = h.client.paymentRecords().list({.limit = 3});
};

TEST_F(MovedPager, IsEmptyAndLetsItsTargetContinue) {
  auto at = pager.begin();
  EXPECT_EQ(at->value().id, "pr_9");
  ++at;
  const std::string checkpoint = pager.checkpoint();
  Pager<PaymentRecord> other = take(pager);
  EXPECT_TRUE(walk(pager).ids.empty());
  EXPECT_TRUE(at == pager.end());
  EXPECT_TRUE(pager.collect(3).value().empty());
  EXPECT_EQ(pager.checkpoint(), "");
  EXPECT_EQ(pager.totalCount(), std::nullopt);
  EXPECT_EQ(h.transport->requests.size(), 1U);
  EXPECT_EQ(other.checkpoint(), checkpoint);
  EXPECT_EQ(other.collect(1).value().front().id, "pr_8");
  pager = take(other);
  EXPECT_EQ(walk(pager).ids, (Ids{"pr_7", "pr_6", "pr_5", "pr_4", "pr_3", "pr_2", "pr_1"}));
  EXPECT_TRUE(walk(other).ids.empty());
}

TEST_F(MovedPager, StaysEmptyWhenMovedAgain) {
  const Pager<PaymentRecord> other = take(pager);
  auto nothing = take(pager).resumeFrom("x").prefetch();
  EXPECT_TRUE(walk(nothing).ids.empty());
  auto noPages = take(nothing).pages();
  EXPECT_TRUE(noPages.begin() == noPages.end());
  EXPECT_EQ(noPages.checkpoint(), "");
}

TEST_F(MovedPager, LetsItsTargetRetryAfterAnError) {
  h.transport->responses.emplace_front(test::refused(500, "api_error"));
  EXPECT_TRUE(walk(pager).error);
  Pager<PaymentRecord> other = take(pager);
  EXPECT_FALSE(walk(pager).error);
  EXPECT_EQ(walk(other).ids.size(), 9U);
}

TEST_F(MovedPager, LetsItsTargetRetryWhenMovedWhilePositionedAtAnError) {
  h.transport->responses.emplace_front(test::refused(500, "api_error"));
  EXPECT_TRUE(pager.begin()->has_error());
  Pager<PaymentRecord> other = take(pager);
  EXPECT_EQ(walk(other).ids.size(), 9U);
}

TEST(MovedSearch, PassesItsTotalCountToItsTarget) {
  Harness h;
  h.respond(test::ok(test::pageJson({"pr_1"}, false, R"(,"total_count":1)")));
  auto pager = h.client.paymentRecords().search({.query = "created>0"});
  ASSERT_TRUE(pager.collect(1));
  const auto other = take(pager);
  EXPECT_EQ(other.totalCount(), 1);
  EXPECT_EQ(pager.totalCount(), std::nullopt);
}

class MovedPages : public MovedPager {};

TEST_F(MovedPages, AreEmptyAndLetTheirTargetContinue) {
  auto pages = take(pager).pages();
  EXPECT_TRUE(walk(pager).ids.empty());
  auto at = pages.begin();
  EXPECT_EQ(at->value().data.size(), 3U);
  Pages<PaymentRecord> other = take(pages);
  EXPECT_TRUE(pages.begin() == pages.end());
  EXPECT_TRUE(at == pages.end());
  EXPECT_EQ(pages.checkpoint(), "");
  EXPECT_EQ(other.begin()->value().data.front().id, "pr_9") << "at the same page";
  pages = take(other);
  EXPECT_EQ(pages.begin()->value().data.front().id, "pr_9");
}

TEST_F(MovedPages, LetTheirTargetRetryAfterAnError) {
  h.transport->responses.emplace_front(test::refused(500, "api_error"));
  auto pages = take(pager).pages();
  EXPECT_TRUE(pages.begin()->has_error());
  Pages<PaymentRecord> other = take(pages);
  EXPECT_TRUE(pages.begin() == pages.end());
  EXPECT_TRUE(other.begin()->has_value());
}

}  // namespace
}  // namespace tally::movedFromTest
