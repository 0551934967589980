#include "commands.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <tally/outbox.h>

#include "enqueue_file.h"
#include "redact/complaint.h"
#include "text/readable.h"

namespace tally::detail {

namespace {

using Row = std::vector<std::string>;

std::string ageText(std::chrono::seconds age) {
  using namespace std::chrono_literals;
  const auto inUnit = [&](std::chrono::seconds unit, const char* name) {
    return std::to_string(age / unit) + ' ' + name;
  };
  if (age < 2min) return inUnit(1s, "s");
  if (age < 2h) return inUnit(1min, "min");
  if (age < 48h) return inUnit(1h, "h");
  return inUnit(24h, "d");
}

Row rowOf(const OutboxStatus& status) {
  Row row(7);
  appendReadable(row[0], status.domain);
  row[1] = std::to_string(status.waiting);
  row[2] = status.waiting == 0 ? "-" : ageText(status.oldest);
  row[3] = std::to_string(status.blocked);
  row[4] = std::to_string(status.failed);
  appendReadable(row[5], status.owner.empty() ? "-" : status.owner);
  appendReadable(row[6], !status.paused.empty() ? "paused: " + status.paused
                         : status.owner.empty() ? "no worker has the key"
                                                : "");
  return row;
}

/// Characters of UTF-8 text.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The first row is the heading.
void print(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], widthOf(row[column]));
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column)
      line += row[column] + std::string(widths[column] - widthOf(row[column]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << '\n';
  }
}

int printStatus(Outbox& outbox) {
  const auto domains = outbox.status();
  if (domains.empty()) {
    std::cout << "no domains: nothing has been enqueued\n";
    return 0;
  }
  std::vector<Row> rows{{"DOMAIN", "WAITING", "OLDEST", "BLOCKED", "FAILED", "WORKER", "STATE"}};
  for (const OutboxStatus& status : domains)
    rows.push_back(rowOf(status));
  print(rows);
  return 0;
}

Row rowOf(const OutboxReportStatus& report) {
  Row row{std::to_string(report.report), "", "", "", report.state, ageText(report.age), ""};
  appendReadable(row[1], report.domain);
  appendReadable(row[2], report.object);
  appendReadable(row[3], report.key);
  appendReadable(row[6], report.reason);
  return row;
}

Row rowOf(const OutboxRequestStatus& request) {
  Row row{std::to_string(request.request), "", std::to_string(request.report), request.action, ""};
  appendReadable(row[1], request.domain);
  appendReadable(row[4], request.answer.empty() ? "not carried out yet" : request.answer);
  return row;
}

template <class Status>
int printList(const std::vector<Status>& all, Row heading, const char* ifEmpty, const CommandLine& line) {
  if (all.empty()) {
    std::cout << ifEmpty << '\n';
    return 0;
  }
  std::vector<Row> rows{std::move(heading)};
  for (const Status& one : all)
    rows.push_back(rowOf(one));
  print(rows);
  if (all.size() == line.limit) std::cout << "... at most " << line.limit << "; see --limit\n";
  return 0;
}

int printReports(const std::vector<OutboxReportStatus>& reports, const CommandLine& line) {
  return printList(reports, {"REPORT", "DOMAIN", "OBJECT", "KEY", "STATE", "AGE", "REASON"}, "no reports",
                   line);
}

int printRequests(const std::vector<OutboxRequestStatus>& requests, const CommandLine& line) {
  return printList(requests, {"REQUEST", "DOMAIN", "REPORT", "ACTION", "ANSWER"}, "no requests", line);
}

using Ask = std::uint64_t (Outbox::*)(std::uint64_t, std::string_view);

/// One that is refused does not prevent the others.
int ask(Outbox& outbox, Ask action, const CommandLine& line) {
  std::vector<std::uint64_t> reports;
  reports.reserve(line.arguments.size());
  for (const std::string& argument : line.arguments)
    reports.push_back(reportNumber(argument));
  int status = 0;
  for (const std::uint64_t report : reports) {
    try {
      const std::uint64_t request = (outbox.*action)(report, line.note);
      std::cout << line.command << ' ' << report << ": request " << request
                << ". The worker of the domain carries it out; tally-outbox requests shows the answer\n";
    } catch (const OutboxError& error) {
      std::cerr << complaint("tally-outbox",
                             std::string{line.command} + ' ' + std::to_string(report) + ": " + error.what())
                << '\n';
      status = 1;
    }
  }
  return status;
}

void erase(Outbox& outbox, const CommandLine& line) {
  const std::uint64_t count = outbox.erase(line.arguments[0], line.arguments[1], line.note);
  std::cout << "erased " << count << (count == 1 ? " report" : " reports") << '\n';
}

int enqueue(Outbox& outbox, const CommandLine& line) {
  const std::string& name = line.arguments[1];
  if (name == "-") return enqueueFile(outbox, line, std::cin);
  std::ifstream file{name, std::ios::binary};
  if (!file)
    throw std::runtime_error{"can't open " + name + ": " +
                             std::error_code{errno, std::generic_category()}.message()};
  return enqueueFile(outbox, line, file);
}

}  // namespace

int carryOut(const CommandLine& line) {
  Outbox outbox{line.database};
  if (line.command == "status") return printStatus(outbox);
  if (line.command == "failed") return printReports(outbox.failed(line.limit), line);
  if (line.command == "blocked") return printReports(outbox.blocked(line.limit), line);
  if (line.command == "requests") return printRequests(outbox.requests(line.limit), line);
  if (line.command == "enqueue") return enqueue(outbox, line);
  if (line.command == "retry") return ask(outbox, &Outbox::retry, line);
  if (line.command == "cancel") return ask(outbox, &Outbox::cancel, line);
  if (line.command == "release") return ask(outbox, &Outbox::release, line);
  if (line.command == "pause") outbox.pause(line.arguments[0], line.arguments[1]);
  if (line.command == "resume") outbox.resume(line.arguments[0], line.note);
  if (line.command == "limit-waiting")
    outbox.limitWaiting(line.arguments[0], waitingLimit(line.arguments[1]));
  if (line.command == "erase") erase(outbox, line);
  if (line.command == "migrate") outbox.migrate();
  return 0;
}

}  // namespace tally::detail
