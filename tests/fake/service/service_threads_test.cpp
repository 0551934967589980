#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <tally/fake/service.h>
#include <tally/payment_records.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/limit_usage.h"
#include "fake/support/requests.h"

namespace tally::test {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr int threadCount = 12;
constexpr int requestsOfEach = 150;

/// Counts of the responses to all threads.
struct Tally {
  std::atomic<int> succeeded = 0;
  std::atomic<int> refused = 0;  // by a limit
  std::atomic<int> lockedOut = 0;
  std::atomic<int> others = 0;

  bool count(const HttpResponse& response) {
    const bool ok = response.status == 200;
    const bool limit = response.status == 429 && response.header("Service-Rate-Limited-Reason") != nullptr;
    ++(ok ? succeeded : limit ? refused : response.status == 429 ? lockedOut : others);
    return ok;
  }
  [[nodiscard]] int sum() const { return succeeded + refused + lockedOut + others; }
};

template <class Work>
void inThreads(const Work& work) {
  std::vector<std::jthread> threads;
  for (int n = 0; n < threadCount; ++n)
    threads.emplace_back([&work, n] {
      for (int i = 0; i < requestsOfEach; ++i)
        work(n, i);
    });
}

/// The largest number of admitted requests within one window, according to the log.
std::size_t mostWithin(const fake::Service& service, nanoseconds window) {
  std::vector<Instant> times;
  for (const fake::LoggedRequest& logged : service.requests().list())
    if (logged.limit.empty()) times.push_back(logged.time);
  std::size_t most = 0;
  for (std::size_t first = 0, next = 0; next < times.size(); ++next) {
    while (times[next] - times[first] >= window)
      ++first;
    most = std::max(most, next - first + 1);
  }
  return most;
}

class Threads : public testing::Test {
 protected:
  fake::Service service{{.duration = nanoseconds{0}}};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  Tally tally{};
};

TEST_F(Threads, NeverExceedALimitWhileTimeStandsStill) {
  service.limits().set({.limit = "global_rate", .value = 700});
  service.limits().set({.limit = "payout_creation", .value = 100});
  std::atomic<int> created = 0;
  inThreads([&](int n, int) {
    if (n % 2 == 0) {
      if (tally.count(service.handle(post(key, "/v1/payouts", "amount=1&currency=eur")))) ++created;
    } else {
      tally.count(service.handle(get(key, "/v1/payment_records/pr_none")));
    }
  });
  EXPECT_EQ(tally.sum(), threadCount * requestsOfEach);
  EXPECT_EQ(created, 100);
  EXPECT_EQ(tally.others, 25) << "the limit on each operation";
  EXPECT_EQ(usageOf(service.usage().list(account), "payout_creation").used, 100);
  EXPECT_EQ(usageOf(service.usage().list(account), "global_rate").used, 125);
  EXPECT_EQ(service.requests().size(), static_cast<std::size_t>(threadCount * requestsOfEach));
}

TEST_F(Threads, NeverExceedALimitWhileTimePasses) {
  constexpr std::int64_t limit = 40;
  service.limits().set({.limit = "global_rate", .value = limit});
  service.limits().set({.limit = "endpoint_rate"});
  inThreads([&](int n, int i) {
    tally.count(service.handle(get(key, "/v1/payment_records")));
    if (n == 0) service.clock()->advance(milliseconds{i % 7 * 20});
  });
  EXPECT_EQ(tally.sum(), threadCount * requestsOfEach);
  EXPECT_EQ(tally.succeeded + tally.refused, tally.sum());
  EXPECT_GT(tally.succeeded, limit);
  EXPECT_LE(mostWithin(service, seconds{1}), static_cast<std::size_t>(limit));
}

TEST_F(Threads, LeaveCountsConsistent) {
  fake::Service busy{};
  account = busy.addAccount();
  key = account.sandboxKey;
  for (const char* limit : {"endpoint_rate", "file_writes", "searches", "payouts_in_progress"})
    busy.limits().set({.limit = limit, .value = 100'000});
  busy.limits().set({.limit = "global_rate", .value = 100'000});
  const std::string id = busy.insert<PaymentRecord>(key).id.str();
  const std::string url = "/v1/payment_records";
  std::atomic<int> files = 0;
  std::atomic<int> reports = 0;
  inThreads([&](int n, int i) {
    switch (n % 6) {
      case 0: {
        const std::string body =
            "failed_at=1&metadata[" + std::to_string(n) + '_' + std::to_string(i) + "]=x";
        if (tally.count(busy.handle(post(key, url + '/' + id + "/report_payment_attempt_failed", body))))
          ++reports;
        break;
      }
      case 1:
        tally.count(busy.handle(get(key, url + "?limit=2")));
        break;
      case 2:
        if (tally.count(busy.handle(post(key, "/v1/files", "purpose=a&filename=b")))) ++files;
        break;
      case 3:
        tally.count(busy.handle(get(key, url + "/search?query=created>0&limit=1")));
        break;
      case 4: {
        const fake::Hold units = busy.holds().takeConcurrency(key, "payouts.list", 1 + i % 3);
        const fake::Hold lock = busy.holds().lockObject(key, i % 2 == 0 ? id : "pr_other");
        tally.count(busy.handle(get(key, "/v1/payouts")));
        break;
      }
      default:
        if (i % 10 == 0) busy.limits().set({.limit = "global_rate", .value = 100'000 + i});
        if (i % 30 == 0) (void)busy.snapshots().take();
        if (i % 50 == 0) (void)busy.fork();
        (void)busy.usage().list(account);
        tally.count(busy.handle(get(key, "/v1/data/exports")));
    }
  });
  const int all = threadCount * requestsOfEach;
  EXPECT_EQ(tally.sum(), all);
  EXPECT_EQ(tally.succeeded + tally.lockedOut, all);
  EXPECT_EQ(reports + tally.lockedOut, all / 6);
  const auto record = bodyOf(busy.handle(get(key, url + '/' + id)));
  EXPECT_EQ(record.at("metadata").as_object().size(), static_cast<std::size_t>(reports));
  EXPECT_EQ(files, all / 6);
  std::map<int, int> statuses;
  for (const fake::LoggedRequest& logged : busy.requests().list())
    ++statuses[logged.status];
  EXPECT_EQ(statuses[200], tally.succeeded + 1);
  EXPECT_EQ(statuses[429], tally.lockedOut);
  busy.clock()->advance(hours{1});
  EXPECT_EQ(usageOf(busy.usage().list(account), "payouts_in_progress").used, 0) << "all units were released";
  EXPECT_EQ(usageOf(busy.usage().list(account), "read_allocation").used, all / 6 * 3 + 1);
  int listed = 0;
  std::string after;
  while (true) {
    const auto page = bodyOf(busy.handle(get(key, "/v1/files?limit=100" + after)));
    listed += static_cast<int>(page.at("data").as_array().size());
    if (!page.at("has_more").as_bool()) break;
    after = "&starting_after=" + idsOf(page).back();
  }
  EXPECT_EQ(listed, files);
}

/// Each record always has one of two marks. Some searches build an index.
TEST_F(Threads, FindEachRecordWhileOtherThreadsChangeIt) {
  constexpr int records = 70;
  fake::Service unlimited{{.duration = nanoseconds{0}, .limits = false}};
  key = unlimited.addAccount().sandboxKey;
  std::vector<std::string> ids;
  for (int n = 0; n < records; ++n)
    ids.push_back(unlimited
                      .insert<PaymentRecord>(
                          key, [](PaymentRecord& record) { record.metadata.insert_or_assign("mark", "a"); })
                      .id.str());
  const std::string url = "/v1/payment_records/";
  const auto found = [&](const std::string& query) {
    const std::string search = url + "search?limit=1&expand[]=total_count&query=" + query;
    return bodyOf(unlimited.handle(get(key, search))).at("total_count").as_int64();
  };
  const auto marked = [](const std::string& mark) { return "metadata%5B%22mark%22%5D:%22" + mark + "%22"; };
  const std::string either = marked("a") + "%20OR%20" + marked("b");
  inThreads([&](int n, int i) {
    if (n % 4 != 0) {
      const std::string& id = ids[static_cast<std::size_t>((n * 31 + i * 7) % records)];
      const std::string body = std::string{"failed_at=1&metadata[mark]="} + (i % 2 == 0 ? "b" : "a");
      tally.count(unlimited.handle(post(key, url + id + "/report_payment_attempt_failed", body)));
    } else if (i % 10 == 0) {
      const std::string other = "metadata%5B%22" + std::to_string(n * 1'000 + i) + "%22%5D:%22c%22";
      EXPECT_EQ(found(either + "%20OR%20" + other), records);
    } else if (i % 10 == 5) {
      EXPECT_EQ(found(either), records);
    }
  });
  EXPECT_EQ(tally.succeeded, tally.sum());
  std::int64_t ofMark = 0;
  for (const std::string& id : ids)
    if (text(bodyOf(unlimited.handle(get(key, url + id))).at("metadata").at("mark")) == "b") ++ofMark;
  EXPECT_EQ(found(marked("b")), ofMark);
  EXPECT_EQ(found(marked("a")), records - ofMark);
}

TEST_F(Threads, TakeTurnsWhenTheyReportOnOneObject) {
  fake::Service slow{{.duration = milliseconds{50}, .lockWait = seconds{1'000}, .limits = false}};
  account = slow.addAccount();
  const std::string url = "/v1/payment_records/" + slow.insert<PaymentRecord>(account.sandboxKey).id.str();
  inThreads([&](int, int) {
    tally.count(slow.handle(post(account.sandboxKey, url + "/report_payment_attempt_failed", "failed_at=1")));
  });
  const int all = threadCount * requestsOfEach;
  EXPECT_EQ(tally.succeeded, all);
  std::vector<Instant> ends;
  for (const fake::LoggedRequest& logged : slow.requests().list())
    ends.push_back(logged.respondedAt);
  std::ranges::sort(ends);
  for (std::size_t i = 1; i < ends.size(); ++i)
    ASSERT_GE(ends[i] - ends[i - 1], milliseconds{50}) << "each holds the lock for its duration";
}

/// Threads that have joined the clock report on one record, each once, and end at exact times.
class JoinedCallers : public testing::Test {
 protected:
  void report(std::size_t thread) {
    const HttpResponse response = std::get<HttpResponse>(service.transport()->send(
        post(key, url, "failed_at=1&metadata[n]=" + std::to_string(thread)), {.deadline = Instant::max()}));
    EXPECT_EQ(response.status, 200) << response.body;
    ends.emplace_back(thread, (service.clock()->now() - begin) / milliseconds{1});
  }

  fake::Service service{{.limits = false}};
  fake::Account account = service.addAccount();
  std::string key = account.sandboxKey;
  std::string id = service.insert<PaymentRecord>(key).id.str();
  std::string url = "/v1/payment_records/" + id + "/report_payment_attempt_failed";
  Instant begin = service.clock()->now();
  std::vector<std::pair<std::size_t, std::int64_t>> ends{};
};

TEST_F(JoinedCallers, WaitExactlyUntilTheObjectIsFree) {
  service.clock()->runThreads(4, [&](std::size_t n) { report(n); });
  EXPECT_THAT(ends, testing::ElementsAre(testing::Pair(0, 50), testing::Pair(1, 100), testing::Pair(2, 150),
                                         testing::Pair(3, 200)));
}

TEST_F(JoinedCallers, ContinueExactlyWhenALockIsReleased) {
  fake::Hold lock = service.holds().lockObject(key, id);
  service.clock()->runThreads(4, [&](std::size_t n) {
    if (n != 0) return report(n);
    service.clock()->sleepUntil(begin + milliseconds{7}, {});
    lock.release();
    service.clock()->sleepUntil(begin + seconds{1}, {});
  });
  EXPECT_THAT(ends, testing::ElementsAre(testing::Pair(1, 57), testing::Pair(2, 107), testing::Pair(3, 157)));
}

TEST_F(JoinedCallers, DoNotShareAClockWithCallersOfAFork) {
  fake::Service fork = service.fork();
  service.clock()->runThreads(2, [&](std::size_t n) {
    if (n == 0) (void)fork.clock()->sleepUntil(begin + hours{1}, {});
    report(n);
  });
  EXPECT_EQ(fork.clock()->now(), begin + hours{1}) << "nobody has joined its clock";
  EXPECT_EQ(service.clock()->now(), begin + milliseconds{100});
}

}  // namespace

}  // namespace tally::test
