#include "postgres/postgres_session.h"

#include <string>

#include <tally/outbox_report.h>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "outbox/postgres_server.h"

namespace tally::test {
namespace {

/// While it exists, poll(2) fails, since it refuses more descriptors than a process may have.
class FailingPoll {
 public:
  FailingPoll() {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit none{.rlim_cur = 0, .rlim_max = before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  }
  FailingPoll(const FailingPoll&) = delete;
  FailingPoll& operator=(const FailingPoll&) = delete;
  ~FailingPoll() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_{};
};

TEST(PostgresSessions, NeverMistakeTheReplyToOneStatementForAnother) {
  if (!PostgresServer::isInstalled()) GTEST_SKIP() << "PostgreSQL is not installed";
  detail::PostgresSession session{PostgresServer::instance().urlOfNewDatabase()};
  EXPECT_EQ(session.query("SELECT 1", {}).text(0, 0), "1");
  {
    const FailingPoll failing;
    EXPECT_THROW((void)session.query("SELECT 2 FROM pg_sleep(0.1)", {}), OutboxError);
  }
  EXPECT_TRUE(session.isLost());
  EXPECT_EQ(session.query("SELECT 3", {}).text(0, 0), "3");
}

}  // namespace
}  // namespace tally::test
