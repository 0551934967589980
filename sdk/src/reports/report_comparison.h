#pragma once

#include <string>
#include <string_view>

#include <tally/report_check.h>

#include "schema/operation.h"

namespace tally::detail {

/// What an object shows about a report on it.
struct ReportReading {
  ReportStatus status = ReportStatus::indeterminate;
  bool isFinal = false;  // no report can change the object any more
  NoResendReason reason = NoResendReason::indeterminate;

  // Not applied and, as far as visible, no other report since: sending it now has the effect it would have
  // had at first.
  [[nodiscard]] bool maySend() const { return reason == NoResendReason::checkOnly; }
};

/// Compares `object` with the effect of `report`. `before` is the object before the report was first sent;
/// empty if unknown. Both have the same owner. The resource's objects must show their states.
[[nodiscard]] ReportReading compareReport(const AnyOperation& report, ConstObjectRef params,
                                          ConstObjectRef object, ConstObjectRef before);

/// The text at `path` in an object; empty if there is none.
[[nodiscard]] std::string_view textIn(ConstObjectRef object, std::string_view path);

/// The owner of the states of `object`: while it is the same, the states are about the same thing.
[[nodiscard]] std::string_view ownerOfStates(const Resource& resource, ConstObjectRef object);

}  // namespace tally::detail
