// tally-report: reports the outcomes of payments in a file. See --help.

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <tally/limits.h>
#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>
#include <tally/version.h>

#include "arguments.h"
#include "input.h"
#include "options/key_mode.h"
#include "output.h"
#include "platform/core_files.h"
#include "platform/standard_streams.h"
#include "redact/complaint.h"
#include "text/readable.h"
#include "text/url.h"

namespace tally::detail {

namespace {

constexpr int notComplete = 1;
constexpr int unusable = 2;
constexpr int someNotApplied = 3;

std::int64_t documentedRate(const ApiKey& key) {
  return (isSandboxKey(key) ? limits::globalRate.sandbox : limits::globalRate.live).value();
}

/// Not an error, since support may have granted more.
void warnAboveLimit(std::int64_t rate, const ApiKey& key) {
  const std::int64_t documented = documentedRate(key);
  if (rate <= documented) return;
  std::cerr << "--rate " << rate << " is above the documented limit of " << documented
            << " requests per second " << (isSandboxKey(key) ? "in the sandbox" : "in live mode")
            << ": unless support has granted more, use --rate " << documented
            << " or less, or leave it out\n";
}

/// Reports have few endpoints, so the limits of these would keep a job below a higher rate.
std::vector<LimitOverride> limitsFor(std::int64_t rate, const ApiKey& key) {
  std::vector<LimitOverride> limits{{.limit = "global_rate", .value = rate}};
  if (rate > documentedRate(key)) limits.push_back({.limit = "endpoint_rate", .value = rate});
  return limits;
}

Client makeClient(const Arguments& arguments) {
  if (arguments.url.empty()) throw UsageError{"--url is missing; see --help"};
  if (!isServiceAddress(arguments.url))
    throw UsageError{
        "--url takes the address of the service, such as https://api.example.com, without '?', '#' or "
        "spaces"};
  ClientOptions options = ClientOptions::fromEnvironment({.baseUrl = arguments.url});
  PacerOptions pacing;
  if (arguments.rate) warnAboveLimit(*arguments.rate, options.apiKey);
  if (arguments.rate) pacing.limits = limitsFor(*arguments.rate, options.apiKey);
  if (arguments.rate != 0) options.pacer = std::make_shared<Pacer>(pacing);
  return Client{options};
}

/// The first SIGINT or SIGTERM requests a stop, and the second ends the program immediately.
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

/// Whether the journal has neither tables nor a log. Until a run that was killed is resumed, its records may
/// be in the log alone.
bool isWithoutRecords(const std::string& journal) {
  constexpr std::uintmax_t onePage = 4'096;
  std::error_code missing;
  const std::filesystem::path file = std::filesystem::weakly_canonical(journal);
  const std::uintmax_t log = std::filesystem::file_size(file.string() + "-wal", missing);
  return (missing || log == 0) && std::filesystem::is_regular_file(file) &&
         std::filesystem::file_size(file) <= onePage;
}

/// Checks that the journal exists exactly if the user expects it to: otherwise, rows would be reported again.
void checkJournal(const Arguments& arguments) {
  const bool exists = std::filesystem::exists(arguments.journal);
  if (exists && !arguments.resume)
    throw UsageError{arguments.journal +
                     " exists: continue with --resume, or remove it to report everything again"};
  if (!exists && arguments.resume)
    throw UsageError{arguments.journal +
                     " does not exist: name the journal with --journal, or leave out --resume to report "
                     "everything"};
  if (exists && isWithoutRecords(arguments.journal))
    throw UsageError{arguments.journal + " has no records: if it has been moved or copied without its log, " +
                     arguments.journal +
                     "-wal, put that beside it; if no run has sent anything yet, remove it, and leave out "
                     "--resume"};
}

/// The journal of a job on the same input. Says what the job continues.
std::shared_ptr<SqliteJournal> openJournal(const Arguments& arguments, const CheckedRows& checked) {
  auto journal = std::make_shared<SqliteJournal>(arguments.journal);
  const SqliteJournalState state = journal->state();
  if (!state.source.empty() && state.source != checked.identity)
    throw UsageError{arguments.file + " differs from the input of " + arguments.journal +
                     ": restore the original file, and put corrected rows in a separate file"};
  const std::uint64_t rows = checked.lines.size();
  const std::uint64_t known = state.outcomes + state.intents;
  if (known != 0)
    std::cerr << "resuming: " << state.outcomes << " ended, " << state.intents << " to look up, "
              << (rows > known ? rows - known : 0) << " to send\n";
  return journal;
}

struct Job {
  explicit Job(const Arguments& arguments)
      : checked(checkRows(arguments.file, false)),
        input(arguments.file, checked),
        journal(openJournal(arguments, checked)),
        refused(refusedFile(arguments.refused), checked.columns) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  CheckedRows checked;
  CheckedInput input;
  std::shared_ptr<SqliteJournal> journal;
  RefusedRows refused;
};

ReportSummary sendAll(const Arguments& arguments, const Client& client, Job& job) {
  Display display;
  return reportAll(client, job.input,
                   {.journal = job.journal,
                    .source = job.checked.identity,
                    .account = arguments.account,
                    .total = job.checked.lines.size(),
                    .onProgress = [&](const ReportProgress& progress) { display.show(progress); },
                    .stop = stopAtSignals()},
                   [&](const ReportResult& result) {
                     if (result.end != ReportEnd::applied)
                       job.refused.add(job.checked.lines.at(result.row), result,
                                       job.input.takeFields(result.row));
                   });
}

/// Names the options without which another run would not continue this one.
int toBeResumed(const Arguments& arguments) {
  std::cerr << "not complete: run again with --resume";
  if (arguments.journal != defaultJournal(arguments.file)) std::cerr << " --journal " << arguments.journal;
  if (!arguments.account.empty()) std::cerr << " --account " << arguments.account;
  std::cerr << '\n';
  return notComplete;
}

std::string changeOf(const Arguments& arguments, const Job& job) {
  if (!job.input.hasChanged()) return {};
  return arguments.file + " has changed since the run began: restore the original file with its " +
         std::to_string(job.checked.lines.size()) + " rows, and put other rows in a separate file";
}

/// Prints how the run ended, and returns the exit status.
int finish(const Arguments& arguments, const ReportSummary& summary, Job& job) {
  RefusedRows& refused = job.refused;
  const std::string change = changeOf(arguments, job);
  const std::string& lacking = refused.finish();
  std::cout << summary.progress << '\n';
  if (!refused.empty() && lacking.empty())
    std::cout << "rows that were not applied: " << arguments.refused << '\n';
  if (!refused.earlier().empty())
    std::cerr << "rows that an earlier run did not apply: " << refused.earlier() << '\n';
  for (const std::string& problem : {summary.problem, lacking, change})
    if (!problem.empty()) std::cerr << problem << '\n';
  if (!summary.isComplete || !lacking.empty() || !change.empty()) return toBeResumed(arguments);
  return refused.empty() ? EXIT_SUCCESS : someNotApplied;
}

int report(const Arguments& arguments) {
  checkJournal(arguments);
  const Client client = makeClient(arguments);
  Job job{arguments};
  try {
    const ReportSummary summary = sendAll(arguments, client, job);
    if (!job.input.hasBegun() && !summary.problem.empty()) throw UsageError{summary.problem};
    return finish(arguments, summary, job);
  } catch (const std::exception& error) {
    if (!job.input.hasBegun()) throw;
    std::cerr << complaint("tally-report", arguments.file + ", " + error.what()) << '\n';
    return toBeResumed(arguments);
  }
}

int check(const Arguments& arguments) {
  const CheckedRows checked = checkRows(arguments.file, true);
  std::cout << checked.lines.size() << " rows, " << checked.bad << " bad\n";
  return checked.bad == 0 ? EXIT_SUCCESS : someNotApplied;
}

/// For what only prints something.
int printed(int status) {
  if (!std::cout.flush()) throw UsageError{"standard output can't be written"};
  return status;
}

int run(const Arguments& arguments) {
  if (arguments.help) std::cout << helpText;
  if (arguments.version) std::cout << "tally-report " << version << '\n';
  if (arguments.help || arguments.version) return printed(EXIT_SUCCESS);
  try {
    return arguments.dryRun ? printed(check(arguments)) : report(arguments);
  } catch (const ReportFileError& error) {
    std::string problem = arguments.file + ", ";
    appendReadable(problem, error.what(), std::string::npos);
    throw UsageError{problem};
  }
}

}  // namespace

}  // namespace tally::detail

int main(int argc, char** argv) {
  tally::detail::reserveStandardStreams();
  tally::detail::leaveNoCoreFile();
  // A write that can't succeed then fails: beyond the maximum size of a file, or to a pipe that nobody reads.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return tally::detail::run(tally::detail::parseArguments(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << tally::detail::complaint("tally-report", error.what()) << '\n';
    return tally::detail::unusable;
  }
}
