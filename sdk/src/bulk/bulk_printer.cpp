#include <array>
#include <ostream>
#include <string>

#include <tally/open_enum.h>
#include <tally/report_all.h>

#include "print/value_line.h"
#include "text/readable.h"

namespace [[gnu::visibility("default")]] tally {

using detail::ValueLine;

std::ostream& operator<<(std::ostream& out, ReadBefore value) {
  constexpr std::array<std::string_view, 3> texts{"unless attempt known", "always", "never"};
  return detail::printEnumerator(out, texts, static_cast<std::size_t>(value));
}

std::ostream& operator<<(std::ostream& out, const ReportResult& value) {
  std::string line = "row " + std::to_string(value.row + 1);
  if (!value.report.id.empty()) detail::appendWord(line += ", ", value.report.id);
  line.append(": ").append(toString(value.end));
  if (value.pending) line += ", pending";
  if (value.fromEarlierRun) line += ", from an earlier run";
  if (!value.reason.empty()) detail::appendReadable(line += ": ", value.reason);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const ReportAllOptions& value) {
  return out << ValueLine{"ReportAllOptions"}
                    .addSet("journal", value.journal != nullptr)
                    .add("source", value.source)
                    .add("account", value.account)
                    .add("readBefore", value.readBefore)
                    .add("window", value.window)
                    .add("maxInFlight", value.maxInFlight)
                    .add("retryTimeout", value.retryTimeout)
                    .add("gracePeriod", value.gracePeriod)
                    .add("request", value.request)
                    .add("total", value.total)
                    .add("progressInterval", value.progressInterval)
                    .addSet("onProgress", value.onProgress != nullptr)
                    .addSet("observer", value.observer != nullptr)
                    .addSet("stop", value.stop.stop_possible());
}

std::ostream& operator<<(std::ostream& out, const ReportSummary& value) {
  out << value.progress;
  if (value.isComplete) out << "; complete";
  if (value.stopped) out << "; stopped";
  return value.problem.empty() ? out : detail::printText(out << "; ", value.problem);
}

std::ostream& operator<<(std::ostream& out, const JournalOwner& value) {
  return out << ValueLine{"JournalOwner"}.add("source", value.source).add("account", value.account);
}

std::ostream& operator<<(std::ostream& out, const JournalIntent& value) {
  return out << ValueLine{"JournalIntent"}
                    .add("row", value.row)
                    .add("report", value.report)
                    .addSize("before", value.before);
}

std::ostream& operator<<(std::ostream& out, const JournalOutcome& value) {
  return out << ValueLine{"JournalOutcome"}
                    .add("row", value.row)
                    .add("end", value.end)
                    .add("reason", value.reason)
                    .add("report", value.report);
}

std::ostream& operator<<(std::ostream& out, const JournalError& error) {
  return detail::printText(out, error.what());
}

}  // namespace tally
