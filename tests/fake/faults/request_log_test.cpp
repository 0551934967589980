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

TEST(RequestLog, KeepsOnlyTheLatestRequests) {
  RequestLog log{3};
  EXPECT_TRUE(log.entries().empty());
  for (int n = 1; n <= 2; ++n)
    log.next()->status = n;
  EXPECT_EQ(statuses(log), (std::vector{1, 2}));
  for (int n = 3; n <= 8; ++n)
    log.next()->status = n;
  EXPECT_EQ(statuses(log), (std::vector{6, 7, 8}));
}

TEST(RequestLog, TakesBackTheLatestEntry) {
  RequestLog log{2};
  for (int n = 1; n <= 3; ++n)
    log.next()->status = n;
  log.takeBack();
  EXPECT_EQ(statuses(log), std::vector{2});
  EXPECT_EQ(log.last(), 2U);
  log.next()->status = 4;
  EXPECT_EQ(statuses(log), (std::vector{2, 4}));
  EXPECT_EQ(log.last(), 3U);

  RequestLog small{3, 100'000};
  small.next()->request.body.assign(60'000, 'x');
  for (int n = 0; n < 2; ++n) {
    (void)small.next();
    small.takeBack();
  }
  (void)small.next();
  EXPECT_EQ(small.size(), 2U) << "the bytes of an entry count once";

  RequestLog none{0};
  (void)none.next();
  none.takeBack();
  EXPECT_EQ(none.last(), 0U);
}

TEST(RequestLog, ReusesDroppedEntries) {
  RequestLog log{1};
  LoggedRequest* first = log.next();
  first->request.body.reserve(1000);
  EXPECT_EQ(log.next(), first);
  EXPECT_GE(first->request.body.capacity(), 1000U);
}

TEST(RequestLog, KeepsAtMostTheGivenNumberOfBytes) {
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

TEST(RequestLog, MarksEntriesWhoseResponsesWereDropped) {
  RequestLog log{1'000, 200'000};
  for (int n = 1; n <= 20; ++n) {
    LoggedRequest* entry = log.next();
    entry->responseMissing = false;
    if (n % 2 == 0)
      entry->response = HttpResponse{.status = 200, .headers = {}, .body = std::string(50'000, 'x')};
  }
  const std::vector<LoggedRequest> entries = log.entries();
  for (const LoggedRequest& entry : entries)
    EXPECT_EQ(entry.responseMissing, entry.number % 2 == 0 && !entry.response) << entry.number;
  EXPECT_TRUE(entries[1].responseMissing);
  EXPECT_FALSE(entries[19].responseMissing);
}

TEST(RequestLog, CountsDroppedRequestsAfterAGivenRequest) {
  RequestLog log{2};
  for (int n = 0; n < 3; ++n)
    (void)log.next();
  log.clear();
  for (int n = 0; n < 5; ++n)  // 4 to 8
    (void)log.next();
  EXPECT_EQ(log.dropped(), 3U);
  EXPECT_EQ(log.dropped(0), 3U);
  EXPECT_EQ(log.dropped(3), 3U);
  EXPECT_EQ(log.dropped(4), 2U);
  EXPECT_EQ(log.dropped(6), 0U);
  EXPECT_EQ(log.dropped(100), 0U);
}

TEST(RequestLog, DropsResponsesBeforeRequests) {
  RequestLog log{1'000, 500'000};
  for (int n = 1; n <= 20; ++n) {
    LoggedRequest* entry = log.next();
    entry->status = n;
    entry->response = HttpResponse{.status = 200, .headers = {}, .body = std::string(50'000, 'x')};
  }
  std::vector<LoggedRequest> entries = log.entries();
  ASSERT_EQ(entries.size(), 20U);
  EXPECT_EQ(log.dropped(), 0U);
  const auto kept =
      std::ranges::count_if(entries, [](const auto& each) { return each.response.has_value(); });
  EXPECT_GE(kept, 9);
  EXPECT_LE(kept, 11);
  EXPECT_TRUE(entries.back().response);
  EXPECT_FALSE(entries.front().response);
  EXPECT_TRUE(
      std::ranges::is_sorted(entries, {}, [](const auto& each) { return each.response.has_value(); }));

  for (int n = 21; n <= 40; ++n)
    log.next()->request.body = std::string(50'000, 'x');
  entries = log.entries();
  EXPECT_GE(log.dropped(), 20U) << "of the requests without responses";
  EXPECT_EQ(entries.back().number, 40U);
}

TEST(RequestLog, CompletesAnEntryUnlessItHasBeenDropped) {
  const HttpResponse response{.status = 200, .headers = {}, .body = "late"};
  RequestLog log{2};
  for (int n = 1; n <= 3; ++n)
    (void)log.next();
  log.complete(1, response);
  log.complete(2, response);
  log.complete(4, response);
  EXPECT_EQ(log.entries()[0].response, response);
  EXPECT_EQ(log.entries()[1].response, std::nullopt);
  log.complete(3, response);
  EXPECT_EQ(log.entries()[1].response, response);
}

/// Otherwise entries that are completed late would make the log grow without bounds.
TEST(RequestLog, CountsTheBytesOfResponsesAddedAfterTheirRequests) {
  RequestLog log{1'000, 500'000};
  const HttpResponse large{.status = 200, .headers = {}, .body = std::string(50'000, 'x')};
  for (std::uint64_t n = 1; n <= 40; ++n) {
    (void)log.next();
    if (n > 1) log.complete(n - 1, large);
  }
  const std::vector<LoggedRequest> entries = log.entries();
  EXPECT_EQ(entries.size(), 40U);
  EXPECT_LE(std::ranges::count_if(entries, [](const auto& each) { return each.response.has_value(); }), 11);
}

/// Otherwise snapshots and forks of a service would drop responses ever earlier.
TEST(RequestLog, CountsTheBytesOfItsOwnEntriesAfterACopy) {
  RequestLog log{3, 100'000};
  for (int n = 1; n <= 3; ++n)
    log.next()->request.body.assign(30'000, 'x');
  for (int n = 4; n <= 6; ++n)
    log.next()->request.body = "x";
  RequestLog copy{log};
  copy.next()->response = HttpResponse{.status = 200, .headers = {}, .body = std::string(50'000, 'x')};
  (void)copy.next();
  ASSERT_EQ(copy.last(), 8U);
  EXPECT_TRUE(copy.find(7)->response);
  for (int n = 9; n <= 20; ++n)
    copy.next()->request.body.assign(30'000, 'x');
  EXPECT_EQ(copy.size(), 3U);
  EXPECT_EQ(copy.dropped(), 17U);
}

TEST(RequestLog, ContinuesItsNumberingWhenCleared) {
  RequestLog log{2};
  for (int n = 1; n <= 3; ++n)
    (void)log.next();
  log.clear();
  EXPECT_TRUE(log.entries().empty());
  EXPECT_EQ(log.dropped(), 0U);
  EXPECT_EQ(log.last(), 3U);
  EXPECT_EQ(log.next()->number, 4U);
  EXPECT_EQ(log.entries(3).size(), 1U);
  EXPECT_EQ(log.entries(4).size(), 0U);
  log.complete(3, {});
  EXPECT_EQ(log.entries()[0].response, std::nullopt);
}

TEST(RequestLog, KeepsTheLatestRequestWhateverItsSize) {
  RequestLog log{3, 1'000};
  for (int n = 1; n <= 3; ++n) {
    LoggedRequest* entry = log.next();
    entry->status = n;
    entry->request.headers = {{"X", std::string(1'001, 'x')}};
  }
  EXPECT_EQ(statuses(log), (std::vector{3}));
}

TEST(RequestLog, CountsDroppedRequests) {
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

TEST(RequestLog, CountsRequestsDroppedBecauseOfTheByteLimit) {
  RequestLog log{1'000, 1'000};
  for (int n = 1; n <= 5; ++n)
    log.next()->request.body = std::string(600, 'x');
  EXPECT_EQ(log.dropped(), 5U - log.entries().size());
  EXPECT_GT(log.dropped(), 0U);
  EXPECT_EQ(log.entries().front().number, log.dropped() + 1);
}

TEST(RequestLog, CanBeReadInParts) {
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

TEST(RequestLog, CanBeDisabled) {
  RequestLog log{0};
  EXPECT_EQ(log.next(), nullptr);
  EXPECT_EQ(log.dropped(), 1U);
  EXPECT_TRUE(log.entries().empty());
}

}  // namespace

}  // namespace tally::fake::detail
