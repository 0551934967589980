#pragma once

#include <tally/detail/cpp20.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include <tally/metadata.h>
#include <tally/result.h>
#include <tally/timestamp.h>

namespace [[gnu::visibility("default")]] tally {

/// A report on any object, with everything needed to send it, for files, queues and reportAll(). If the
/// resource is known when the code is written, the methods of its service, such as reportFailed(), are safer.
struct Report {
  /// The identifier of the object. Its prefix determines the resource: `pr_` for a payment record.
  std::string id{};
  /// Such as `failed`, for `report_payment_attempt_failed`, which reportFailed() sends.
  std::string outcome{};
  /// When the reported event happened. Required for reports that have a time.
  std::optional<Timestamp> time{};
  MetadataEdit metadata{};
  /// The attempt that the report is about, if the application knows it: the `latest_payment_attempt_record`
  /// of a payment record (`par_…`). Not sent, but makes it safe to resolve a lost report: see
  /// ReportCheckOptions. Empty: unknown.
  std::string attempt{};
  std::string reference{};  ///< The application's own reference, such as a row number. Not sent.

  bool operator==(const Report&) const = default;

  /// The report as a JSON object on one line, which fromText() reads:
  /// `{"id":"pr_1","outcome":"failed","time":1767225600,"metadata":{"order":"42"},"reference":"7"}`. Times
  /// are in seconds since the Unix epoch. In `metadata`, `null` unsets a key, and `"metadata":null` unsets
  /// all keys. Members without content are omitted. The strings must be UTF-8.
  [[nodiscard]] std::string toText() const;

  /// Reads what toText() writes, with members in any order and any white space. `id` and `outcome` are
  /// required. An error has ErrorKind::invalidParameter; `param` names the faulty member. Does not check
  /// whether the report can be sent.
  [[nodiscard]] static Result<Report> fromText(std::string_view text);

  /// The error that prevents every client from sending the report, as a call would return it; empty if there
  /// is none.
  [[nodiscard]] std::optional<Error> check() const;

  /// Prints one line, whatever the strings contain.
  friend std::ostream& operator<<(std::ostream& out, const Report& report);
};

}  // namespace tally
