// Outbox::run() with SQLite and the fake: what the worker believes is compared with what the service did.

#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/outbox.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failed_report.h"
#include "wire/temporary_folder.h"

namespace tally::test {
namespace {

TEST(SqliteRun, SendsTheReportsInAFileInOrder) {
  const TemporaryFolder folder;
  fake::Service service{{.requestLog = 100'000}};
  const std::string key = service.addAccount().sandboxKey;
  OutboxOptions options;
  options.domains = {{.name = "shop", .client = service.clientOptions(key)}};
  options.domains[0].client.timeout = std::chrono::seconds{5};
  StopSource stop;
  std::vector<std::uint64_t> applied;
  constexpr std::size_t count = 6;
  options.onEvent = [&](const OutboxEvent& event) {
    if (event.kind == OutboxEvent::Kind::reportApplied) applied.push_back(event.report);
    if (applied.size() == count) stop.request_stop();
  };
  Outbox outbox{"sqlite:" + (folder.path() / "outbox.db").string(), options};
  outbox.migrate();
  const std::string id = service.insert<PaymentRecord>(key).id.str();
  std::vector<std::uint64_t> enqueued;
  for (std::size_t i = 0; i < count; ++i) {
    OutboxReport report = failedReport(id);
    report.report.outcome = i % 2 == 0 ? "failed" : "canceled";
    enqueued.push_back(outbox.enqueue("shop", report).value());
  }
  outbox.run(stop.get_token());
  EXPECT_EQ(applied, enqueued);
  const auto status = outbox.status();
  ASSERT_EQ(status.size(), 1U);
  EXPECT_EQ(status[0].waiting, 0U);
  EXPECT_EQ(status[0].owner, "");
}

TEST(SqliteRun, LimitsWaitingReportsAndErasesNothingUndecided) {
  const TemporaryFolder folder;
  Outbox outbox{"sqlite:" + (folder.path() / "outbox.db").string()};
  outbox.migrate();
  ASSERT_TRUE(outbox.enqueue("shop", failedReport("pr_1")));
  outbox.limitWaiting("shop", 1);
  const auto refused = outbox.enqueue("shop", failedReport("pr_2"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().param(), "domain");
  for (const auto most : {std::optional<std::uint64_t>{}, std::optional{~std::uint64_t{0}}}) {
    outbox.limitWaiting("shop", most);
    EXPECT_TRUE(outbox.enqueue("shop", failedReport("pr_2")));
  }
  EXPECT_THROW(outbox.erase("shop", "pr_1"), OutboxError);  // it is not decided
  EXPECT_EQ(outbox.erase("shop", "pr_3"), 0U);
}

TEST(SqliteRun, ShowsAPauseWithoutAReason) {
  const TemporaryFolder folder;
  Outbox outbox{"sqlite:" + (folder.path() / "outbox.db").string()};
  outbox.migrate();
  ASSERT_TRUE(outbox.enqueue("shop", failedReport("pr_1")));
  outbox.pause("shop", "");
  EXPECT_EQ(outbox.status().at(0).paused, "no reason given");
}

TEST(SqliteRun, RequiresAFileName) {
  EXPECT_THROW((Outbox{"sqlite:"}), OutboxError);
}

}  // namespace
}  // namespace tally::test
