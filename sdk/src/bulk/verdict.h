#pragma once

#include <cstdint>
#include <string>

#include <tally/error.h>
#include <tally/report_journal.h>

#include "reports/report_resolver.h"

namespace tally::detail {

/// What follows from how a call for a report ended.
struct Verdict {
  enum class Next : std::uint8_t {
    end,      // the report has ended
    retry,    // the same again, later
    resolve,  // find out what became of it
  };

  Next next = Next::end;
  ReportEnd end = ReportEnd::done;
  bool open = false;     // a later run can decide it
  bool endsJob = false;  // no other report can succeed either
  std::string reason{};
};

/// The object could not be read before the report.
[[nodiscard]] Verdict afterFailedRead(const Error& error);

/// The report was not accepted.
[[nodiscard]] Verdict afterFailedSend(const Error& error);

/// The object could not be read after a report whose outcome is unknown.
[[nodiscard]] Verdict afterFailedResolve(const Error& error);

/// The object was read. `mayResend`: whether the report would have been sent again if possible.
[[nodiscard]] Verdict afterResolve(const CheckFacts& facts);

}  // namespace tally::detail
