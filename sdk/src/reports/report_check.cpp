#include <ostream>
#include <string>

#include <tally/report_check.h>

#include "print/value_line.h"

namespace [[gnu::visibility("default")]] tally {

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

std::string_view toString(NoResendReason reason) noexcept {
  switch (reason) {
    case NoResendReason::applied:
      return "applied";
    case NoResendReason::refused:
      return "refused by the state";
    case NoResendReason::otherReport:
      return "another report";
    case NoResendReason::otherAttempt:
      return "another attempt";
    case NoResendReason::sentToOtherAttempt:
      return "sent to another attempt";
    case NoResendReason::failed:
      return "failed";
    case NoResendReason::checkOnly:
      return "check only";
    case NoResendReason::indeterminate:
      break;
  }
  return "indeterminate";
}

std::ostream& operator<<(std::ostream& out, ReportStatus status) {
  return out << toString(status);
}

std::ostream& operator<<(std::ostream& out, NoResendReason reason) {
  return out << toString(reason);
}

std::ostream& detail::printCheck(std::ostream& out, ReportStatus status, bool isFinal, int resends,
                                 NoResendReason reason, const std::optional<Error>& error) {
  std::string line{toString(status)};
  if (isFinal) line += ", final";
  line += ", resends: " + std::to_string(resends) + ", no-resend reason: ";
  line += toString(reason);
  if (error) line += "; " + error->toString();
  return out << line;
}

std::ostream& detail::printKnown(std::ostream& out, bool before, std::string_view attempt) {
  return out << ValueLine{"ReportCheckOptions"}.addSet("before", before).add("attempt", attempt);
}

}  // namespace tally
