// reportAll() with a journal that fails: what was told as final stays true, and the next run continues.

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/http_server.h>
#include <tally/report_all.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/bulk_reports.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using fake::Fault;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// How a journal fails.
struct Failure {
  const char* name;
  bool written;   // and nevertheless keeps what it was told
  bool recovers;  // works again after one failure
  bool foreign;   // throws what is no JournalError
};

const Failure failures[] = {
    {"Once", false, true, false},
    {"OnceAlthoughItHasWritten", true, true, false},
    {"ForGood", false, false, false},
    {"ForGoodAlthoughItHasWritten", true, false, false},
    {"OnceByAnother", false, true, true},
    {"OnceByAnotherAlthoughItHasWritten", true, true, true},
    {"ForGoodByAnother", false, false, true},
};

/// A job with every end, whose journal fails at one write.
class FailingJournal : public JournaledReports, public testing::WithParamInterface<Failure> {
 protected:
  using Results = std::map<std::uint64_t, Told>;

  void begin() {
    renew();
    options.journal = journal = std::make_shared<MemoryJournal>();
    options.window = 8;
    makeReports(6);
    makeReport(makeRecord(), "lost");  // invalid
    makeReport(makeRecord());
    reports.back().id = "pr_missing";  // later taken for unknown, since there is nothing to read
    const auto record = makeRecord();
    makeReport(record, "guaranteed");
    makeReport(record, "guaranteed");  // refused, and later taken for applied
    twice = reports.size() - 1;
    makeReport(makeRecord());
    reports.back().attempt = "par_another";
    makeReports(9);
    for (std::size_t row = 0; row < 6; row += 2)
      reports[row].attempt.clear();
    for (const Fault fault : {Fault::reset, Fault::responseLost})
      service->faults().inject({.operation = "payment_records.report_failed", .times = 2, .fault = fault});
  }

  void failAt(int write) {
    const auto fail = [write](int number) {
      if (number < write || (number > write && GetParam().recovers)) return;
      if (GetParam().foreign) throw std::runtime_error{"the disk is full"};
      throw JournalError{"the disk is full"};
    };
    (GetParam().written ? journal->afterWrite : journal->beforeWrite) = fail;
  }

  /// A run with the failing journal.
  Results runFailing() {
    try {
      checkCounts(run());
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(GetParam().foreign);
      EXPECT_STREQ(error.what(), "the disk is full");
    }
    return told;
  }

  /// The summary agrees with the results.
  void checkCounts(const ReportSummary& summary) const {
    std::map<ReportEnd, std::uint64_t> counts;
    bool allFinal = true;
    for (const auto& [row, one] : told) {
      ++counts[one.end];
      allFinal = allFinal && !one.pending;
    }
    EXPECT_EQ(summary.progress.applied, counts[ReportEnd::applied]);
    EXPECT_EQ(summary.progress.refused, counts[ReportEnd::refused]);
    EXPECT_EQ(summary.progress.unknown, counts[ReportEnd::unknown]);
    EXPECT_EQ(summary.progress.unsent, counts[ReportEnd::unsent]);
    if (summary.isComplete) {
      EXPECT_TRUE(allFinal);
      EXPECT_THAT(told, SizeIs(reports.size()));
    }
  }

  /// What was told as final is in the journal, and was true.
  void check(const Results& first) {
    for (const auto& [row, one] : first) {
      SCOPED_TRACE("row " + std::to_string(row) + ", told " + std::string{toString(one.end)} + ": " +
                   one.reason);
      EXPECT_FALSE(told[row].pending);
      if (one.pending) {
        EXPECT_THAT(one.end, AnyOf(ReportEnd::unknown, ReportEnd::unsent));
      } else {
        EXPECT_TRUE(told[row].fromEarlierRun);
        EXPECT_EQ(told[row].end, one.end);
      }
    }
    for (const auto& [row, one] : told) {
      SCOPED_TRACE("row " + std::to_string(row) + ", " + std::string{toString(one.end)} + ": " + one.reason);
      const bool isDone = one.end == ReportEnd::applied && row != twice;
      EXPECT_GE(timesApplied(row), isDone ? 1 : 0);
      EXPECT_LE(timesApplied(row), one.end == ReportEnd::refused ? 0 : 1);
    }
  }

  std::size_t twice = 0;
};

INSTANTIATE_TEST_SUITE_P(, FailingJournal, testing::ValuesIn(failures),
                         [](const auto& one) { return std::string{one.param.name}; });

TEST_P(FailingJournal, NeverCausesTheNextRunToContradictAFinalResult) {
  int failed = 0;
  for (int write = 0;; ++write) {
    SCOPED_TRACE("write " + std::to_string(write));
    begin();
    failAt(write);
    const Results first = runFailing();
    if (journal->writes <= write) break;
    ++failed;
    journal->beforeWrite = journal->afterWrite = {};
    const ReportSummary summary = run();
    EXPECT_TRUE(summary.isComplete) << summary;
    checkCounts(summary);
    check(first);
    EXPECT_THAT(journal->sent, IsEmpty());
  }
  EXPECT_GE(failed, 4);
}

TEST_F(JournaledReports, StayPendingWithAReasonIfTheirResultsCannotBeJournaled) {
  makeReports(1);
  journal->beforeWrite = [](int number) {
    if (number >= 1) throw JournalError{"the disk is full"};
  };
  ReportSummary summary = run();
  EXPECT_EQ(summary.problem, "the disk is full");
  EXPECT_EQ(summary.progress.applied, 0U);
  EXPECT_EQ(told[0].end, ReportEnd::unknown);
  EXPECT_TRUE(told[0].pending);
  EXPECT_EQ(told[0].reason,
            "applied, but the journal could not record it, so a later run decides it: the disk is full");
  options.journal = journal = std::make_shared<MemoryJournal>();
  journal->writesLeft = 0;
  reports[0].outcome = "lost";
  summary = run();
  EXPECT_EQ(summary.progress.refused, 0U);
  EXPECT_EQ(told[0].end, ReportEnd::unsent);
  EXPECT_TRUE(told[0].pending);
  EXPECT_THAT(told[0].reason, AllOf(HasSubstr("refused, but the journal could not record it"),
                                    HasSubstr("expected canceled, failed, guaranteed")));
}

/// What could not be recorded is recorded as soon as the journal works again.
TEST_F(JournaledReports, AreRecordedOnceTheJournalAcceptsWritesAgain) {
  makeReports(20);
  options.window = 4;
  journal->beforeWrite = [](int number) {
    if (number == 2) throw JournalError{"the disk is full"};
  };
  EXPECT_FALSE(run().isComplete);
  EXPECT_THAT(journal->sent, IsEmpty());
  const int reads = this->reads();
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(this->reads(), reads);  // nothing had to be resolved
  expectAllDoneOnce();
}

/// Over HTTP, calls are in flight in another thread when the journal throws.
class JobWithAThrowingJournal : public JournaledReports, public testing::WithParamInterface<bool> {
 protected:
  void begin() {
    server.reset();
    renew({.duration = 0ns, .limits = false, .requestLog = 100'000});
    options.journal = journal = std::make_shared<MemoryJournal>();
    options.window = 40;
    options.account = "ours";
    makeReports(60);
  }

  /// A canceled request may arrive after the next run has read the record, which no client can exclude. A
  /// server that stops first handles what has arrived, and drops the rest.
  void startServer() {
    server.reset();
    server.emplace(*service);
    client = Client{{.apiKey = key, .baseUrl = server->url()}};
  }

  /// What a run throws.
  std::string thrown() {
    if (GetParam()) startServer();
    try {
      (void)run();
    } catch (const std::exception& error) {
      return error.what();
    } catch (int number) {
      return std::to_string(number);
    }
    return "nothing";
  }

  std::optional<fake::HttpServer> server{};
};

INSTANTIATE_TEST_SUITE_P(, JobWithAThrowingJournal, testing::Bool(),
                         [](const auto& one) { return one.param ? "OverHttp" : "InProcess"; });

TEST_P(JobWithAThrowingJournal, EndsCallsInFlightAndPropagatesTheFirstException) {
  for (const int times : {1, 2, 1'000}) {
    for (int write = 0; write < 4; ++write) {
      SCOPED_TRACE("write " + std::to_string(write) + ", times " + std::to_string(times));
      begin();
      journal->beforeWrite = [&](int number) {
        if (number == write) throw std::logic_error{"first"};
        if (number > write && number < write + times) throw 2;
      };
      EXPECT_EQ(thrown(), "first");
      // All calls have ended, and are recorded: that of the first report, which is alone, by one more write,
      // those of others by several. A request that is canceled over HTTP may not have arrived.
      if (times < (write == 1 ? 2 : 4) && !GetParam()) {
        EXPECT_THAT(journal->sent, IsEmpty());
      }
      journal->beforeWrite = {};
      EXPECT_EQ(thrown(), "nothing");
      expectAllDoneOnce();
    }
  }
}

TEST_P(JobWithAThrowingJournal, PropagatesExceptionsFromReadsOfTheJournal) {
  for (int read = 0; read < 5; ++read) {
    SCOPED_TRACE("read " + std::to_string(read));
    begin();
    journal->beforeWrite = [](int number) {
      if (number == 1) throw JournalError{"the disk is full"};
    };
    EXPECT_EQ(thrown(), "nothing");
    journal->beforeWrite = {};
    int reads = 0;
    journal->onRead = [&] {
      if (reads++ >= read) throw 7;
    };
    EXPECT_EQ(thrown(), "7");
    journal->onRead = {};
    EXPECT_EQ(thrown(), "nothing");
    expectAllDoneOnce();
  }
}

TEST_P(JobWithAThrowingJournal, PropagatesTheExceptionOfTheCallbackWhenTheJournalAlsoThrows) {
  begin();
  journal->beforeWrite = [](int number) {
    if (number >= 2) throw 2;
  };
  onResult = [](const ReportResult&) { throw std::runtime_error{"callback"}; };
  EXPECT_EQ(thrown(), "callback");
  journal->beforeWrite = {};
  onResult = {};
  EXPECT_EQ(thrown(), "nothing");
  expectAllDoneOnce();
}

// ---- Journals that are damaged, or of another input

TEST_F(JournaledReports, EndAsUnknownIfTheirIntentsAreDamaged) {
  makeReports(6);
  journal->sent[1] = {.row = 1, .report = "{\"id\":\"pr_1\"", .before = ""};
  reports[3].attempt = "par_\xff";
  journal->sent[3] = {.row = 3, .report = reports[3].toText(), .before = ""};
  journal->sent[4] = {.row = 4, .report = reports[4].toText(), .before = "{\"id\":"};
  const auto input = [&] {
    std::vector<Result<Report>> rows{reports.begin(), reports.end()};
    return rows;
  }();
  std::map<std::uint64_t, Told> results;
  options.window = 2;
  const auto problem =
      reportAll(client, input, options, [&](const ReportResult& result) {
        results[result.row] = {result.end, result.pending, result.fromEarlierRun, result.reason};
      }).problem;
  EXPECT_THAT(
      problem,
      HasSubstr("the journal belongs to another input: row 2 is "));  // the text is not that of the row
  journal->sent.erase(1);
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(told[3].end, ReportEnd::unknown);
  EXPECT_FALSE(told[3].pending);
  EXPECT_THAT(told[3].reason, HasSubstr("the journal is damaged at row 4"));
  for (const std::uint64_t row : {0U, 1U, 2U, 4U, 5U})
    EXPECT_EQ(told[row].end, ReportEnd::applied) << row << told[row].reason;
  EXPECT_EQ(timesApplied(4), 1);
  EXPECT_EQ(timesApplied(3), 0);
}

/// The first rows are open without a trace in the journal, as those on an undecided object are.
TEST_F(JournaledReports, AreNotSentWhenTheInputDiffersFromTheJournal) {
  makeReports(1'000);
  options.window = 100;
  journal->ended[850] = {.row = 850, .end = ReportEnd::applied, .report = "of another input"};
  for (const bool withIntent : {false, true}) {
    if (withIntent) journal->sent[900] = {.row = 900, .report = reports[900].toText()};
    const auto summary = run();
    EXPECT_THAT(summary.problem, "the journal belongs to another input: row 851 is " + reports[850].toText() +
                                     ", but the journal has of another input");
    EXPECT_THAT(service->requests().list(), IsEmpty());
    EXPECT_THAT(told, IsEmpty());
  }
  journal->ended[850].report = reports[850].toText();
  EXPECT_TRUE(run().isComplete);
  EXPECT_TRUE(told[850].fromEarlierRun);
  EXPECT_EQ(timesApplied(849), 1);
  EXPECT_EQ(timesApplied(900), 1);
  EXPECT_THAT(told, SizeIs(1'000));
}

TEST_F(JournaledReports, AreNotSentWhenTheInputIsShorterThanTheJournal) {
  makeReports(10);
  journal->sent[10] = {.row = 10, .report = makeReport(makeRecord()).toText()};
  for (const std::size_t rows : {10U, 3U, 0U}) {
    reports.resize(rows);
    EXPECT_EQ(run().problem,
              "the journal belongs to another input, with more than " + std::to_string(rows) + " rows");
    EXPECT_THAT(service->requests().list(), IsEmpty());
    EXPECT_THAT(told, IsEmpty());
  }
}

/// A row that can't be read is compared, too.
TEST_F(JournaledReports, AreNotSentWhenAnUnreadableRowDiffersFromTheJournal) {
  makeReports(3);
  const auto inputOf = [&](const char* what) {
    std::vector<Result<Report>> rows{reports.begin(), reports.end()};
    rows.insert(rows.begin(), Error{{.kind = ErrorKind::invalidParameter, .message = what}});
    return rows;
  };
  EXPECT_TRUE(reportAll(client, inputOf("no such column"), options).isComplete);
  const auto requests = service->requests().size();
  EXPECT_THAT(reportAll(client, inputOf("a misplaced quote"), options).problem,
              AllOf(HasSubstr("row 1 is invalid parameter: a misplaced quote"),
                    HasSubstr("but the journal has invalid parameter: no such column")));
  EXPECT_EQ(service->requests().size(), requests);
  EXPECT_TRUE(reportAll(client, inputOf("no such column"), options).isComplete);
  EXPECT_EQ(service->requests().size(), requests);
}

TEST_F(JournaledReports, CanBeStoppedWhileTheInputIsComparedWithTheJournal) {
  makeReports(100);
  journal->ended[90] = {.row = 90, .end = ReportEnd::applied, .report = "of another input"};
  std::stop_source stop;
  options.stop = stop.get_token();
  int read = 0;
  const auto input = reports | std::views::transform([&](const Report& report) {
                       if (++read == 10) stop.request_stop();
                       return report;
                     });
  const auto summary = reportAll(client, input, options);
  EXPECT_TRUE(summary.stopped);
  EXPECT_EQ(summary.problem, "");
  EXPECT_EQ(read, 10);
}

TEST_F(JournaledReports, AreAppliedOnceEvenIfTheJournalReturnsOnlyThreeRowsAtATime) {
  makeReports(30);
  journal->mostAtOnce = 3;
  EXPECT_TRUE(run().isComplete);
  EXPECT_TRUE(run().isComplete);
  EXPECT_EQ(told[29].fromEarlierRun, true);
  expectAllDoneOnce();
}

TEST_F(JournaledReports, FailIfTheJournalRepeatsARow) {
  class Repeating final : public ReportJournal {
   public:
    Repeating(std::string report, bool ended) : report_(std::move(report)), ended_(ended) {}
    void open(const JournalOwner& /*owner*/) override {}
    void write(std::span<const JournalIntent> /*intents*/,
               std::span<const JournalOutcome> /*outcomes*/) override {}
    [[nodiscard]] std::vector<JournalIntent> intents(std::uint64_t /*row*/, std::size_t /*limit*/) override {
      return ended_ ? std::vector<JournalIntent>{} : std::vector{JournalIntent{.row = 0, .report = report_}};
    }
    [[nodiscard]] std::vector<JournalOutcome> outcomes(std::uint64_t /*row*/,
                                                       std::size_t /*limit*/) override {
      return ended_ ? std::vector{JournalOutcome{.row = 0, .report = report_}}
                    : std::vector<JournalOutcome>{};
    }

   private:
    std::string report_;
    bool ended_;
  };
  makeReports(2);
  for (const bool ended : {false, true}) {
    options.journal = std::make_shared<Repeating>(reports[0].toText(), ended);
    EXPECT_EQ(run().problem, "the journal returns row 1 out of order");
  }
}

// ---- Whose journal it is

class AccountJournal : public JournaledReports {
 protected:
  std::string problem() {
    try {
      return run().problem;
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  }

  void expectAccountIsNeeded(const char* why) {
    options.account = "";
    options.journal = journal = std::make_shared<MemoryJournal>();
    EXPECT_THAT(problem(),
                AllOf(HasSubstr("ReportAllOptions::account must name the account"), HasSubstr(why)));
    EXPECT_THAT(service->requests().list(), IsEmpty());
    EXPECT_THAT(told, IsEmpty());
    EXPECT_FALSE(journal->owner());
    options.journal = nullptr;
    EXPECT_EQ(problem(), "") << "without a journal";
    options.journal = journal;
    service->requests().clear();
  }
};

TEST_F(AccountJournal, RequiresAnAccountNameIfTheKeyIsFromAProviderOrAHeader) {
  makeReports(3);
  ClientOptions known = service->clientOptions(key);
  known.apiKey = "";
  known.apiKeyProvider = [this] { return key; };
  client = Client{known};
  expectAccountIsNeeded("apiKeyProvider");
  known = service->clientOptions(key);
  known.headers = {{"authorization", "Bearer " + key}};
  client = Client{known};
  expectAccountIsNeeded("Authorization");
  client = Client{service->clientOptions(key)};
  options.request.headers = {{"Authorization", "Bearer " + key}};
  expectAccountIsNeeded("Authorization");
}

TEST_F(AccountJournal, RefusesAnotherAccountNameWhenTheKeyComesFromAProvider) {
  makeReports(3);
  ClientOptions known = service->clientOptions(key);
  known.apiKey = "";
  known.apiKeyProvider = [this] { return key; };
  client = Client{known};
  options.account = "a";
  EXPECT_EQ(problem(), "");
  expectAllDoneOnce();
  const std::string other = service->addAccount().sandboxKey;
  known.apiKeyProvider = [&] { return other; };
  client = Client{known};
  options.account = "b";
  EXPECT_THAT(problem(), HasSubstr("the journal is that of input"));
  EXPECT_THAT(told, IsEmpty());
  // A key of the request is that of the account, whatever the provider returns.
  options.account = "";
  options.request.apiKey = key;
  options.journal = std::make_shared<MemoryJournal>();
  EXPECT_EQ(problem(), "");
}

TEST_F(AccountJournal, RefusesAnotherAccountNamedInAHeader) {
  makeReports(3);
  EXPECT_EQ(problem(), "");
  options.request.headers = {{"Service-Account", "acct_other"}};
  EXPECT_THAT(problem(), HasSubstr("the journal is that of input"));
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(AccountJournal, IsNotOpenedIfTheClientIsMisconfigured) {
  makeReports(3);
  ClientOptions known = service->clientOptions("");
  client = Client{known};
  EXPECT_EQ(problem(), "apiKey is empty; use a secret API key or an OAuth access token");
  EXPECT_FALSE(journal->owner());
  known.apiKey = key;
  known.baseUrl = "https://service.test?";
  client = Client{known};
  EXPECT_THAT(problem(), HasSubstr("baseUrl"));
  EXPECT_FALSE(journal->owner());
  client = Client{service->clientOptions(key)};
  EXPECT_EQ(problem(), "");
  expectAllDoneOnce();
}

TEST_F(JournaledReports, AreAppliedOnceWithTheLargestPossibleMaxInFlight) {
  makeReports(40);
  options.maxInFlight = std::numeric_limits<std::size_t>::max();
  EXPECT_TRUE(run().isComplete);
  expectAllDoneOnce();
}

}  // namespace
}  // namespace tally::test
