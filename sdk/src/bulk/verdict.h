#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <tally/error.h>
#include <tally/param.h>
#include <tally/report_end.h>

#include "bulk/bulk_row.h"
#include "reports/lost_report.h"

namespace tally::detail {

/// What follows from how a call for a report ended.
struct Verdict {
  enum class Next : std::uint8_t {
    end,      // the report has ended
    retry,    // the same again, later
    send,     // the object was read: send the report
    resolve,  // find out what became of it
  };

  Next next = Next::end;
  ReportEnd end = ReportEnd::applied;
  bool pending = false;  // a later run can decide it
  bool endsJob = false;  // no other report can succeed either
  std::string reason{};
};

using ExtraParams = std::span<const Param>;

/// The object could not be read before the report.
[[nodiscard]] Verdict afterFailedRead(const Error& error);

/// The report was not accepted. `extra`: the parameters that all reports of the job have.
[[nodiscard]] Verdict afterFailedSend(const Error& error, ExtraParams extra = {});

/// The object could not be read after a report whose outcome is unknown. That the service knows no such
/// object does not show that the report was not applied: the specification does not say that objects stay,
/// and ReportAllOptions::account may name the account of a key that can't see it. Then the report ends as
/// unknown, although without a crash the response to it would have refused it.
[[nodiscard]] Verdict afterFailedResolve(const Error& error);

/// The object was read, and the report may have been sent again.
[[nodiscard]] Verdict afterResolve(const CheckFacts& facts, ExtraParams extra = {});

/// Whether a job has reached the service, or only something else that responds in its place, as behind a
/// wrong URL.
class Contact {
 public:
  /// After each call.
  void callEnded(const std::optional<Error>& error) noexcept;

  /// Ends the job instead of another retry of a report that has failed so often before, if there is no hope
  /// for the others either.
  void review(Verdict& verdict, const Error& error, int failures);

 private:
  bool made_ = false;
  bool givenUp_ = false;
};

/// What the calls of a job mean for its reports. Each call may tell something about the calls that follow.
class Verdicts {
 public:
  /// `extra`, the parameters that all reports of the job have, must outlive this.
  explicit Verdicts(ExtraParams extra) : extra_(extra) {}

  /// The last call of the row has ended, as its `error`, `facts` and `object` say. `stopping`: nothing more
  /// is sent in this run.
  [[nodiscard]] Verdict afterCall(const BulkRow& row, bool stopping);

 private:
  [[nodiscard]] Verdict afterCallOf(const BulkRow& row, bool stopping) const;
  [[nodiscard]] Verdict afterSend(const BulkRow& row) const;
  [[nodiscard]] Verdict afterResolution(const BulkRow& row, bool stopping) const;

  ExtraParams extra_;
  Contact contact_{};
};

}  // namespace tally::detail
