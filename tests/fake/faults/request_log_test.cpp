#include "faults/request_log.h"

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

TEST(RequestLog, CountsWhatMadeRoom) {
  RequestLog log{3};
  for (int n = 1; n <= 3; ++n)
    (void)log.next();
  EXPECT_EQ(log.dropped(), 0U);
  for (int n = 4; n <= 8; ++n)
    (void)log.next();
  EXPECT_EQ(log.dropped(), 5U);
  EXPECT_EQ(log.entries().front().number, 6U);
  EXPECT_EQ(log.entries().back().number, 8U);
}

TEST(RequestLog, CountsWhatMadeRoomForBytes) {
  RequestLog log{1'000, 1'000};
  for (int n = 1; n <= 5; ++n)
    log.next()->request.body = std::string(600, 'x');
  EXPECT_EQ(log.dropped(), 5U - log.entries().size());
  EXPECT_GT(log.dropped(), 0U);
  EXPECT_EQ(log.entries().front().number, log.dropped() + 1);
}

TEST(RequestLog, TellsItInParts) {
  const auto numbers = [](const std::vector<LoggedRequest>& entries) {
    std::vector<std::uint64_t> all;
    for (const LoggedRequest& entry : entries)
      all.push_back(entry.number);
    return all;
  };
  using Numbers = std::vector<std::uint64_t>;
  RequestLog log{4};
  for (int n = 1; n <= 6; ++n)
    (void)log.next();
  EXPECT_EQ(numbers(log.entries(0, 2)), (Numbers{3, 4}));
  EXPECT_EQ(numbers(log.entries(2, 2)), (Numbers{3, 4}));
  EXPECT_EQ(numbers(log.entries(4, 2)), (Numbers{5, 6}));
  EXPECT_EQ(numbers(log.entries(5, 2)), (Numbers{6}));
  EXPECT_EQ(numbers(log.entries(6)), Numbers{});
  EXPECT_EQ(numbers(log.entries(100)), Numbers{});
  EXPECT_EQ(numbers(log.entries(0, 0)), Numbers{});
}

TEST(RequestLog, MayBeOff) {
  RequestLog log{0};
  EXPECT_EQ(log.next(), nullptr);
  EXPECT_EQ(log.dropped(), 1U);
  EXPECT_TRUE(log.entries().empty());
}

}  // namespace

}  // namespace tally::fake::detail
