// Outbox::run() with PostgreSQL and the fake: what the worker believes is compared with what the service did.

#include <map>
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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = OutboxEvent::Kind;

class OutboxRun : public MigratedOutboxTest {
 protected:
  OutboxOptions options() {
    OutboxOptions made;
    made.domains = {{.name = "shop", .client = service.clientOptions(key)}};
    made.clock = made.domains[0].client.clock;
    made.domains[0].client.timeout = 5s;
    made.allowLossOnPowerFailure = true;  // the server of the tests
    made.onEvent = [this](const OutboxEvent& event) {
      events.push_back(event);
      if (onEvent) onEvent(event);
    };
    return made;
  }

  /// Works until `count` reports have ended.
  void runUntilEnded(std::size_t count) {
    StopSource stop;
    std::size_t ended = 0;
    onEvent = [&](const OutboxEvent& event) {
      const bool isEnd = event.kind >= Kind::reportApplied && event.kind <= Kind::reportParked;
      if (isEnd && ++ended == count) stop.request_stop();
    };
    Outbox{url(), options()}.run(stop.get_token());
  }

  /// Calls `beat` after each heartbeat, with its number, until it returns true.
  void runUntil(const OutboxOptions& with, const std::function<bool(int)>& beat) {
    StopSource stop;
    int beats = 0;
    onEvent = [&](const OutboxEvent& event) {
      if (event.kind == Kind::heartbeat && beat(++beats)) stop.request_stop();
    };
    Outbox{url(), with}.run(stop.get_token());
  }

  std::string record() { return service.insert<PaymentRecord>(key).id.str(); }

  std::vector<std::string> values(const std::string& sql) { return session_->run(sql); }

  fake::Service service{{.requestLog = 100'000}};
  std::string key = service.addAccount().sandboxKey;
  std::vector<OutboxEvent> events{};
  std::function<void(const OutboxEvent&)> onEvent{};
};

OutboxReport reportOn(const std::string& id, const std::string& outcome = "failed",
                      const std::string& reportKey = {}) {
  OutboxReport made = failedReport(id, reportKey);
  made.report.outcome = outcome;
  return made;
}

TEST_F(OutboxRun, AppliesAReport) {
  const std::string id = record();
  ASSERT_TRUE(enqueue(*session_, "shop", reportOn(id, "failed", "order-1")));
  runUntilEnded(1);
  EXPECT_THAT(values("SELECT state FROM tally.reports"), ElementsAre("applied"));
  EXPECT_THAT(values("SELECT count(*) FROM tally.worker"), ElementsAre("0"));
}

TEST_F(OutboxRun, AppliesEveryReportOnSeveralObjects) {
  std::vector<std::string> ids;
  for (int object = 0; object < 5; ++object)
    ids.push_back(record());
  for (int round = 0; round < 4; ++round)
    for (const std::string& id : ids) {
      OutboxReport one = reportOn(id, round % 2 == 0 ? "failed" : "canceled");
      one.report.metadata.set("round", std::to_string(round));
      ASSERT_TRUE(enqueue(*session_, "shop", one));
    }
  runUntilEnded(20);
  EXPECT_THAT(values("SELECT state, count(*) FROM tally.reports GROUP BY 1"), ElementsAre("applied", "20"));
}

constexpr int beatsIn12Seconds = 5;  // by default, the first one at once and then one every three seconds

TEST_F(OutboxRun, LimitsWaitingReportsInAPausedDomain) {
  const auto isEnqueued = [&] { return enqueue(*session_, "shop", reportOn(record())).has_value(); };
  ASSERT_TRUE(isEnqueued());
  session_->run("SELECT tally.limit_waiting('shop', 2); SELECT tally.pause('shop', 'audit')");
  bool isRefused = false;
  runUntil(options(), [&](int beat) {
    if (beat == 1) {
      EXPECT_TRUE(isEnqueued());
    }
    if (beat == beatsIn12Seconds) isRefused = !isEnqueued();
    return beat == beatsIn12Seconds;
  });
  EXPECT_TRUE(isRefused);
}

TEST_F(OutboxRun, RemovesOldReportsFromAPausedDomain) {
  ASSERT_TRUE(enqueue(*session_, "shop", reportOn(record())));
  session_->run(
      "SELECT tally.pause('shop', 'audit');"
      "INSERT INTO tally.outcome VALUES (1, 'shop', 'applied', '', gen_random_uuid(), '2026-01-01')");
  OutboxOptions with = options();
  with.retention = 60s;
  runUntil(with, [](int beat) { return beat == beatsIn12Seconds; });
  EXPECT_THAT(values("SELECT id FROM tally.report"), IsEmpty());
}

}  // namespace
}  // namespace tally::test
