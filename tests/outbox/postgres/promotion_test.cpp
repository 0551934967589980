// A server that lacks the last commits takes the place of the one before.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tally/outbox_postgres.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/postgres/pg_bouncer.h"
#include "outbox/postgres/postgres_proxy.h"
#include "outbox/postgres/shop_test.h"

namespace tally::test {
namespace {

using Kind = OutboxEvent::Kind;

class Promotion : public ShopTest {
 protected:
  void SetUp() override {
    ShopTest::SetUp();
    if (session_) proxy_ = std::make_unique<PostgresProxy>(PostgresServer::instance().folder());
  }

  Shop shopWith(std::size_t reports) {
    Shop shop = openShop();
    EXPECT_TRUE(enqueueAll(*session_, shop.domain, newReports(shop, reports)));
    return shop;
  }

  /// What is committed from now on will be forgotten.
  void copyServer(std::unique_ptr<PostgresServer> (PostgresServer::*copy)() const) {
    next_ = (PostgresServer::instance().*copy)();
  }

  void failOver() {
    promoted_.emplace(next_->url("outbox"));
    requestsBefore_ = service_.requests().list().size();
    proxy_->redirect(next_->folder());
  }

  void workOnPrimary(const Shop& shop) { work(PostgresServer::instance().folder(), shop, *session_); }
  void workOnPromoted(const Shop& shop) { work(next_->folder(), shop, *promoted_); }

  /// Works through the proxy, and the pooler if there is one, on what outlives the failover, and calls
  /// `atEvent` at each event.
  void workThrough(const Shop& shop, const std::function<void(const OutboxEvent&)>& atEvent) {
    StopSource stop;
    PolledStore store{outboxIn(pooler_ ? pooler_->folder() : proxy_->folder())};
    int events = 200;
    OutboxOptions options = optionsOf(shop, [&](const OutboxEvent& event) {
      atEvent(event);
      if (--events == 0 || (promoted_ && isDecided(*promoted_, shop))) stop.request_stop();
    });
    options.lease = std::chrono::hours{1};  // it does not end while others work in between
    detail::Worker{store, options}.run(stop.get_token());
  }

  /// Copies the server when the worker has claimed the domain. After its second report, promotes the copy and
  /// fails over to it.
  void failOverAtSecondReport(const Shop& shop, const std::function<void()>& copy,
                              const std::function<void()>& promote) {
    std::size_t applied = 0;
    workThrough(shop, [&](const OutboxEvent& event) {
      if (event.kind == Kind::domainClaimed && !next_) copy();
      if (event.kind == Kind::reportApplied && ++applied == 2) {
        promote();
        failOver();
      }
    });
  }

  /// After the failover, the object is read before a report is sent.
  void expectReadFirst(const Shop& shop) {
    auto log = service_.requests().list();
    log.erase(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(requestsBefore_));
    const auto first = std::ranges::find(log, shop.object, &fake::LoggedRequest::object);
    ASSERT_NE(first, log.end());
    EXPECT_EQ(first->method, "GET");
  }

  /// An object that shows a later report does not show what became of the previous one.
  void expectNothingReportedTwice(const Shop& shop) {
    SCOPED_TRACE(shop.domain);
    expectEachOnceInOrder(shop);
    expectReadFirst(shop);
    const auto states = statesIn(*promoted_, shop);
    EXPECT_THAT(states, testing::Each(testing::AnyOf("applied", "unknown")));
    EXPECT_EQ(states.back(), "applied");
  }

  /// Makes the log of the copy longer than that of the primary server.
  void outgrowPrimary() const {
    const Session copy{next_->url("outbox")};
    const std::string position = session_->value("SELECT pg_current_wal_insert_lsn()");
    while (copy.value("SELECT pg_current_wal_insert_lsn() > '" + position + "'") != "t")
      copy.run("SELECT pg_logical_emit_message(false, 'test', repeat('x', 1000000))");
  }

  /// Keeps the connections of workers when the server behind it is replaced.
  void pool() {
    for (const auto& path : {proxy_->folder(), proxy_->folder() / ".s.PGSQL.5432"})
      std::filesystem::permissions(path, std::filesystem::perms::all);
    pooler_ = std::make_unique<PgBouncer>(proxy_->folder());
  }

  std::unique_ptr<PostgresProxy> proxy_{};
  std::unique_ptr<PgBouncer> pooler_{};
  std::unique_ptr<PostgresServer> next_{};
  std::optional<Session> promoted_{};

 private:
  std::size_t requestsBefore_ = 0;  // the failover
};

/// The first shop is owned across the failover; a worker of the second one has worked before the copy; the
/// third one has not had an owner by then.
TEST_F(Promotion, OfAStandbyWithoutTheLastCommitsDuplicatesNothing) {
  const Shop owned = shopWith(4);
  const Shop known = shopWith(2);
  const Shop fresh = shopWith(2);
  const auto copy = [&] {
    session_->run("UPDATE tally.domain SET identity = tally.identity() WHERE domain = '" + known.domain +
                  "'");
    copyServer(&PostgresServer::newStandby);
    workOnPrimary(known);
    workOnPrimary(fresh);
  };
  failOverAtSecondReport(owned, copy, [&] { next_->promote(); });
  ASSERT_TRUE(promoted_);
  workOnPromoted(known);
  workOnPromoted(fresh);
  for (const Shop& shop : {owned, known, fresh})
    expectNothingReportedTwice(shop);
}

/// Only the timeline tells.
TEST_F(Promotion, OfAStandbyWithALongerLogThanThePrimaryDuplicatesNothing) {
  const Shop owned = shopWith(4);
  const auto promote = [&] {
    next_->promote();
    outgrowPrimary();
  };
  failOverAtSecondReport(owned, [&] { copyServer(&PostgresServer::newStandby); }, promote);
  ASSERT_TRUE(promoted_);
  expectNothingReportedTwice(owned);
}

/// Neither the timeline nor the length of the log tells: even reads make the log longer, by pages that they
/// prune.
TEST_F(Promotion, OfACopyOnTheSameTimelineDuplicatesNothingWhileTheWorkerLives) {
  const Shop owned = shopWith(4);
  failOverAtSecondReport(owned, [&] { copyServer(&PostgresServer::newCopy); }, [&] { outgrowPrimary(); });
  ASSERT_TRUE(promoted_);
  expectNothingReportedTwice(owned);
}

/// As docs/outbox.md says.
TEST_F(Promotion, OfACopyDuplicatesNothingWithoutWorkersIfItsIdentityIsCleared) {
  const Shop shop = shopWith(3);
  copyServer(&PostgresServer::newCopy);
  workOnPrimary(shop);
  failOver();
  promoted_->run("UPDATE tally.domain SET identity = ''");
  workOnPromoted(shop);
  expectNothingReportedTwice(shop);
}

TEST_F(Promotion, BehindAPoolerDuplicatesNothing) {
  if (!PgBouncer::isInstalled()) GTEST_SKIP() << "PgBouncer is not installed";
  pool();
  const Shop owned = shopWith(4);
  failOverAtSecondReport(owned, [&] { copyServer(&PostgresServer::newStandby); }, [&] { next_->promote(); });
  ASSERT_TRUE(promoted_);
  expectNothingReportedTwice(owned);
}

}  // namespace
}  // namespace tally::test
