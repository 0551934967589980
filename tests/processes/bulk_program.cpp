// `bulk_program URL JOURNAL FILE [NAME=VALUE...]` reports what FILE contains, one Report per line, with the
// key in TALLY_API_KEY. It prints a line for each result: `ROW END pending|final now|earlier REASON`.
//
//   key=provider|header   where the client takes the key from
//   account=NAME          ReportAllOptions::account
//   window=N              ReportAllOptions::window
//   retry-timeout=MS      ReportAllOptions::retryTimeout
//   look=1                reads the files of the journal after each result, as a backup does
//
// Exit status: 0 complete, 1 not complete, 2 for an exception.

#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <ranges>
#include <string>

#include <tally/report_all.h>
#include <tally/sqlite_journal.h>

namespace {

using namespace std::chrono_literals;

constexpr int notComplete = 1;
constexpr int unusable = 2;

struct Line : std::string {
  friend std::istream& operator>>(std::istream& in, Line& line) {
    return std::getline(in, static_cast<std::string&>(line));
  }
};

using Settings = std::map<std::string, std::string>;

tally::Client makeClient(const std::string& url, const std::string& origin) {
  const std::string key = std::getenv("TALLY_API_KEY");
  tally::ClientOptions options{.apiKey = key, .baseUrl = url, .backoff = {.initial = 5ms, .cap = 50ms}};
  if (origin == "header") {
    options.apiKey = "in_the_header";
    options.headers = {{"Authorization", "Bearer " + key}};
  } else if (origin == "provider") {
    options.apiKey = {};
    options.apiKeyProvider = [key] { return key; };
  }
  return tally::Client{options};
}

/// Opening and closing a file drops this process's POSIX locks on it.
void look(const std::string& journal) {
  for (const char* suffix : {"", "-wal", ".lock"})
    (void)std::ifstream{journal + suffix}.get();
}

void print(const tally::ReportResult& result) {
  std::cout << result.row << ' ' << result.end << (result.pending ? " pending" : " final")
            << (result.fromEarlierRun ? " earlier " : " now ") << result.reason << std::endl;
}

int run(const std::string& url, const std::string& journal, const std::string& name, Settings settings) {
  const tally::Client client = makeClient(url, settings["key"]);
  tally::ReportAllOptions options{.journal = std::make_shared<tally::SqliteJournal>(journal),
                                  .source = "the file of the day",
                                  .account = settings["account"]};
  if (!settings["window"].empty()) options.window = std::stoul(settings["window"]);
  if (!settings["retry-timeout"].empty())
    options.retryTimeout = std::chrono::milliseconds{std::stoi(settings["retry-timeout"])};
  std::ifstream file{name};
  auto reports = std::views::istream<Line>(file) |
                 std::views::transform([](const Line& line) { return tally::Report::fromText(line); });
  const auto summary = tally::reportAll(client, reports, options, [&](const tally::ReportResult& result) {
    print(result);
    if (!settings["look"].empty()) look(journal);
  });
  std::cout << summary << std::endl;
  return summary.isComplete ? EXIT_SUCCESS : notComplete;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 4; i < argc; ++i) {
    const std::string setting{argv[i]};
    const std::size_t end = setting.find('=');
    settings[setting.substr(0, end)] = setting.substr(end + 1);
  }
  try {
    return run(argv[1], argv[2], argv[3], std::move(settings));
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return unusable;
  }
}
