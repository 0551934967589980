#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "outbox/postgres_database.h"

namespace tally::test {
namespace {

constexpr int enoughForAGenericPlan = 6;  // PostgreSQL plans the first five executions separately

std::string reports(int first, int last) {
  return "(SELECT array_agg(jsonb_build_object('id', 'pr_' || i, 'outcome', 'failed', 'time', 1)) FROM "
         "generate_series(" +
         std::to_string(first) + ", " + std::to_string(last) + ") i)";
}

/// A session keeps its plans. These were made for tables that have been vacuumed while they were empty.
class PlansForAnEmptyOutbox : public MigratedOutboxTest {
 protected:
  void SetUp() override {
    MigratedOutboxTest::SetUp();
    if (!session_) return;
    session_->run("VACUUM tally.report");
    session_->run("VACUUM tally.report_key");
    for (int i = 0; i < enoughForAGenericPlan; ++i) {
      enqueueOne();
      enqueueAll();
    }
    connect().run("SELECT tally.enqueue_all('shop', " + reports(1001, 3000) + ")");
  }

  void enqueueOne() { session_->run("SELECT tally.enqueue('shop', (" + reports(1, 1) + ")[1], 'order-1')"); }

  void enqueueAll() { session_->run("SELECT tally.enqueue_all('shop', " + reports(1, 3) + ")"); }

  /// How many rows a transaction reads.
  [[nodiscard]] int rowsReadBy(const std::function<void()>& action) const {
    session_->run("BEGIN");
    const int before = rowsRead();
    action();
    const int after = rowsRead();
    session_->run("COMMIT");
    return after - before;
  }

 private:
  [[nodiscard]] int rowsRead() const {
    return std::stoi(
        session_->value("SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables "
                        "WHERE schemaname = 'tally' AND relname IN ('report', 'report_key')"));
  }
};

constexpr int few = 30;

TEST_F(PlansForAnEmptyOutbox, SuitAReportInAFullOne) {
  EXPECT_LT(rowsReadBy([this] { enqueueOne(); }), few);
}

TEST_F(PlansForAnEmptyOutbox, SuitAnArrayOfReportsInAFullOne) {
  EXPECT_LT(rowsReadBy([this] { enqueueAll(); }), few);
}

}  // namespace
}  // namespace tally::test
