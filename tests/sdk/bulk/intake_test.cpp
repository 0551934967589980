#include "bulk/intake.h"

#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/bulk_reports.h"
#include "sdk/support/bulk_rows.h"

namespace tally::test {
namespace {

using detail::Action;
using detail::Arrival;
using detail::BulkRows;
using detail::GuardedJournal;
using detail::Intake;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class IntakeTest : public testing::Test {
 protected:
  Intake& intake() {
    if (!intake_) intake_.emplace(rows, window, source, guarded(), thrown);
    return *intake_;
  }
  void journalIntent(std::uint64_t row, const std::string& before = "") {
    journal.sent[row] = {.row = row, .report = makeRow(row, idOf(row)).report.toText(), .before = before};
  }
  void journalOutcome(std::uint64_t row, ReportEnd end, const std::string& reason = "") {
    journal.ended[row] = {
        .row = row, .end = end, .reason = reason, .report = makeRow(row, idOf(row)).report.toText()};
  }
  static std::string idOf(std::uint64_t row) { return "pr_" + std::to_string(row); }

  /// Reads everything that is left of the journal's intents, and then the input.
  Arrival next() {
    EXPECT_TRUE(intake().compare({}));
    while (const auto resumed = intake().resume())
      rows.erase(resumed->row->number);
    return intake().next().value();
  }

  BulkRows rows{};
  std::size_t window = 10;
  std::uint64_t inputSize = 3;
  MemoryJournal journal{};
  bool hasJournal = true;
  std::exception_ptr thrown{};
  std::uint64_t readSoFar = 0;
  std::function<Result<Report>(std::uint64_t)> inputRow = [](std::uint64_t row) {
    return makeRow(row, idOf(row)).report;
  };

 private:
  GuardedJournal* guarded() {
    if (hasJournal) guarded_.emplace(journal, thrown);
    return guarded_ ? &*guarded_ : nullptr;
  }

  detail::ReportSource source = [this]() -> std::optional<Result<Report>> {
    if (readSoFar == inputSize) return std::nullopt;
    return inputRow(readSoFar++);
  };
  std::optional<GuardedJournal> guarded_{};
  std::optional<Intake> intake_{};
};

TEST_F(IntakeTest, ReadsTheInputInOrder) {
  for (std::uint64_t number = 0; number < inputSize; ++number) {
    const Arrival arrival = next();
    EXPECT_EQ(arrival.row, &rows.at(number));
    EXPECT_EQ(arrival.row->report.id, idOf(number));
    EXPECT_EQ(arrival.row->action, Action::send);
    EXPECT_FALSE(arrival.ended || arrival.row->intended);
  }
  EXPECT_FALSE(intake().hasEnded());
  EXPECT_EQ(intake().next(), std::nullopt);
  EXPECT_TRUE(intake().hasEnded());
}

TEST_F(IntakeTest, HasNoRoomWhenTheWindowIsFull) {
  window = 2;
  (void)next();
  EXPECT_TRUE(intake().hasRoom());
  (void)next();
  EXPECT_FALSE(intake().hasRoom());
  rows.erase(0);
  EXPECT_TRUE(intake().hasRoom());
}

TEST_F(IntakeTest, ReadsTheInputWithoutAJournal) {
  hasJournal = false;
  EXPECT_EQ(next().row->number, 0U);
}

TEST_F(IntakeTest, RefusesAReportWithAnInvalidOutcome) {
  inputRow = [](std::uint64_t) { return Report{.id = "pr_1", .outcome = "lost"}; };
  const Arrival arrival = next();
  ASSERT_TRUE(arrival.ended);
  EXPECT_EQ(arrival.ended->end, ReportEnd::refused);
  EXPECT_FALSE(arrival.ended->pending);
  EXPECT_THAT(arrival.ended->reason, HasSubstr("param outcome"));
  EXPECT_EQ(arrival.row->error->kind(), ErrorKind::invalidParameter);
}

TEST_F(IntakeTest, RefusesARowThatCouldNotBeRead) {
  inputRow = [](std::uint64_t) { return Result<Report>{makeError(ErrorKind::invalidParameter)}; };
  const Arrival arrival = next();
  ASSERT_TRUE(arrival.ended);
  EXPECT_EQ(arrival.ended->end, ReportEnd::refused);
  EXPECT_EQ(arrival.row->error->kind(), ErrorKind::invalidParameter);
}

TEST_F(IntakeTest, ResumesReportsWithIntentsBeforeReadingTheInput) {
  journalIntent(1, R"({"id":"pr_1","object":"payment_record","latest_payment_attempt_record":"par_1"})");
  ASSERT_TRUE(intake().compare({}));
  EXPECT_EQ(intake().next(), std::nullopt) << "the intents come first";
  const auto resumed = intake().resume();
  ASSERT_TRUE(resumed && !resumed->ended);
  EXPECT_EQ(resumed->row, &rows.at(1));
  EXPECT_EQ(resumed->row->action, Action::resolve);
  EXPECT_TRUE(resumed->row->intended);
  EXPECT_EQ(intake().resume(), std::nullopt);
  EXPECT_EQ(next().row->number, 0U) << "even if the report can't be resolved";
  EXPECT_EQ(next().row, nullptr) << "row 1 has been resumed";
  EXPECT_EQ(next().row->number, 2U);
}

TEST_F(IntakeTest, ReadsIntentsWhileTheWindowHasRoom) {
  window = 2;
  for (std::uint64_t row = 0; row < 3; ++row)
    journalIntent(row);
  ASSERT_TRUE(intake().compare({}));
  EXPECT_EQ(intake().resume()->row->number, 0U);
  EXPECT_EQ(intake().resume()->row->number, 1U);
  EXPECT_FALSE(intake().hasRoom());
  rows.erase(1);
  EXPECT_EQ(intake().resume()->row->number, 2U);
}

TEST_F(IntakeTest, EndsAReportAsUnknownIfItsIntentIsDamaged) {
  journalIntent(0);
  ASSERT_TRUE(intake().compare({}));
  journal.sent[0].report = "{";
  const auto resumed = intake().resume();
  ASSERT_TRUE(resumed && resumed->ended);
  EXPECT_EQ(resumed->ended->end, ReportEnd::unknown);
  EXPECT_THAT(resumed->ended->reason, HasSubstr("the journal is damaged at row 1"));
}

TEST_F(IntakeTest, RefusesIntentsThatAreOutOfOrder) {
  journalIntent(1);
  ASSERT_TRUE(intake().compare({}));
  ASSERT_TRUE(intake().resume());
  journal.sent[9] = journal.sent[1];  // again, under another number
  EXPECT_THAT([&] { (void)intake().resume(); }, ThrowsMessage<JournalError>(HasSubstr("row 2 out of order")));
}

TEST_F(IntakeTest, ReturnsTheFinalOutcomesOfEarlierRuns) {
  journalOutcome(0, ReportEnd::applied);
  journalOutcome(1, ReportEnd::refused, "no such record");
  journalOutcome(2, ReportEnd::unsent, "stopped");
  for (const auto& [end, reason] :
       {std::pair{ReportEnd::applied, ""}, std::pair{ReportEnd::refused, "no such record"}}) {
    const Arrival arrival = next();
    EXPECT_TRUE(arrival.fromEarlierRun);
    ASSERT_TRUE(arrival.ended);
    EXPECT_EQ(arrival.ended->end, end);
    EXPECT_EQ(arrival.ended->reason, reason);
    EXPECT_TRUE(rows.empty()) << "it takes no room";
  }
  const Arrival unsent = next();
  EXPECT_FALSE(unsent.fromEarlierRun || unsent.ended) << "it is sent now";
}

TEST_F(IntakeTest, RefusesTheJournalOfAnotherInputBeforeReturningAReport) {
  journalOutcome(1, ReportEnd::applied);
  inputRow = [](std::uint64_t row) { return makeRow(row, "pr_other").report; };
  EXPECT_THAT([&] { (void)intake().compare({}); },
              ThrowsMessage<JournalError>(
                  HasSubstr("the journal belongs to another input: row 2 is {\"id\":\"pr_other\"")));
  EXPECT_TRUE(rows.empty());
}

TEST_F(IntakeTest, RefusesTheJournalOfALongerInputDuringTheComparison) {
  journalIntent(3);
  EXPECT_THAT([&] { (void)intake().compare({}); },
              ThrowsMessage<JournalError>(HasSubstr("with more than 3 rows")));
}

TEST_F(IntakeTest, RefusesTheJournalOfALongerInputWhenTheInputEnds) {
  journalOutcome(0, ReportEnd::applied);
  journalOutcome(3, ReportEnd::applied);
  for (std::uint64_t row = 0; row < inputSize; ++row)
    (void)next();
  EXPECT_THAT([&] { (void)intake().next(); },
              ThrowsMessage<JournalError>(HasSubstr("with more than 3 rows")));
}

TEST_F(IntakeTest, RefusesARowThatDiffersFromItsIntent) {
  journalOutcome(0, ReportEnd::applied);
  journalIntent(1);
  inputRow = [](std::uint64_t row) { return makeRow(row, row == 1 ? "pr_other" : idOf(row)).report; };
  EXPECT_TRUE(next().fromEarlierRun);
  EXPECT_THAT([&] { (void)next(); }, ThrowsMessage<JournalError>(HasSubstr("row 2 is ")));
}

TEST_F(IntakeTest, StopsTheComparisonOnRequestAndContinuesItLater) {
  journalOutcome(2, ReportEnd::applied);
  StopSource stop;
  inputRow = [&](std::uint64_t row) {
    stop.request_stop();
    return makeRow(row, idOf(row)).report;
  };
  EXPECT_FALSE(intake().compare(stop.get_token()));
  EXPECT_EQ(readSoFar, 1U);
  EXPECT_TRUE(intake().compare({})) << "it continues";
  EXPECT_EQ(readSoFar, 3U);
}

TEST_F(IntakeTest, StoresAnExceptionThrownByTheSource) {
  inputRow = [](std::uint64_t) -> Result<Report> { throw std::runtime_error{"torn"}; };
  ASSERT_TRUE(intake().compare({}));
  EXPECT_EQ(intake().resume(), std::nullopt);
  EXPECT_EQ(intake().next(), std::nullopt);
  EXPECT_FALSE(intake().hasEnded());
  EXPECT_THAT([&] { std::rethrow_exception(thrown); }, ThrowsMessage<std::runtime_error>("torn"));
}

TEST_F(IntakeTest, StoresAnExceptionThrownDuringTheComparison) {
  journalOutcome(2, ReportEnd::applied);
  inputRow = [](std::uint64_t) -> Result<Report> { throw std::runtime_error{"torn"}; };
  EXPECT_FALSE(intake().compare({}));
  EXPECT_TRUE(thrown);
}

}  // namespace
}  // namespace tally::test
