// Reports the outcomes in FILE, which has one Report per line, as Report::toText() writes it, to URL. Started
// again after it was killed, even by SIGKILL, it continues: nothing is lost, and nothing is reported twice.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/report_reader.h>
#include <tally/sqlite_journal.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: TALLY_API_KEY=... nightly_reports URL FILE\n";
    return EXIT_FAILURE;
  }
  const std::string name = argv[2];
  try {
    const tally::Client client{tally::ClientOptions::fromEnvironment(
        {.baseUrl = argv[1], .pacer = std::make_shared<tally::Pacer>()})};
    std::ifstream file{name};
    tally::ReportReader reports{file, tally::ReportFormat::ndjson};
    const auto summary = tally::reportAll(
        client, reports,
        {.journal = std::make_shared<tally::SqliteJournal>(name + ".journal"),
         .source = name,
         .onProgress = [](const tally::ReportProgress& progress) { std::cerr << progress << '\n'; }},
        [](const tally::ReportResult& result) {
          if (result.end != tally::ReportEnd::applied) std::cout << result << '\n';
        });
    std::cout << summary.progress << '\n';
    if (!summary.problem.empty()) std::cerr << summary.problem << '\n';
    return summary.isComplete ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
