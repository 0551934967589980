#include <ostream>
#include <string>

#include <tally/report_check.h>

#include "print/value_line.h"

namespace tally {

std::string_view toString(ReportStatus status) noexcept {
  switch (status) {
    case ReportStatus::applied:
      return "applied";
    case ReportStatus::notApplied:
      return "not applied";
    case ReportStatus::superseded:
      return "superseded";
    case ReportStatus::indeterminate:
      break;
  }
  return "indeterminate";
}

std::string_view toString(StopReason reason) noexcept {
  switch (reason) {
    case StopReason::applied:
      return "applied";
    case StopReason::refused:
      return "refused by the state";
    case StopReason::otherReport:
      return "another report";
    case StopReason::otherAttempt:
      return "another attempt";
    case StopReason::sentToOtherAttempt:
      return "sent to another attempt";
    case StopReason::failed:
      return "failed";
    case StopReason::onlyReads:
      return "only reads";
    case StopReason::unclear:
      break;
  }
  return "unclear";
}

std::ostream& operator<<(std::ostream& out, ReportStatus status) {
  return out << toString(status);
}

std::ostream& operator<<(std::ostream& out, StopReason reason) {
  return out << toString(reason);
}

std::ostream& detail::printCheck(std::ostream& out, ReportStatus status, bool isFinal, int resends,
                                 StopReason reason, const std::optional<Error>& error) {
  std::string line{toString(status)};
  if (isFinal) line += ", final";
  line += ", resends: " + std::to_string(resends) + ", stop reason: ";
  line += toString(reason);
  if (error) line += "; " + error->toString();
  return out << line;
}

std::ostream& detail::printKnown(std::ostream& out, bool before, std::string_view attempt) {
  return out << ValueLine{"ReportCheckOptions"}.addSet("before", before).add("attempt", attempt);
}

}  // namespace tally
