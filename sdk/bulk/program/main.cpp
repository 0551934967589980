// tally-report: reports the outcomes of payments in a file. See --help.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include <tally/limits.h>
#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>
#include <tally/version.h>

#include "arguments.h"
#include "input.h"
#include "output.h"
#include "platform/core_files.h"
#include "redact/complaint.h"

namespace tally::detail {

namespace {

constexpr int notComplete = 1;
constexpr int unusable = 2;
constexpr int someNotApplied = 3;

/// Not an error, since support may have granted more.
void warnAboveLimit(std::int64_t rate, const ApiKey& key) {
  const bool isSandbox = key.reveal().starts_with("sk_test_");
  const std::int64_t documented = (isSandbox ? limits::globalRate.sandbox : limits::globalRate.live).value();
  if (rate <= documented) return;
  std::cerr << "--rate " << rate << " is above the documented limit of " << documented
            << " requests per second " << (isSandbox ? "in the sandbox" : "in live mode")
            << ": unless support has granted more, use --rate " << documented
            << " or less, or leave it out\n";
}

Client makeClient(const Arguments& arguments) {
  if (arguments.url.empty()) throw UsageError{"--url is missing; see --help"};
  ClientOptions options = ClientOptions::fromEnvironment({.baseUrl = arguments.url});
  PacerOptions pacing;
  if (arguments.rate) warnAboveLimit(*arguments.rate, options.apiKey);
  if (arguments.rate) pacing.limits = {{.limit = "global_rate", .value = arguments.rate}};
  if (arguments.rate != 0) options.pacer = std::make_shared<Pacer>(pacing);
  return Client{options};
}

/// The first SIGINT or SIGTERM requests a stop, and the second ends the program at once.
StopToken stopAtSignals() {
  static StopSource source;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread{[signals] {
    int signal = 0;
    while (sigwait(&signals, &signal) == 0) {
      if (source.stop_requested()) std::_Exit(128 + signal);
      source.request_stop();
    }
  }}.detach();
  return source.get_token();
}

/// The journal of a job on the same input. Says what the job continues.
std::shared_ptr<SqliteJournal> openJournal(const Arguments& arguments, const std::string& source,
                                           std::uint64_t rows) {
  auto journal = std::make_shared<SqliteJournal>(arguments.journal);
  const SqliteJournalState state = journal->state();
  if (!state.source.empty() && state.source != source)
    throw UsageError{arguments.file + " differs from the input of " + arguments.journal +
                     ": restore the original file, and put corrected rows in a separate file"};
  const std::uint64_t known = state.outcomes + state.intents;
  if (known != 0)
    std::cerr << "resuming: " << state.outcomes << " ended, " << state.intents << " to look up, "
              << (rows > known ? rows - known : 0) << " to send\n";
  return journal;
}

struct Job {
  CheckedRows checked{};
  std::string source{};
  std::shared_ptr<SqliteJournal> journal{};
};

Job prepare(const Arguments& arguments) {
  Job job{.checked = checkRows(arguments.file, false), .source = identityOf(arguments.file)};
  job.journal = openJournal(arguments, job.source, job.checked.lines.size());
  return job;
}

ReportSummary sendAll(const Arguments& arguments, const Client& client, const Job& job, CheckedInput& input,
                      RefusedRows& refused) {
  Display display;
  return reportAll(client, input,
                   {.journal = job.journal,
                    .source = job.source,
                    .account = arguments.account,
                    .total = job.checked.lines.size(),
                    .onProgress = [&](const ReportProgress& progress) { display.show(progress); },
                    .stop = stopAtSignals()},
                   [&](const ReportResult& result) {
                     if (result.end != ReportEnd::applied)
                       refused.add(job.checked.lines.at(result.row), result, input.takeFields(result.row));
                   });
}

int toBeResumed() {
  std::cerr << "not complete: run again with --resume\n";
  return notComplete;
}

std::string changeOf(const Arguments& arguments, const Job& job, const CheckedInput& input) {
  if (!input.hasChanged()) return {};
  return arguments.file + " has changed since the run began: restore its " +
         std::to_string(job.checked.lines.size()) + " rows, and put other rows in a separate file";
}

/// Prints how the run ended, and returns the exit status.
int finish(const Arguments& arguments, const ReportSummary& summary, const std::string& change,
           RefusedRows& refused) {
  const std::string& lacking = refused.finish();
  std::cout << summary.progress << '\n';
  if (!refused.empty()) std::cout << "rows that were not applied: " << arguments.refused << '\n';
  if (!refused.earlier().empty())
    std::cerr << "rows that an earlier run did not apply: " << refused.earlier() << '\n';
  for (const std::string& problem : {summary.problem, lacking, change})
    if (!problem.empty()) std::cerr << problem << '\n';
  if (!summary.isComplete || !lacking.empty() || !change.empty()) return toBeResumed();
  return refused.empty() ? EXIT_SUCCESS : someNotApplied;
}

int report(const Arguments& arguments) {
  if (!arguments.resume && std::filesystem::exists(arguments.journal))
    throw UsageError{arguments.journal +
                     " exists: continue with --resume, or remove it to report everything again"};
  const Client client = makeClient(arguments);
  const Job job = prepare(arguments);
  RefusedRows refused{arguments.refused, job.checked.columns};
  CheckedInput input{arguments.file, job.checked};
  try {
    const ReportSummary summary = sendAll(arguments, client, job, input, refused);
    return finish(arguments, summary, changeOf(arguments, job, input), refused);
  } catch (const std::exception& error) {
    if (!input.hasBegun()) throw;
    std::cerr << complaint("tally-report", arguments.file + ", " + error.what()) << '\n';
    return toBeResumed();
  }
}

int check(const Arguments& arguments) {
  const CheckedRows checked = checkRows(arguments.file, true);
  std::cout << checked.lines.size() << " rows, " << checked.bad << " bad\n";
  return checked.bad == 0 ? EXIT_SUCCESS : someNotApplied;
}

int run(const Arguments& arguments) {
  if (arguments.help) std::cout << helpText;
  if (arguments.version) std::cout << "tally-report " << version << '\n';
  if (arguments.help || arguments.version) return EXIT_SUCCESS;
  try {
    return arguments.dryRun ? check(arguments) : report(arguments);
  } catch (const ReportFileError& error) {
    throw UsageError{arguments.file + ", " + error.what()};
  }
}

}  // namespace

}  // namespace tally::detail

int main(int argc, char** argv) {
  tally::detail::leaveNoCoreFile();
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the maximum size of a file then fails
  try {
    return tally::detail::run(tally::detail::parseArguments(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << tally::detail::complaint("tally-report", error.what()) << '\n';
    return tally::detail::unusable;
  }
}
