// A worker and an application that reach the database through a pooler in transaction mode.

#include "outbox/postgres/pg_bouncer.h"

#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/postgres_database.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Kind = OutboxEvent::Kind;

class PgBouncerOutbox : public MigratedOutboxTest {
 protected:
  void SetUp() override {
    if (!PgBouncer::isInstalled()) GTEST_SKIP() << "PgBouncer is not installed";
    MigratedOutboxTest::SetUp();
    pooled_ = std::make_unique<Session>(pooledUrl());
  }

  static std::string pooledUrl() { return PgBouncer::instance().url("outbox"); }

  /// Works through the pooler until `count` reports have ended.
  void runUntilEnded(std::size_t count) {
    OutboxOptions options;
    options.domains = {{.name = "shop", .client = service_.clientOptions(key_)}};
    options.domains[0].client.timeout = 5s;
    options.allowLossOnPowerFailure = true;  // the server of the tests
    StopSource stop;
    std::size_t ended = 0;
    options.onEvent = [&](const OutboxEvent& event) {
      EXPECT_NE(event.kind, Kind::trouble) << event;
      const bool isEnd = event.kind >= Kind::reportApplied && event.kind <= Kind::reportParked;
      if (isEnd && ++ended == count) stop.request_stop();
    };
    Outbox{pooledUrl(), options}.run(stop.get_token());
  }

  std::unique_ptr<Session> pooled_{};
  fake::Service service_{};
  std::string key_ = service_.addAccount().sandboxKey;
};

TEST_F(PgBouncerOutbox, UsesADifferentServerConnectionForEachTransaction) {
  EXPECT_NE(pooled_->value("SELECT pg_backend_pid()"), pooled_->value("SELECT pg_backend_pid()"));
}

TEST_F(PgBouncerOutbox, SendsTheReportsOnAnObjectInOrder) {
  const std::string id = service_.insert<PaymentRecord>(key_).id.str();
  for (int report = 0; report < 5; ++report)
    ASSERT_TRUE(enqueue(*pooled_, "shop", failedReport(id, "k" + std::to_string(report))));
  runUntilEnded(5);
  EXPECT_THAT(session_->run("SELECT key FROM tally.reports WHERE state = 'applied' ORDER BY decided_at"),
              ElementsAre("k0", "k1", "k2", "k3", "k4"));
  EXPECT_THAT(session_->run("SELECT count(*) FROM tally.worker"), ElementsAre("0"));
}

TEST_F(PgBouncerOutbox, EnqueuesInTheTransactionOfTheApplication) {
  ASSERT_TRUE(pooled_->run("BEGIN").empty());
  ASSERT_TRUE(enqueue(*pooled_, "shop", failedReport("pr_1", "rolled back")));
  ASSERT_TRUE(pooled_->run("ROLLBACK").empty());
  ASSERT_TRUE(pooled_->run("BEGIN").empty());
  ASSERT_TRUE(
      enqueueAll(*pooled_, "shop", std::vector{failedReport("pr_1", "a"), failedReport("pr_2", "b")}));
  ASSERT_TRUE(pooled_->run("COMMIT").empty());
  EXPECT_THAT(session_->run("SELECT key FROM tally.reports ORDER BY id"), ElementsAre("a", "b"));
}

TEST_F(PgBouncerOutbox, SendsReportsWhenNotificationsAreEnabled) {
  session_->run("UPDATE tally.schema SET notifies = true");
  const std::string id = service_.insert<PaymentRecord>(key_).id.str();
  ASSERT_TRUE(enqueue(*pooled_, "shop", failedReport(id, "k")));
  runUntilEnded(1);
  EXPECT_THAT(session_->run("SELECT state FROM tally.reports"), ElementsAre("applied"));
}

}  // namespace
}  // namespace tally::test
