// Bulk reporting with a journal in SQLite, and the reader of its input.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <tally/client.h>
#include <tally/fake/sent_request.h>
#include <tally/report_all.h>
#include <tally/report_reader.h>
#include <tally/sqlite_journal.h>

#include <gtest/gtest.h>

#include "failing_calls/support/durable_files.h"
#include "failing_calls/support/search.h"
#include "failing_calls/support/served_fake.h"

namespace tally::test {

namespace {

constexpr std::size_t rows = 5;

struct ToldRow {
  ReportEnd end = ReportEnd::unsent;
  bool isPending = true;
};

using ToldRows = std::map<std::uint64_t, ToldRow>;

/// A job whose rows are distinguished by their metadata.
class Job {
 public:
  Job() {
    for (std::size_t row = 0; row < rows; ++row)
      reports_.push_back({.id = fake_.newRecord(),
                          .outcome = "failed",
                          .time = failureTime,
                          .metadata = {{"row", std::to_string(row)}}});
  }

  [[nodiscard]] Fake& fake() { return fake_; }

  [[nodiscard]] ReportSummary run(const std::filesystem::path& journal, ToldRows& told) {
    return reportAll(Client{fake_.options()}, reports_,
                     {.journal = std::make_shared<SqliteJournal>(journal), .source = "input", .window = 3},
                     [&](const ReportResult& result) {
                       told[result.row] = {.end = result.end, .isPending = result.pending};
                     });
  }

  [[nodiscard]] std::size_t timesApplied(std::uint64_t row) const {
    return fake_.timesApplied(reports_[row].id);
  }

 private:
  Fake fake_;
  std::vector<Report> reports_{};
};

/// The journal contains what has been sent and what was reported as final.
void checkJournal(Trial& trial, const Job& job, const std::filesystem::path& file, const ToldRows& told) {
  std::map<std::uint64_t, JournalOutcome> outcomes;
  std::set<std::uint64_t> intents;
  if (exists(file)) {
    SqliteJournal journal{file};
    for (JournalOutcome& outcome : journal.outcomes(0, rows))
      outcomes[outcome.row] = outcome;
    for (const JournalIntent& intent : journal.intents(0, rows))
      intents.insert(intent.row);
  }
  for (const auto& [row, one] : told)
    trial.check(one.isPending || (outcomes.contains(row) && outcomes[row].end == one.end),
                "row " + std::to_string(row) + " was reported as final, but a loss of power loses it");
  for (std::uint64_t row = 0; row < rows; ++row)
    trial.check(job.timesApplied(row) == 0 || outcomes.contains(row) || intents.contains(row),
                "row " + std::to_string(row) + " was sent, but a loss of power loses its intent");
}

void checkWhole(Trial& trial, const Job& job, const ReportSummary& summary, const ToldRows& told) {
  trial.check(summary.isComplete, "the next run is not complete: " + summary.problem);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::string name = "row " + std::to_string(row);
    trial.check(told.contains(row) && told.at(row).end == ReportEnd::applied,
                name + " is not reported as applied");
    trial.check(job.timesApplied(row) == 1,
                name + " was applied " + std::to_string(job.timesApplied(row)) + " times");
  }
}

/// Some runs continue as if the process had been killed, others as if the machine had lost power.
bool losesPower(const Trial& trial) {
  return trial.place() != nullptr && trial.place()->number % 2 == 0;
}

std::string textOfRows(std::size_t count) {
  std::string text = "id,outcome,time,metadata[order]\n";
  for (std::size_t row = 0; row < count; ++row)
    text +=
        "pr_" + std::to_string(row) + ",failed,2026-01-31T12:00:00Z,\"order, " + std::to_string(row) + "\"\n";
  return text;
}

}  // namespace

TEST(EachFailingCall, IsHandledByAJobWithAJournal) {
  const auto scenario = [](Trial& trial) {
    const TemporaryFolder folder;
    const DurableFiles durable{folder.path()};
    const std::filesystem::path file = folder.path() / "journal";
    Job job;
    ToldRows told;
    bool isComplete = false;
    const std::string thrown = trial.attempt([&] { isComplete = job.run(file, told).isComplete; });
    trial.check(!trial.isClean() || isComplete, "a job is not complete, although no call fails: " + thrown);
    checkJournal(trial, job, durable.left() / "journal", told);
    ToldRows toldNext;
    const auto resumed = job.run(losesPower(trial) ? durable.left() / "journal" : file, toldNext);
    checkWhole(trial, job, resumed, toldNext);
  };
  testFailingCalls(scenario);
}

/// The journal has the intents and outcomes of an earlier run.
TEST(EachFailingCall, IsHandledByTheNextRunOfAJob) {
  const auto scenario = [](Trial& trial) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "journal";
    Job job;
    ToldRows told;
    job.fake().service().faults().inject(
        {.operation = "payment_records.report_failed", .times = 3, .fault = fake::Fault::reset});
    const auto begin = [&] {
      StopSource stop;
      return job.run(file, told);
    };
    (void)begin();
    told.clear();
    bool isComplete = false;
    const std::string thrown = trial.attempt([&] { isComplete = job.run(file, told).isComplete; });
    trial.check(!trial.isClean() || isComplete, "a job is not complete, although no call fails: " + thrown);
    ToldRows toldNext;
    checkWhole(trial, job, job.run(file, toldNext), toldNext);
  };
  testFailingCalls(scenario);
}

TEST(EachFailingCall, IsHandledByAReportReader) {
  const auto scenario = [](Trial& trial) {
    constexpr std::size_t count = 300;  // more than a buffer
    const TemporaryFolder folder;
    const std::string file = folder.write("reports.csv", textOfRows(count));
    std::size_t read = 0;
    bool isWhole = false;
    const std::string thrown = trial.attempt([&] {
      std::ifstream in{file};
      ReportReader reader{in};
      while (const auto row = reader.next()) {
        if (!row->report || row->report->id != "pr_" + std::to_string(read)) return;
        ++read;
      }
      isWhole = true;
    });
    trial.check(!trial.isClean() || isWhole, "a file can't be read, although no call fails: " + thrown);
    trial.check(!isWhole || read == count, "a file ends after " + std::to_string(read) + " rows");
    trial.check(isWhole || !thrown.empty(), "row " + std::to_string(read) + " is read wrongly");
  };
  testFailingCalls(scenario);
}

}  // namespace tally::test
