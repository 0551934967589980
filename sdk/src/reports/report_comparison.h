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
  StopReason reason = StopReason::unclear;

  // Not applied and, as far as visible, no other report since: sending it now has the effect it would have
  // had at first.
  [[nodiscard]] bool maySend() const { return reason == StopReason::onlyReads; }
};

/// Compares `object` with the effect of `report`. `before` is the object before the report was first sent;
/// null if unknown. Both have the same owner. The resource's objects must show their states.
[[nodiscard]] ReportReading compareReport(const Operation& report, const void* params, const void* object,
                                          const void* before);

/// The text at `path` in an object of `type`; empty if there is none.
[[nodiscard]] std::string_view textIn(const Struct& type, std::string_view path, const void* object);

/// The owner of the states of `object`: while it is the same, the states are about the same thing.
[[nodiscard]] std::string_view ownerOfStates(const Resource& resource, const void* object);

}  // namespace tally::detail
