// A reporting program is killed and restarted repeatedly. What it finally believes matches what the service
// did.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "reporting.h"
#include "stress/random_source.h"

namespace tally::test {
namespace {

using Ended = Reporting::Ended;
using Times = Reporting::Times;

/// When the program is killed during its first run.
struct Moment {
  const char* name;
  int step;         // of its journal; 0: none
  Mishap ofReport;  // of the reporting request
  bool done;        // whether the service has already applied the report
};

// Steps 1 and 2 are before and after the journal records the object; 3 and 4, the outcome of the report.
const Moment moments[] = {
    {"BeforeSending", 2, Mishap::none, false},
    {"OnTheWay", 0, Mishap::killed, false},
    {"BeforeTheResponse", 0, Mishap::killedBeforeResponse, true},
    {"WithinTheResponse", 0, Mishap::killedWithinResponse, true},
    {"AfterTheResponse", 3, Mishap::none, true},
};

class KilledReport : public testing::TestWithParam<std::tuple<Moment, const char*, const char*>> {
 protected:
  const Moment moment = std::get<Moment>(GetParam());
  const std::string known = std::get<1>(GetParam());
  const std::string earlier = std::get<2>(GetParam());
  Reporting reporting{};
  Id<PaymentRecord> record = reporting.addRecord();

  /// Requests the report, and kills the program at `moment`.
  int lose() {
    if (earlier != "unreported") {
      (void)reporting.ask(record, earlier);
      EXPECT_EQ(reporting.run(known), Ended::done);
    }
    const int number = reporting.ask(record, "guaranteed");
    int requests = 0;
    reporting.mishap = [&] { return ++requests == 2 ? moment.ofReport : Mishap::none; };
    EXPECT_EQ(reporting.run(known, moment.step), Ended::killed);
    EXPECT_FALSE(reporting.told(number));
    reporting.mishap = [] { return Mishap::none; };
    return number;
  }
};

INSTANTIATE_TEST_SUITE_P(, KilledReport,
                         testing::Combine(testing::ValuesIn(moments), testing::Values("attempt", "before"),
                                          testing::Values("unreported", "failed")),
                         [](const auto& one) {
                           return std::string{std::get<0>(one.param).name} + "_KnowingThe_" +
                                  std::get<1>(one.param) + "_After_" + std::get<2>(one.param);
                         });

TEST_P(KilledReport, IsAppliedOnceOrReportedAsNotApplied) {
  const int number = lose();
  EXPECT_EQ(reporting.run(known), Ended::done);
  const Told told = reporting.told(number).value();
  // The attempt alone does not tell whether the earlier outcome was reported after this report.
  const bool undecidable = earlier == "failed" && known == "attempt" && !moment.done;
  EXPECT_EQ(told.word, undecidable ? "not_applied" : "applied");
  EXPECT_EQ(told.resends, moment.done || undecidable ? 0 : 1);
  EXPECT_EQ(told.seen, moment.done ? "applied" : "not_applied");
  EXPECT_EQ(reporting.timesDone(number), (Times{undecidable ? 0 : 1, 0}));
  EXPECT_EQ(reporting.stateOf(record), undecidable ? earlier : "guaranteed");
}

TEST_P(KilledReport, IsNotSentToAnAttemptThatBeginsInTheMeantime) {
  const int number = lose();
  reporting.beginAttempt(record);
  EXPECT_EQ(reporting.run(known), Ended::done);
  const Told told = reporting.told(number).value();
  EXPECT_EQ(told.word, "indeterminate");
  EXPECT_EQ(told.reason, "another_attempt");
  EXPECT_EQ(told.seen, "indeterminate");
  EXPECT_EQ(told.resends, 0);
  EXPECT_EQ(reporting.timesDone(number), (Times{moment.done ? 1 : 0, 0}));
}

/// The service supports no conditional requests, so the best possible result is a correct diagnosis.
TEST_P(KilledReport, IsReportedAsSentToAnotherAttemptIfOneBeginsAfterTheCheck) {
  const int number = lose();
  int requests = 0;
  reporting.mishap = [&] {
    if (++requests == 3) reporting.beginAttempt(record);  // both checks have read the record
    return Mishap::none;
  };
  EXPECT_EQ(reporting.run(known), Ended::done);
  if (requests < 3) return;
  const Told told = reporting.told(number).value();
  EXPECT_EQ(told.word, "indeterminate");
  EXPECT_EQ(told.reason, "sent_to_another_attempt");
  EXPECT_EQ(told.resends, 1);
  EXPECT_EQ(reporting.timesDone(number), (Times{0, 1}));
}

TEST(LateReport, ChangesNothingOnceItIsResolved) {
  for (const char* outcome : {"canceled", "failed", "guaranteed"}) {
    Reporting reporting;
    const auto record = reporting.addRecord();
    const int number = reporting.ask(record, outcome);
    int requests = 0;
    reporting.mishap = [&] { return ++requests == 2 ? Mishap::killed : Mishap::none; };
    EXPECT_EQ(reporting.run("attempt"), Ended::killed);
    EXPECT_EQ(reporting.run("attempt"), Ended::done);
    EXPECT_EQ(reporting.told(number).value().word, "applied");
    EXPECT_EQ(reporting.arriveLate(), 1U);
    EXPECT_EQ(reporting.stateOf(record), outcome);
    EXPECT_EQ(reporting.reportOn(record), std::to_string(number));
  }
}

/// A program with many reports, each to be made at most once, on its own attempt.
class KilledReports : public testing::TestWithParam<std::uint64_t> {
 protected:
  struct Job {
    int number;
    Id<PaymentRecord> record;
    std::string outcome;
  };

  KilledReports() {
    reporting.mishap = [this] { return anyMishap(); };
    reporting.afterKill = [this](const Id<PaymentRecord>& record) {
      if (random.oneIn(6)) renew(record);
    };
    for (int i = 0; i < 8; ++i)
      ask(reporting.addRecord());
  }

  /// Restarts the program until it finishes.
  void runToTheEnd() {
    for (int runs = 0; runs < 300; ++runs)
      if (reporting.run(known, random.oneIn(3) ? 1 + static_cast<int>(random.below(8)) : 0) == Ended::done)
        return;
    ADD_FAILURE() << "does not finish";
  }

  void check(const Job& job) {
    const Told told = reporting.told(job.number).value();
    const Times done = reporting.timesDone(job.number);
    const bool begun = renewed.contains(job.record.str());
    SCOPED_TRACE("report " + std::to_string(job.number) + " told " + told.word);
    EXPECT_LE(done.onFirst + done.onNext, 1) << "duplicated";
    if (told.word == "applied") {
      EXPECT_EQ(done.onFirst + done.onNext, 1) << "lost";
    } else if (told.word == "indeterminate") {
      EXPECT_TRUE(begun) << "it has only one attempt";
      EXPECT_EQ(done.onNext, 0) << "reported on the wrong attempt";
    } else if (told.word != "superseded" || known != "attempt") {
      EXPECT_EQ(done, Times{}) << "it is applied";
    }
    EXPECT_TRUE(told.seen != "applied" || told.resends == 0);
  }

  stress::RandomSource random{GetParam()};
  const std::string known = std::vector<std::string>{"attempt", "before", "both"}.at(random.below(3));
  Reporting reporting{};
  std::vector<Job> jobs{};
  std::set<std::string> renewed{};

 private:
  Mishap anyMishap() {
    if (random.oneIn(2)) return Mishap::none;
    return static_cast<Mishap>(random.below(static_cast<std::size_t>(Mishap::killedWithinResponse) + 1));
  }

  void ask(const Id<PaymentRecord>& record) {
    std::vector<std::string> outcomes{"canceled", "failed", "guaranteed"};
    for (std::size_t left = 1 + random.below(3); left > 0; --left) {
      const std::string outcome = random.oneOf(outcomes);
      jobs.push_back({reporting.ask(record, outcome), record, outcome});
    }
  }

  void renew(const Id<PaymentRecord>& record) {
    renewed.insert(record.str());
    reporting.beginAttempt(record);
  }
};

INSTANTIATE_TEST_SUITE_P(FromSeed, KilledReports, testing::Range(std::uint64_t{1}, std::uint64_t{11}));

TEST_P(KilledReports, AreNeverAppliedTwiceOrMisreported) {
  runToTheEnd();
  for (const Job& job : jobs)
    check(job);
}

}  // namespace
}  // namespace tally::test
