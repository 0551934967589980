#include "request_log.h"

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

TEST(RequestLog, MayBeOff) {
  RequestLog log{0};
  EXPECT_EQ(log.next(), nullptr);
  EXPECT_TRUE(log.entries().empty());
}

}  // namespace

}  // namespace tally::fake::detail
