#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

#include <tally/client.h>
#include <tally/read_before.h>
#include <tally/report.h>
#include <tally/report_end.h>
#include <tally/report_journal.h>
#include <tally/stop_token.h>

namespace [[gnu::visibility("default")]] tally {

/// The progress of reportAll(). Reports that ended in earlier runs with the same journal count from the
/// start, although their results are delivered later.
struct ReportProgress {
  std::uint64_t applied = 0;
  std::uint64_t refused = 0;
  std::uint64_t unknown = 0;
  std::uint64_t unsent = 0;
  std::uint64_t fromEarlierRun = 0;  ///< How many of the above ended in earlier runs.
  /// Reports that have not ended: all remaining reports if the total is known, otherwise only those read so
  /// far.
  std::uint64_t waiting = 0;
  std::optional<std::uint64_t> total{};  ///< ReportAllOptions::total, or the size of the range.
  double rate = 0;                       ///< Reports that this run decided, per second.
  /// The time left at this rate. Empty if there is no total, and while the run is stopping.
  std::optional<std::chrono::seconds> timeLeft{};
  /// One line that says why the most recently completed call failed, if that call will be repeated. Empty
  /// while calls succeed, and for the first ten seconds in which limits and locks refuse all calls.
  std::string problem{};

  [[nodiscard]] std::uint64_t ended() const noexcept { return applied + refused + unknown + unsent; }
};

/// Prints one line: `1200 applied, 3 refused, 1 unknown, 796 waiting, 25.0 per second, 00:00:31 left`,
/// followed by the problem, if there is one.
std::ostream& operator<<(std::ostream& out, const ReportProgress& progress);

/// How one report ended. Everything that the result refers to is valid until the function that receives the
/// result returns.
struct ReportResult {
  /// Its position in the range, from 0. Messages count rows from 1: `row 1` is the first.
  std::uint64_t row = 0;
  const Report& report;  ///< Empty if the range had an Error in its place.
  ReportEnd end = ReportEnd::applied;
  /// Whether a later run with the same journal will decide the report, because it was not sent, its outcome
  /// could not yet be read, or the journal could not record its outcome. In the last case, `end` is `unknown`
  /// for a report that was applied, and `unsent` for a report that was refused. `reason` explains what
  /// happened.
  bool pending = false;
  bool fromEarlierRun = false;   ///< Whether it ended in an earlier run with the same journal.
  const std::string& reason;     ///< One line that says why it was not applied; empty if it was.
  const Error* error = nullptr;  ///< The error behind the reason; null if this run has none.
  const void* object = nullptr;  ///< See objectAs().
  std::string_view type{};       ///< The resource of the object.

  /// The object as the service last returned it; null if none was returned, or if it is not a `T`.
  template <class T>
  [[nodiscard]] const T* objectAs() const noexcept {
    return type == T::object ? static_cast<const T*>(object) : nullptr;
  }
};

/// Prints a line, with the row counted from 1, such as `row 8, pr_1: refused: There is no payment record
/// 'pr_1'.`
std::ostream& operator<<(std::ostream& out, const ReportResult& value);

/// Receives the events of reportAll(), in the thread that called it. An exception from an observer ends the
/// job in the same way as an exception from the callback.
class ReportObserver {
 public:
  virtual ~ReportObserver() = default;
  /// Called when a report has ended. If there is a journal, the outcome is then durable, unless the report is
  /// pending.
  virtual void onResult(const ReportResult& /*result*/) {}
  /// Called every ReportAllOptions::progressInterval, and when the job ends.
  virtual void onProgress(const ReportProgress& /*progress*/) {}

 protected:
  ReportObserver() = default;
  ReportObserver(const ReportObserver&) = default;
  ReportObserver& operator=(const ReportObserver&) = default;
};

/// The options of reportAll().
struct ReportAllOptions {
  /// Records intents and outcomes. Null: there is no record, so after a crash, it is unknown what was sent.
  /// The job shares its ownership.
  std::shared_ptr<ReportJournal> journal{};
  /// Identifies the input in the journal, for example by the name of a file and the hash of its contents. A
  /// journal of another source is refused. Whatever the source, rows are compared with the journal.
  std::string source{};
  /// Identifies the account and its mode in the journal. Empty: a fingerprint of the API key, the connected
  /// account and the base URL. Set a name if the key may change. Required with a journal if the key comes
  /// from ClientOptions::apiKeyProvider or an `Authorization` header.
  std::string account{};

  /// Which objects are read before they are reported on, so that lost reports can be resolved.
  ReadBefore readBefore = ReadBefore::unlessAttemptKnown;
  /// How many reports are held in memory: those in flight, and those that wait for others. At least 1. Larger
  /// windows keep several endpoints busy if the input is not well mixed. A resumed run holds all rows before
  /// the first row in the journal, even if they exceed the window.
  std::size_t window = 1'000;
  /// How many requests may be in flight. At least 1. Until the first call has ended, it is the only one: a
  /// wrong key or URL then leaves no other report in doubt.
  std::size_t maxInFlight = 64;
  /// How long a report is retried after its first failure, with growing pauses, in addition to the client's
  /// own retries. At least 0. A rate or concurrency limit ends a report only if it admits no request of the
  /// job for that long; the time for which a limit delays a report does not count. The job ends if nothing in
  /// it succeeds for that long.
  std::chrono::milliseconds retryTimeout{std::chrono::minutes{5}};
  /// How long a stopped job may take to resolve the reports in flight. At least 0.
  std::chrono::milliseconds gracePeriod{10'000};
  /// The options of all requests. `totalTimeout`, `deadline`, `stop` and `attempts` are not used.
  RequestOptions request{};

  std::optional<std::uint64_t> total{};               ///< The number of reports, if the range has no size.
  std::chrono::milliseconds progressInterval{1'000};  ///< Time between calls to `onProgress`; more than 0.
  /// Receives the progress every `progressInterval`, and when the job ends.
  std::function<void(const ReportProgress&)> onProgress{};
  std::shared_ptr<ReportObserver> observer{};  ///< The job shares its ownership.
  /// Stops the job: no more reports are read or sent. Reports in flight are decided or stay pending.
  StopToken stop{};
};

std::ostream& operator<<(std::ostream& out, const ReportAllOptions& value);

/// How a job of reportAll() ended.
struct ReportSummary {
  ReportProgress progress{};
  bool stopped = false;  ///< Whether ReportAllOptions::stop ended the job.
  /// One line that says why the job ended early: a problem with the journal, an option or the service.
  std::string problem{};

  /// Whether all reports have ended as applied, refused or unknown, and none is pending.
  bool isComplete = false;
};

/// Prints the progress, followed by `; complete`, `; stopped` and the problem, each only if it applies.
std::ostream& operator<<(std::ostream& out, const ReportSummary& value);

/// Receives the result of each report.
using ReportCallback = std::function<void(const ReportResult&)>;

namespace detail {

/// Returns the next report; empty at the end. An Error takes the place of a report that could not be read.
using ReportSource = std::function<std::optional<Result<Report>>()>;

[[nodiscard, gnu::visibility("default")]] ReportSummary reportAllFrom(const Client& client,
                                                                      const ReportSource& source,
                                                                      const ReportAllOptions& options,
                                                                      const ReportCallback& onResult);

}  // namespace detail

/// Sends any number of reports, and returns when all have ended. Reports on one object are sent in order,
/// each after the previous one has ended. Reports on different objects are sent in parallel, as fast as the
/// limits and the Pacer of `client` allow.
///
/// `reports` is an input range of Report, or of Result<Report> if reading a report can fail. An Error in the
/// range counts as a report that ended as ReportEnd::refused. `onResult` is called once for each report.
/// Memory use is bounded by ReportAllOptions::window.
///
/// Reports that the service refuses for a temporary reason (a lock, a limit or trouble at the service) are
/// sent again. While a limit refuses requests, the job sends fewer requests. As long as the job makes
/// progress, no report ends as ReportEnd::unsent because of a rate or concurrency limit.
///
/// If the response to a report is lost, or comes from a gateway that may have forwarded the report, the
/// report is resolved with resolveReport() where that is safe: see ReadBefore. A report is refused for good
/// only by the service's response about that report. A problem that concerns all reports, such as a wrong key
/// or URL, ends the job and leaves the remaining reports to a later run.
///
/// If there is a journal, the same call with the same input resumes a run that was killed. It resolves the
/// reports that were in flight, and sends the rest. The result of a report that had already ended is
/// delivered again, with ReportResult::fromEarlierRun set. The same input means the same reports in the same
/// order. Nothing is sent until the first row in the journal has been compared with that row of the input.
///
/// If Transport::inProcess() is true, as with the fake, the job makes progress in the calling thread alone. A
/// call that a callback makes in the meantime ends in ErrorKind::queueFull, with effect `none`, if it would
/// have to wait for the job. A callback must then not call reportAll() or AsyncClient::run().
///
/// The range, the callbacks, the observer and the journal are used in the calling thread. If one of them
/// throws, the job stops as if a stop had been requested, and reportAll() then throws the first exception. A
/// JournalError is not thrown, but appears in ReportSummary::problem. Throws std::invalid_argument, which
/// names the option, if a number is out of range or if ReportAllOptions::account is required but empty.
template <std::ranges::input_range Reports>
  requires std::convertible_to<std::ranges::range_reference_t<Reports>, Result<Report>>
// Ranges are read in place; a sized one sets options.total.
// NOLINTNEXTLINE(*-missing-std-forward, *-unnecessary-value-param)
[[nodiscard]] ReportSummary reportAll(const Client& client, Reports&& reports, ReportAllOptions options = {},
                                      const ReportCallback& onResult = {}) {
  if constexpr (std::ranges::sized_range<Reports>)
    if (!options.total) options.total = static_cast<std::uint64_t>(std::ranges::size(reports));
  std::optional<std::ranges::iterator_t<Reports>> at;
  const detail::ReportSource source = [&]() -> std::optional<Result<Report>> {
    if (at) {
      ++*at;
    } else {
      at.emplace(std::ranges::begin(reports));
    }
    if (*at == std::ranges::end(reports)) return std::nullopt;
    return Result<Report>{**at};
  };
  return detail::reportAllFrom(client, source, options, onResult);
}

}  // namespace tally
