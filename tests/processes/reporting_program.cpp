// `reporting_program URL KEY JOURNAL KNOWN STEP` reports the outcomes that its journal requests, in order. It
// writes to the journal what it is about to do and what it was told. After a restart, it continues from the
// journal: it passes a report whose outcome it does not know to resolveReport(), with KNOWN: the `attempt`,
// the record `before` the report, or `both`. It kills itself at step STEP, of two per write; 0: never.
//
// Lines of the journal:
//   job NUMBER RECORD OUTCOME                                                  the requested report
//   about NUMBER ATTEMPT CURRENCY REQUESTED CANCELED FAILED GUARANTEED JOB     the record before the report
//   told NUMBER RESENDS WORD REASON SEEN                                    its final outcome

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <tally/tally.h>

#include "sdk/support/any_report.h"

namespace {

using namespace std::chrono_literals;
using tally::PaymentRecord;
using tally::PaymentRecords;
using tally::test::AnyReport;
using tally::test::Outcome;

constexpr int askAgainLater = 75;

struct Job {
  tally::Id<PaymentRecord> record{};
  Outcome outcome = Outcome::unreported;
  std::optional<PaymentRecord> before{};  // once the report may have been sent
  bool told = false;
};

Outcome outcomeOf(const std::string& name) {
  for (const Outcome outcome : {Outcome::canceled, Outcome::failed})
    if (nameOf(outcome) == name) return outcome;
  return Outcome::guaranteed;
}

AnyReport reportOf(int number, const Job& job) {
  return {job.outcome, {{"job", std::to_string(number)}}, std::chrono::sys_seconds{number * 1s}};
}

/// The fields of a record that tell whether a report was applied.
std::string textOf(const PaymentRecord& record) {
  std::ostringstream text;
  text << record.latestPaymentAttemptRecord << ' ' << record.amountRequested.currency;
  for (const auto* amount :
       {&record.amountRequested, &record.amountCanceled, &record.amountFailed, &record.amountGuaranteed})
    text << ' ' << amount->value;
  const auto job = record.metadata.find("job");
  text << ' ' << (job == record.metadata.end() ? "none" : job->second);
  return text.str();
}

PaymentRecord recordOf(const tally::Id<PaymentRecord>& id, std::istream& text) {
  PaymentRecord record;
  record.id = id;
  std::string attempt;
  std::string currency;
  std::string job;
  text >> attempt >> currency;
  for (auto* amount :
       {&record.amountRequested, &record.amountCanceled, &record.amountFailed, &record.amountGuaranteed}) {
    text >> amount->value;
    amount->currency = currency;
  }
  text >> job;
  record.latestPaymentAttemptRecord = attempt;
  if (job != "none") record.metadata = {{"job", job}};
  return record;
}

class Journal {
 public:
  Journal(std::string path, int lastStep) : path_(std::move(path)), lastStep_(lastStep) {}

  [[nodiscard]] std::map<int, Job> jobs() const {
    std::map<int, Job> jobs;
    std::ifstream file{path_};
    for (std::string line; std::getline(file, line);) {
      std::istringstream text{line};
      std::string what;
      int number = 0;
      text >> what >> number;
      Job& job = jobs[number];
      if (what == "job") {
        std::string record;
        std::string outcome;
        text >> record >> outcome;
        job.record = record;
        job.outcome = outcomeOf(outcome);
      } else if (what == "about") {
        job.before = recordOf(job.record, text);
      } else {
        job.told = true;
      }
    }
    return jobs;
  }

  void write(const std::string& line) {
    step();
    std::ofstream{path_, std::ios::app} << line << '\n' << std::flush;
    step();
  }

 private:
  void step() {
    if (++steps_ == lastStep_) (void)std::raise(SIGKILL);
  }

  std::string path_;
  int lastStep_;
  int steps_ = 0;
};

class Application {
 public:
  Application(PaymentRecords records, Journal journal, std::string known)
      : records_(std::move(records)), journal_(std::move(journal)), known_(std::move(known)) {}

  /// Returns whether all reports are done.
  bool run() {
    for (auto& [number, job] : journal_.jobs())
      if (!job.told && !(job.before ? resolveReport(number, job) : begin(number, job))) return false;
    return true;
  }

 private:
  bool begin(int number, Job& job) {
    const auto record = records_.retrieve(job.record);
    if (!record) return false;
    job.before = record.value();
    journal_.write("about " + std::to_string(number) + ' ' + textOf(*job.before));
    const auto sent = reportOf(number, job).send(records_, job.record);
    if (sent) return tell(number, 0, {"applied"});
    if (sent.error().effect() == tally::Effect::unknown) return resolveReport(number, job);
    return tell(number, 0, {"none"});
  }

  bool resolveReport(int number, const Job& job) {
    const AnyReport report = reportOf(number, job);
    const AnyReport::Check check = checkOf(*job.before);
    const auto seen = report.checkReport(records_, job.record, check);
    const auto told = report.resolveReport(records_, job.record, check);
    if (seen.has_error() || told.has_error() || told.value().noResendReason == tally::NoResendReason::failed)
      return false;
    return tell(number, told.value().resends,
                {toString(told.value().status), toString(told.value().noResendReason),
                 toString(seen.value().status)});
  }

  [[nodiscard]] AnyReport::Check checkOf(const PaymentRecord& before) const {
    AnyReport::Check check;
    if (known_ != "attempt") check.before = before;
    if (known_ != "before") check.attempt = before.latestPaymentAttemptRecord;
    return check;
  }

  bool tell(int number, int resends, std::initializer_list<std::string_view> words) {
    std::string line = "told " + std::to_string(number) + ' ' + std::to_string(resends);
    for (const std::string_view given : words) {
      std::string word{given};
      std::ranges::replace(word, ' ', '_');
      line += ' ' + word;
    }
    journal_.write(line);
    return true;
  }

  PaymentRecords records_;
  Journal journal_;
  std::string known_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::cerr << "reporting_program URL KEY JOURNAL KNOWN STEP\n";
    return EXIT_FAILURE;
  }
  const tally::Client client{{.apiKey = argv[2],
                              .baseUrl = argv[1],
                              .maxNetworkRetries = 1,
                              .backoff = {.initial = 1ms, .cap = 1ms}}};
  Application application{client.paymentRecords(), Journal{argv[3], std::stoi(argv[5])}, argv[4]};
  return application.run() ? EXIT_SUCCESS : askAgainLater;
}
