// tally-report: reports the outcomes of payments in a file. See --help.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>
#include <tally/version.h>

#include "arguments.h"
#include "input.h"
#include "output.h"

namespace tally::detail {

namespace {

constexpr int notComplete = 1;
constexpr int unusable = 2;
constexpr int someNotApplied = 3;

Client makeClient(const Arguments& arguments) {
  if (arguments.url.empty()) throw UsageError{"--url is missing; see --help"};
  ClientOptions options = ClientOptions::fromEnvironment({.baseUrl = arguments.url});
  PacerOptions pacing;
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

ReportSummary sendAll(const Arguments& arguments, RefusedRows& refused) {
  const StopToken stop = stopAtSignals();
  const Client client = makeClient(arguments);
  const CheckedRows checked = checkRows(arguments.file, false);
  InputFile input{arguments.file};
  Display display;
  return reportAll(client, input.rows(),
                   {.journal = std::make_shared<SqliteJournal>(arguments.journal),
                    .source = identityOf(arguments.file),
                    .account = arguments.account,
                    .total = checked.lines.size(),
                    .onProgress = [&](const ReportProgress& progress) { display.show(progress); },
                    .stop = stop},
                   [&](const ReportResult& result) {
                     if (result.end != ReportEnd::applied) refused.add(checked.lines.at(result.row), result);
                   });
}

int report(const Arguments& arguments) {
  if (!arguments.resume && std::filesystem::exists(arguments.journal))
    throw UsageError{arguments.journal +
                     " exists: continue with --resume, or remove it to report everything again"};
  RefusedRows refused{arguments.refused};
  const ReportSummary summary = sendAll(arguments, refused);
  std::cout << summary.progress << '\n';
  if (!refused.empty()) std::cout << "rows that were not applied: " << arguments.refused << '\n';
  if (!summary.problem.empty()) std::cerr << summary.problem << '\n';
  if (!summary.isComplete) {
    std::cerr << "not complete: run again with --resume\n";
    return notComplete;
  }
  return refused.empty() ? EXIT_SUCCESS : someNotApplied;
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
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the maximum size of a file then fails
  try {
    return tally::detail::run(tally::detail::parseArguments(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "tally-report: " << error.what() << '\n';
    return tally::detail::unusable;
  }
}
