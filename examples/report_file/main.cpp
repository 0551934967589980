// report_file: reports the outcomes of payments in a file. See --help.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <ranges>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>

#include "arguments.h"
#include "input.h"
#include "output.h"

namespace {

constexpr int notComplete = 1;
constexpr int unusable = 2;
constexpr int someNotApplied = 3;

/// Where the rows of a file are. Bad rows count too.
struct Checked {
  std::vector<std::size_t> lines{};
  std::size_t bad = 0;
};

/// Reads all rows, and prints what is wrong with them if `print`.
Checked check(const std::string& file, bool print) {
  Checked checked;
  const auto input = openInput(file);
  while (const auto row = input->next()) {
    checked.lines.push_back(row->line);
    const auto fault = row->report ? row->report.value().check() : std::optional{row->report.error()};
    if (!fault) continue;
    ++checked.bad;
    if (print)
      std::cout << "line " << row->line << ": " << fault->param() << (fault->param().empty() ? "" : ": ")
                << fault->message() << '\n';
  }
  return checked;
}

tally::Client makeClient(const Arguments& arguments) {
  if (arguments.url.empty()) throw UsageError{"--url is missing; see --help"};
  tally::ClientOptions options = tally::ClientOptions::fromEnvironment({.baseUrl = arguments.url});
  tally::PacerOptions pacing;
  if (arguments.rate) pacing.limits = {{.limit = "global_rate", .value = arguments.rate}};
  if (arguments.rate != 0) options.pacer = std::make_shared<tally::Pacer>(pacing);
  return tally::Client{options};
}

/// Requests a stop at SIGINT and SIGTERM.
std::stop_token stopAtSignals() {
  static std::stop_source source;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread{[signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    source.request_stop();
  }}.detach();
  return source.get_token();
}

int report(const Arguments& arguments) {
  if (!arguments.resume && std::filesystem::exists(arguments.journal))
    throw UsageError{arguments.journal +
                     " exists: continue with --resume, or remove it to report everything again"};
  const std::stop_token stop = stopAtSignals();
  const tally::Client client = makeClient(arguments);
  Display display;
  RefusedRows refused{arguments.refused};
  const std::vector<std::size_t> lines = check(arguments.file, false).lines;
  const auto input = openInput(arguments.file);
  const auto reports =
      std::views::transform(lines, [&](std::size_t) { return input->next().value().report; });
  const auto summary =
      tally::reportAll(client, reports,
                       {.journal = std::make_shared<tally::SqliteJournal>(arguments.journal),
                        .source = identityOf(arguments.file),
                        .account = arguments.account,
                        .onProgress = [&](const tally::ReportProgress& progress) { display.show(progress); },
                        .stop = stop},
                       [&](const tally::ReportResult& result) {
                         if (result.end != tally::ReportEnd::applied)
                           refused.add(lines.at(result.row), result);
                       });
  display.end();
  std::cout << summary.progress << '\n';
  if (!refused.empty()) std::cout << "rows that were not applied: " << arguments.refused << '\n';
  if (!summary.problem.empty()) std::cerr << summary.problem << '\n';
  if (!summary.isComplete) {
    std::cerr << "not complete: run again with --resume\n";
    return notComplete;
  }
  return refused.empty() ? EXIT_SUCCESS : someNotApplied;
}

int run(const Arguments& arguments) {
  if (arguments.help) {
    std::cout << helpText;
    return EXIT_SUCCESS;
  }
  if (!arguments.dryRun) return report(arguments);
  const Checked checked = check(arguments.file, true);
  std::cout << checked.lines.size() << " rows, " << checked.bad << " bad\n";
  return checked.bad == 0 ? EXIT_SUCCESS : someNotApplied;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parseArguments(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "report_file: " << error.what() << '\n';
    return unusable;
  }
}
