#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tally/report_check.h>

#include "call/client_core.h"
#include "reports/report_comparison.h"

namespace tally::detail {

/// A report whose outcome the caller does not know.
struct LostReport {
  const ClientCore& core;
  const AnyOperation& operation;
  std::string_view id{};
  ConstObjectRef params{};
  ConstObjectRef before{};               // the object before the report was first sent; empty if unknown
  const std::string* attempt = nullptr;  // that the report is about; null if not specified
  const RequestOptions& options;
};

/// A ReportCheck without its object.
struct CheckFacts {
  ReportStatus status = ReportStatus::indeterminate;
  bool isFinal = false;
  int resends = 0;
  NoResendReason noResendReason = NoResendReason::indeterminate;
  std::optional<Error> error{};
};

/// Why no client could have sent the report, or what is wrong with the caller's additional information.
[[nodiscard]] std::optional<Error> faultOf(const LostReport& report);

/// The error of a call that could not read the object: the status is as unknown as before.
[[nodiscard]] Error undetermined(const LostReport& report, const Error& error, int resends = 0);

using AttemptName = std::optional<std::string>;

/// The attempt that the report is about, if the caller specifies it.
[[nodiscard]] AttemptName attemptOf(const LostReport& report);

/// What the object shows about the report on `attempt`. Another attempt has its own states, which this report
/// does not affect.
[[nodiscard]] ReportReading compare(const LostReport& report, ConstObjectRef object,
                                    const AttemptName& attempt);

void tell(const ReportReading& reading, CheckFacts& facts);

/// The operation that reads the object of a report.
[[nodiscard]] inline const AnyOperation& retrieveOf(const LostReport& report) {
  return *report.operation.resource->machine->retrieve;
}

}  // namespace tally::detail
