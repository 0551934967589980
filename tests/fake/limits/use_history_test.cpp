#include "limits/use_history.h"

#include <gtest/gtest.h>

namespace tally::fake::detail {

namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class UseHistoryTest : public testing::Test {
 protected:
  [[nodiscard]] LimitHistory told() const {
    LimitHistory filled{};
    history.addTo(filled, now);
    return filled;
  }

  void refuse(int times, std::string_view object = {}) {
    for (int n = 0; n < times; ++n)
      history.noteRefusal(now, object);
  }

  const Instant start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + seconds{30};
  Instant now = start;
  UseHistory history{};
};

TEST_F(UseHistoryTest, KeepsTheHighestUseAndItsTime) {
  history.noteUse(now, 3, "pi_1");
  now += seconds{1};
  history.noteUse(now, 7, "pi_2");
  now += seconds{1};
  history.noteUse(now, 7, "pi_3");
  history.noteUse(now, 2, "pi_4");
  EXPECT_EQ(told().highestUse, 7);
  EXPECT_EQ(told().highestAt, start + seconds{1}) << "the first time";
  EXPECT_EQ(told().highestObject, "pi_2");
}

TEST_F(UseHistoryTest, ForgetsUseAfterADay) {
  history.noteUse(now, 9);
  now += hours{2};
  history.noteUse(now, 4);
  EXPECT_EQ(told().highestUse, 9);
  now = start + hours{24};
  EXPECT_EQ(told().highestUse, 4);
  now += hours{2};
  EXPECT_EQ(told().highestUse, 0);
  EXPECT_EQ(told().highestAt, std::nullopt);
}

TEST_F(UseHistoryTest, CountsRefusalsPerMinute) {
  refuse(2, "pi_1");
  now += seconds{29};
  refuse(1, "pi_2");
  now += minutes{5};
  refuse(4, "pi_3");
  const LimitHistory found = told();
  EXPECT_EQ(found.refusals, 7);
  EXPECT_EQ(found.firstRefusal, start);
  EXPECT_EQ(found.lastRefusal, now);
  EXPECT_EQ(found.refusedObject, "pi_3");
  EXPECT_EQ(found.minutes,
            (std::vector<RefusedMinute>{{start - seconds{30}, 3}, {start + minutes{5} - seconds{30}, 4}}));
}

TEST_F(UseHistoryTest, ForgetsRefusalsAfterADay) {
  refuse(2);
  now += minutes{5};
  refuse(1);
  now = start + hours{24};
  EXPECT_EQ(told().refusals, 1);
  EXPECT_EQ(told().firstRefusal, start + minutes{5} - seconds{30}) << "to the minute";
  now += hours{1};
  EXPECT_EQ(told(), LimitHistory{});
  refuse(1);
  EXPECT_EQ(told().firstRefusal, now);
}

TEST_F(UseHistoryTest, HasNoPeakBeforeItsHourWhenARequestHasWaited) {
  const Instant arrived = now;
  now += seconds{1};
  history.noteUse(now, 1, "sub_2");
  history.noteUse(arrived, 2, "sub_1");
  ASSERT_EQ(history.peaks().size(), 1U);
  EXPECT_EQ(history.peaks().front().since, now);
  EXPECT_EQ(history.peaks().front().time, now);
  EXPECT_EQ(told().highestObject, "sub_1");
}

TEST_F(UseHistoryTest, HasItsPeaksInOrderWhenARequestHasWaitedBeyondAnHour) {
  history.noteUse(now, 1);
  const Instant arrived = now + hours{1} - seconds{1};
  now += hours{1};
  history.noteUse(now, 1);
  history.noteUse(arrived, 2);
  ASSERT_EQ(history.peaks().size(), 2U);
  EXPECT_EQ(history.peaks().back().since, now);
  EXPECT_EQ(history.peaks().back().time, now);
}

TEST_F(UseHistoryTest, CountsRefusalsPerMinuteBefore1970) {
  now = Instant{} - seconds{90};
  refuse(1);
  EXPECT_EQ(told().minutes, (std::vector<RefusedMinute>{{Instant{} - minutes{2}, 1}}));
  EXPECT_EQ(told().firstRefusal, now);
}

TEST_F(UseHistoryTest, UsesABoundedAmountOfMemory) {
  for (int n = 0; n < 10'000; ++n, now += minutes{1}) {
    history.noteUse(now, n % 7);
    refuse(1);
  }
  EXPECT_LE(history.peaks().size(), 25U);
  EXPECT_EQ(history.minutes(now).size(), static_cast<std::size_t>(24 * 60 - 1));
}

TEST_F(UseHistoryTest, SupportsBothEndsOfTheTimeRange) {
  for (const Instant time : {Instant::min(), Instant::max()}) {
    UseHistory extreme{};
    extreme.noteUse(time, 1);
    extreme.noteRefusal(time);
    LimitHistory found{};
    extreme.addTo(found, time);
    EXPECT_EQ(found.highestUse, 1);
    EXPECT_EQ(found.refusals, 1);
  }
}

}  // namespace

}  // namespace tally::fake::detail
