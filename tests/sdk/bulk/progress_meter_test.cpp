#include "bulk/progress_meter.h"

#include <sstream>

#include <gtest/gtest.h>

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::ProgressMeter;

class ProgressMeterTest : public testing::Test {
 protected:
  std::string text(const ReportProgress& progress) {
    std::ostringstream out;
    out << progress;
    return out.str();
  }

  const Instant start{std::chrono::seconds{1767225600}};
  ReportAllOptions options{};
};

TEST_F(ProgressMeterTest, ComputesTheRateAndTheTimeLeft) {
  options.total = 4'000;
  ProgressMeter meter{options, start};
  for (int i = 0; i < 100; ++i)
    meter.count(ReportEnd::applied, i < 50);
  meter.count(ReportEnd::refused, false);
  meter.count(ReportEnd::unknown, false);
  const auto progress = meter.progress(start + 2s, 7);
  EXPECT_EQ(progress.fromEarlierRun, 50U);
  EXPECT_EQ(progress.waiting, 3'898U);
  EXPECT_DOUBLE_EQ(progress.rate, 26);
  EXPECT_EQ(progress.timeLeft, 150s);
  EXPECT_EQ(text(progress),
            "100 applied, 1 refused, 1 unknown, 3898 waiting, 26.0 per second, 00:02:30 left");
}

TEST_F(ProgressMeterTest, CountsWaitingReportsIfTheTotalIsUnknown) {
  ProgressMeter meter{options, start};
  meter.count(ReportEnd::unsent, false);
  const auto progress = meter.progress(start, 7);
  EXPECT_EQ(progress.waiting, 7U);
  EXPECT_FALSE(progress.timeLeft);
  EXPECT_EQ(text(progress), "0 applied, 0 refused, 0 unknown, 1 unsent, 7 waiting, 0.0 per second");
}

TEST_F(ProgressMeterTest, GivesNoEstimateUntilAReportHasEnded) {
  options.total = 10;
  const ProgressMeter meter{options, start};
  EXPECT_FALSE(meter.progress(start + 1s, 1).timeLeft);
  EXPECT_FALSE(meter.progress(start, 1).timeLeft);
}

TEST_F(ProgressMeterTest, ExcludesUnsentReportsFromTheRate) {
  options.total = 100;
  ProgressMeter meter{options, start};
  for (int i = 0; i < 10; ++i)
    meter.count(ReportEnd::applied, false);
  for (int i = 0; i < 60; ++i)
    meter.count(ReportEnd::unsent, false);
  const auto progress = meter.progress(start + 2s, 0);
  EXPECT_DOUBLE_EQ(progress.rate, 5) << "what is not sent takes no time";
  EXPECT_EQ(progress.timeLeft, 6s);
}

TEST_F(ProgressMeterTest, IsDueOncePerInterval) {
  options.progressInterval = 2s;
  ProgressMeter meter{options, start};
  EXPECT_FALSE(meter.isDue(start + 1s));
  EXPECT_TRUE(meter.isDue(start + 2s));
  EXPECT_FALSE(meter.isDue(start + 3s));
  EXPECT_TRUE(meter.isDue(start + 9s));
  EXPECT_EQ(meter.due(), start + 11s);
}

}  // namespace
}  // namespace tally::test
