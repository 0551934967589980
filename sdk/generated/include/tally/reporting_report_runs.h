// Generated from the API description, version 1.0.0. Do not edit.
#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <tally/borrowed.h>
#include <tally/id.h>
#include <tally/integer.h>
#include <tally/json.h>
#include <tally/last_response.h>
#include <tally/options.h>
#include <tally/pager.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class ClientCore;
}

/// A placeholder for the resources of the reporting product.
/// Assumed (not specified): Data, reporting and tax endpoints.
struct ReportingReportRun {
  static constexpr std::string_view object = "reporting_report_run";

  Id<ReportingReportRun> id{};         ///< Report run identifier.
  std::chrono::sys_seconds created{};  ///< When the report run was created.
  bool livemode{};                     ///< True in live mode, false in the sandbox.
  UnknownFields unknownFields{};       ///< Other fields that the service sent.
  LastResponse lastResponse{};         ///< The response that contained the object.

  bool operator==(const ReportingReportRun&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const ReportingReportRun& value);
};

/// Parameters of ReportingReportRuns::list.
template <class O>
struct BasicReportingReportRunListParams {
  /// The maximum number of objects per page. 1 to 100; default 10.
  std::optional<Integer> limit{};
  /// Lists the objects after this one. Mutually exclusive with `ending_before`.
  Held<O, std::optional<Id<ReportingReportRun>>> startingAfter{};
  /// Lists the objects before this one. Mutually exclusive with `starting_after`.
  Held<O, std::optional<Id<ReportingReportRun>>> endingBefore{};

  operator BasicReportingReportRunListParams<detail::OppositeOf<O>>() const&;
  operator BasicReportingReportRunListParams<Borrowing>() const&& = delete;  // a temporary: give it a name
};

using ReportingReportRunListParams = BasicReportingReportRunListParams<Owning>;
std::ostream& operator<<(std::ostream& out, const ReportingReportRunListParams& value);

/// Lists report runs.
/// Thread-safe; may outlive its Client. Made by Client::reportingReportRuns().
class ReportingReportRuns {
 public:
  explicit ReportingReportRuns(std::shared_ptr<const detail::ClientCore> core) : core_(std::move(core)) {}
  // No move operations: a move would leave the source without a client.
  ReportingReportRuns(const ReportingReportRuns&) = default;
  ReportingReportRuns& operator=(const ReportingReportRuns&) = default;
  ~ReportingReportRuns() = default;

  /// Lists report runs, newest first.
  /// Spec: "List operations".
  /// Assumed (not specified): Data, reporting and tax endpoints.
  [[nodiscard]] Pager<ReportingReportRun> list(const ReportingReportRunListParams& params = {},
                                               const RequestOptions& options = {}) const;

 private:
  std::shared_ptr<const detail::ClientCore> core_;
};

}  // namespace tally
