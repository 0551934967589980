// Reports the outcomes in FILE, which has one Report per line, as Report::toText() writes it, to URL. Started
// again after it was killed, even by SIGKILL, it continues: nothing is lost, and nothing is reported twice.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <ranges>
#include <string>

#include <tally/pacer.h>
#include <tally/report_all.h>
#include <tally/sqlite_journal.h>

namespace {

struct Line : std::string {
  friend std::istream& operator>>(std::istream& in, Line& line) {
    return std::getline(in, static_cast<std::string&>(line));
  }
};

}  // namespace

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
    auto reports = std::views::istream<Line>(file) |
                   std::views::transform([](const Line& line) { return tally::Report::fromText(line); });
    const auto summary = tally::reportAll(
        client, reports,
        {.journal = std::make_shared<tally::SqliteJournal>(name + ".journal"),
         .source = name,
         .onProgress = [](const tally::ReportProgress& progress) { std::cerr << progress << '\n'; }},
        [](const tally::ReportResult& result) {
          if (result.end != tally::ReportEnd::applied)
            std::cout << "row " << result.row + 1 << ' ' << result.end << ": " << result.reason << '\n';
        });
    std::cout << summary.progress << '\n';
    if (!summary.problem.empty()) std::cerr << summary.problem << '\n';
    return summary.isComplete ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
