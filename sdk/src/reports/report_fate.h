#pragma once

#include <string>
#include <string_view>

#include <tally/report_fate.h>

#include "schema/operation.h"

namespace tally::detail {

/// What an object tells of a report on it.
struct FateReading {
  Fate fate = Fate::undecided;
  bool isFinal = false;  // no report changes the object any more
  StopReason reason = StopReason::unclear;

  // Not applied, and, as far as can be seen, nobody else has reported since: to send the report now does what
  // it would have done at first.
  [[nodiscard]] bool maySend() const { return reason == StopReason::onlyReads; }
};

/// Compares `object` with what `report` does. `before` is the object before the report was first sent, or
/// null where that is not known. Both have the same owner. The report's resource has a Machine.
[[nodiscard]] FateReading readFate(const Operation& report, const void* params, const void* object,
                                   const void* before);

/// The text at `path` in an object of `type`; empty where there is none.
[[nodiscard]] std::string_view textIn(const Struct& type, std::string_view path, const void* object);

/// What the states of `object` belong to: while that is the same, so is what they are the states of.
[[nodiscard]] std::string_view ownerOfStates(const Resource& resource, const void* object);

}  // namespace tally::detail
