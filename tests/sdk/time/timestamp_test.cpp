#include <chrono>
#include <optional>

#include <tally/payment_records.h>
#include <tally/timestamp.h>

#include <gtest/gtest.h>

namespace tally {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::sys_time;

TEST(Timestamps, AreRoundedDownToSeconds) {
  EXPECT_EQ(Timestamp{sys_time<std::chrono::nanoseconds>{1'999'999'999ns}}, sys_seconds{1s});
  EXPECT_EQ(Timestamp{sys_time<std::chrono::milliseconds>{-1ms}}, sys_seconds{-1s});
  EXPECT_EQ((Timestamp{sys_time<std::chrono::duration<double>>{std::chrono::duration<double>{2.75}}}),
            sys_seconds{2s});
}

TEST(Timestamps, AcceptSystemClockTimesOfAnyPrecision) {
  const sys_days day{std::chrono::year{2026} / 11 / 23};
  EXPECT_EQ(Timestamp{day}, sys_seconds{day});
  EXPECT_EQ(Timestamp{day + 5h}, day + 5h);
  const sys_seconds back = Timestamp{day};
  EXPECT_EQ(back, day);
}

TEST(Timestamps, AreAcceptedByReports) {
  const auto now = std::chrono::system_clock::now();
  const PaymentRecordReportFailedParams reported{.failedAt = std::chrono::system_clock::now()};
  EXPECT_GE(*reported.failedAt, std::chrono::floor<std::chrono::seconds>(now));
  const std::optional<sys_seconds> known{sys_seconds{7s}};
  EXPECT_EQ((PaymentRecordReportFailedParams{.failedAt = known}.failedAt), known);
  const Report report{.id = "pr_1", .outcome = "failed", .time = sys_days{} + 1500ms};
  EXPECT_EQ(report.time, sys_seconds{1s});
}

}  // namespace
}  // namespace tally
