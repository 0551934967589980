#include "request_log.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

std::vector<int> statuses(const RequestLog& log) {
  std::vector<int> result;
  for (const LoggedRequest& entry : log.entries())
    result.push_back(entry.status);
  return result;
}

TEST(RequestLog, KeepsTheLastOnes) {
  RequestLog log{3};
  EXPECT_TRUE(log.entries().empty());
  for (int n = 1; n <= 2; ++n)
    log.next()->status = n;
  EXPECT_EQ(statuses(log), (std::vector{1, 2}));
  for (int n = 3; n <= 8; ++n)
    log.next()->status = n;
  EXPECT_EQ(statuses(log), (std::vector{6, 7, 8}));
}

TEST(RequestLog, UsesItsEntriesAgain) {
  RequestLog log{1};
  LoggedRequest* first = log.next();
  first->request.body.reserve(1000);
  EXPECT_EQ(log.next(), first);
  EXPECT_GE(first->request.body.capacity(), 1000U);
}

TEST(RequestLog, KeepsNoMoreThanSoManyBytes) {
  RequestLog log{1'000, 800'000};
  const std::string large(100'000, 'x');
  for (int n = 1; n <= 30; ++n) {
    LoggedRequest* entry = log.next();
    entry->status = n;
    entry->request.body = large;
  }
  const std::vector<int> kept = statuses(log);
  EXPECT_GE(kept.size(), 7U);
  EXPECT_LE(kept.size(), 9U);
  EXPECT_EQ(kept.back(), 30);
  for (int n = 31; n <= 100; ++n)
    log.next()->status = n;
  EXPECT_TRUE(std::ranges::is_sorted(statuses(log)));
  for (int n = 101; n <= 2'000; ++n)
    log.next()->status = n;
  EXPECT_EQ(statuses(log).size(), 1'000U);
  EXPECT_EQ(statuses(log).front(), 1'001);
  EXPECT_EQ(statuses(log).back(), 2'000);
}

TEST(RequestLog, KeepsTheLastHoweverLargeItIs) {
  RequestLog log{3, 1'000};
  for (int n = 1; n <= 3; ++n) {
    LoggedRequest* entry = log.next();
    entry->status = n;
    entry->request.headers = {{"X", std::string(1'001, 'x')}};
  }
  EXPECT_EQ(statuses(log), (std::vector{3}));
}

TEST(RequestLog, MayBeOff) {
  RequestLog log{0};
  EXPECT_EQ(log.next(), nullptr);
  EXPECT_TRUE(log.entries().empty());
}

}  // namespace

}  // namespace tally::fake::detail
