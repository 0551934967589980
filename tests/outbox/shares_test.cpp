// The shares of limits in PostgreSQL: the same as in memory, and real processes that use them.

#include <barrier>
#include <random>
#include <thread>

#include <tally/memory_share.h>
#include <tally/outbox_postgres.h>
#include <tally/outbox_share.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres_database.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Shares : public OutboxTest {
 protected:
  void SetUp() override {
    OutboxTest::SetUp();
    if (session_ != nullptr) migrateShares(*session_);
  }
};

/// Requests of any kind, also overtaken and repeated ones.
class AnyRequests {
 public:
  ShareRequest next() {
    ShareRequest request{.self = {.process = name(), .beat = number(30), .lease = 10s},
                         .leaving = number(12) == 0};
    for (const char* const limit : {"a", "b \"quoted\\\""})
      if (number(4) != 0)
        request.claims.push_back({.limit = limit,
                                  .total = number(20) + 1,
                                  .want = number(4) == 0 ? 0 : number(30),
                                  .units = number(4) == 0 ? 0 : number(20),
                                  .freedBefore = number(40)});
    if (number(3) == 0) request.vanished.push_back({.process = name(), .beat = number(30)});
    return request;
  }

 private:
  std::string name() { return std::string{"p"} + std::to_string(number(4)); }
  std::int64_t number(std::uint64_t below) { return static_cast<std::int64_t>(random_() % below); }

  std::mt19937_64 random_{1};
};

TEST_F(Shares, MatchThoseOfAShareInMemory) {
  PostgresShare share{url(), "shop"};
  MemoryShare memory;
  AnyRequests requests;
  for (int n = 0; n < 600; ++n) {
    const ShareRequest request = requests.next();
    ASSERT_EQ(share.exchange(request), memory.exchange(request)) << "after " << n << ": " << request;
  }
}

TEST_F(Shares, AreSeparateForEachDomain) {
  PostgresShare shop{url(), "shop"};
  PostgresShare other{url(), "other"};
  const ShareClaim claim{.limit = "a", .total = 10, .want = 10, .units = 10};
  EXPECT_EQ(
      shop.exchange({.self = {.process = "1", .beat = 1, .lease = 10s}, .claims = {claim}}).parts[0].units,
      10);
  EXPECT_EQ(
      other.exchange({.self = {.process = "2", .beat = 1, .lease = 10s}, .claims = {claim}}).parts[0].units,
      10);
}

/// Of 20 units, two processes get nine, the third two, and the other five the unit that each process has.
TEST_F(Shares, ExceedTheTotalOnlyByTheMinimumOfEachProcess) {
  std::barrier together{8};
  std::vector<std::thread> threads;
  for (int process = 0; process < 8; ++process)
    threads.emplace_back([&, process] {
      PostgresShare share{url(), "shop"};
      for (int beat = 1; beat <= 40; ++beat) {
        const ShareRequest request{
            .self = {.process = std::to_string(process), .beat = beat, .lease = 10s},
            .claims = {{.limit = std::to_string(beat), .total = 20, .want = 9, .units = 9}}};
        together.arrive_and_wait();
        (void)share.exchange(request);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(session_->value("SELECT count(*) FROM tally.share_pool WHERE taken = 25 AND freed = 0"), "40");
}

TEST_F(Shares, CanBeMigratedRepeatedlyAlongsideAnOutbox) {
  migrateOutbox(*session_);
  migrateShares(*session_);
  migrateOutbox(*session_);
  PostgresShare share{url(), "shop"};
  EXPECT_EQ(share.exchange({.self = {.process = "1", .beat = 1, .lease = 10s}}).processes.size(), 1U);
}

TEST_F(Shares, RequireTheRightToExecuteExchangeShares) {
  session_->run("CREATE ROLE shop_limits LOGIN");
  session_->run("GRANT USAGE ON SCHEMA tally TO shop_limits");
  PostgresShare share{url("shop_limits"), "shop"};
  const ShareRequest request{.self = {.process = "1", .beat = 1, .lease = 10s}};
  EXPECT_THROW((void)share.exchange(request), OutboxError);
  session_->run("GRANT EXECUTE ON FUNCTION tally.exchange_shares TO shop_limits");
  EXPECT_EQ(share.exchange(request).processes.size(), 1U);
  EXPECT_THAT(connect("shop_limits").run("SELECT * FROM tally.share_process").front(), StartsWith("42501"));
  session_->run("DROP OWNED BY shop_limits; DROP ROLE shop_limits");
}

TEST_F(Shares, ExplainWhyTheDatabaseCannotBeUsed) {
  PostgresShare unreachable{"host=/nowhere dbname=none", "shop"};
  const ShareRequest request{.self = {.process = "1", .beat = 1, .lease = 10s}};
  const auto problemOf = [&](PacerShare& share) -> std::string {
    try {
      (void)share.exchange(request);
    } catch (const OutboxError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problemOf(unreachable), HasSubstr("/nowhere"));
  session_->run("DROP SCHEMA tally CASCADE");
  PostgresShare empty{url(), "shop"};
  EXPECT_THAT(problemOf(empty), HasSubstr("schema \"tally\" does not exist"));
  migrateShares(*session_);
  EXPECT_THAT(problemOf(empty), IsEmpty()) << "it connects again";
}

TEST_F(Shares, ExplainThatTheConnectionOfAMigrationIsClosed) {
  const Session closed = connect();
  session_->run("SELECT pg_terminate_backend(" + std::to_string(PQbackendPID(closed)) + ", 10000)");
  for (int i = 0; i < 2; ++i) {
    try {
      migrateShares(closed);
      ADD_FAILURE() << "it succeeded";
    } catch (const OutboxError& error) {
      EXPECT_THAT(error.what(),
                  testing::AnyOf(HasSubstr("terminating connection"), HasSubstr("no connection")));
    }
  }
}

TEST_F(Shares, ReconnectAfterTheConnectionIsLost) {
  PostgresShare share{url(), "shop"};
  (void)share.exchange({.self = {.process = "1", .beat = 1, .lease = 10s}});
  session_->run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "
      "current_database()");
  EXPECT_THROW((void)share.exchange({.self = {.process = "1", .beat = 2, .lease = 10s}}), OutboxError);
  EXPECT_EQ(share.exchange({.self = {.process = "1", .beat = 3, .lease = 10s}}).processes.at(0).beat, 3);
}

TEST_F(Shares, KeepTheirDomainInUtf8) {
  PostgresShare share{url() + " client_encoding=LATIN1", "caf\xC3\xA9"};
  (void)share.exchange({.self = {.process = "1", .beat = 1, .lease = 10s}});
  EXPECT_EQ(session_->value("SELECT domain FROM tally.share_domain"), "caf\xC3\xA9");
}

/// A server that crashes sends one to each client.
TEST_F(Shares, PrintNoNotices) {
  PostgresShare share{url() + " options='-c client_min_messages=debug5'", "shop"};
  (void)share.exchange({.self = {.process = "1", .beat = 1, .lease = 10s}});
  testing::internal::CaptureStderr();
  (void)share.exchange({.self = {.process = "1", .beat = 2, .lease = 10s}});
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
}

/// A server does not notice during a wait that the client has closed the connection.
TEST_F(Shares, LeaveNoConnectionBehindThatWaits) {
  PostgresShare share{url(), "shop"};
  (void)share.exchange({.self = {.process = "1", .beat = 1, .lease = 10s}});
  const Session other = connect();
  other.run("BEGIN; SELECT * FROM tally.share_domain FOR UPDATE");
  EXPECT_THROW((void)share.exchange({.self = {.process = "1", .beat = 2, .lease = 10s}}), OutboxError);
  EXPECT_EQ(
      session_->value("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = "
                      "current_database()"),
      "0");
}

/// A pooler in transaction mode may give each statement another connection.
TEST_F(Shares, LeaveNoTransactionOrLockBehind) {
  PostgresShare share{url(), "shop"};
  (void)share.exchange({.self = {.process = "1", .beat = 1, .lease = 10s}});
  EXPECT_EQ(
      session_->value("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND "
                      "datname = current_database()"),
      "0");
  EXPECT_EQ(session_->value(
                "SELECT count(*) FROM pg_locks WHERE pid <> pg_backend_pid() AND database = (SELECT oid FROM "
                "pg_database WHERE datname = current_database())"),
            "0");
}

}  // namespace
}  // namespace tally::test
