// `limited_program URL KEY FILE RETRY_TIMEOUT` reports the outcomes in FILE, one Report per line, without a
// pacer. RETRY_TIMEOUT is in milliseconds. Prints each result that is not applied, and the summary.

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <tally/report_all.h>

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "limited_program URL KEY FILE RETRY_TIMEOUT\n";
    return EXIT_FAILURE;
  }
  std::vector<tally::Result<tally::Report>> reports;
  std::ifstream file{argv[3]};
  for (std::string line; std::getline(file, line);)
    reports.push_back(tally::Report::fromText(line));
  const tally::Client client{{.apiKey = argv[2], .baseUrl = argv[1]}};
  const auto summary =
      tally::reportAll(client, reports, {.retryTimeout = std::chrono::milliseconds{std::stoi(argv[4])}},
                       [](const tally::ReportResult& result) {
                         if (result.end != tally::ReportEnd::applied) std::cout << result << '\n';
                       });
  std::cout << summary << '\n';
  return summary.isComplete ? EXIT_SUCCESS : EXIT_FAILURE;
}
