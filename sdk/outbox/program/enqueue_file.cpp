#include "enqueue_file.h"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "enqueue_stop.h"
#include "postgres/server_state.h"
#include "redact/complaint.h"
#include "report_lines.h"

namespace tally::detail {

namespace {

constexpr std::size_t batchSize = 1'000;

/// The line that a refusal of the database is about, if it tells that by its key.
std::optional<std::uint64_t> lineOf(const Error& refusal, const std::vector<ReportLine>& lines) {
  if (refusal.param() != "key") return std::nullopt;
  for (const ReportLine& line : lines | std::views::reverse)
    if (!line.report.key.empty() &&
        refusal.message().find('\'' + line.report.key + '\'') != std::string::npos)
      return line.number;
  return std::nullopt;
}

/// The functions of the schema name the member in their messages.
std::string textOf(const Error& refusal, const std::vector<ReportLine>& lines) {
  const auto number = lineOf(refusal, lines);
  const std::string& message = refusal.message();
  return (number ? "line " + std::to_string(*number) + ": " : "") +
         (message.starts_with("tally.") ? "" : refusal.param() + ' ') + message;
}

/// Where a run has got to.
struct Progress {
  std::uint64_t lines = 0;
  std::uint64_t lastLine = 0;  // of those that are enqueued
};

/// A text that is true for each line, because this run can't know which keys were enqueued earlier.
std::string enqueued(const Progress& done) {
  if (done.lines == 0) return "Nothing is enqueued";
  return done.lines == 1 ? "The report of 1 line is enqueued"
                         : "The reports of " + std::to_string(done.lines) + " lines are enqueued";
}

/// An error with another state means that the database has refused the statement; so does one of SQLite
/// without a state.
bool mayHaveBeenCommitted(const OutboxError& error, bool isSqlite) {
  constexpr std::string_view noConnection = "08001";
  const std::string& state = error.sqlState();
  if (state.empty()) return !isSqlite;
  return state != noConnection && (state == "40003" || saysThatServerIsGone(state));
}

int tellEnd(const Progress& done, const std::string& problem) {
  std::cerr << complaint("tally-outbox", problem) << '\n';
  if (done.lines == 0) {
    std::cerr << "Nothing is enqueued. Correct the problem, and run the command again.\n";
  } else {
    std::cerr
        << enqueued(done) << ", up to line " << done.lastLine
        << ", and nothing after it. Correct the problem, and run the command again if all lines have a key; "
           "otherwise, enqueue the rest: tail -n +"
        << done.lastLine + 1 << " FILE | tally-outbox enqueue DOMAIN -\n";
  }
  return 1;
}

/// The transaction may have been committed.
int tellUnknownEnd(const Progress& done, const std::vector<ReportLine>& lines, const std::string& problem,
                   bool isSqlite) {
  std::cerr << complaint("tally-outbox", problem) << '\n'
            << (done.lines == 0 ? "" : enqueued(done) + ". ") << "It is not known whether lines "
            << lines.front().number << " to " << lines.back().number
            << " are enqueued. Run the command again if these have keys; otherwise, look for them in "
            << (isSqlite ? "tally_reports" : "tally.reports") << " first.\n";
  return 1;
}

}  // namespace

int enqueueFile(Outbox& outbox, const CommandLine& line, std::istream& in) {
  ReportLines file{in};
  Progress done;
  EnqueueStop stop{[&](int signal) { return tellEnd(done, std::string{"stopped: "} + ::strsignal(signal)); }};
  std::vector<ReportLine> lines;
  std::vector<OutboxReport> reports;
  try {
    while (true) {
      lines = file.next(batchSize);
      if (lines.empty()) break;
      reports.clear();
      std::ranges::transform(lines, std::back_inserter(reports), &ReportLine::report);
      EnqueueStop::Transaction transaction{stop};
      const auto numbers = outbox.enqueueAll(line.arguments[0], reports, line.enqueue);
      if (!numbers) return tellEnd(done, textOf(numbers.error(), lines));
      done = {.lines = done.lines + lines.size(), .lastLine = lines.back().number};
      transaction.commit();
    }
  } catch (const BadLine& problem) {
    return tellEnd(done, problem.what());
  } catch (const OutboxError& error) {
    const bool isSqlite = line.database.starts_with("sqlite:");
    if (mayHaveBeenCommitted(error, isSqlite)) return tellUnknownEnd(done, lines, error.what(), isSqlite);
    return tellEnd(done, error.what());
  }
  std::cout << enqueued(done) << '\n';
  return 0;
}

}  // namespace tally::detail
