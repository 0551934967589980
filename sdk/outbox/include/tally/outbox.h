#pragma once

#include <tally/detail/cpp20.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tally/options.h>
#include <tally/outbox_report.h>
#include <tally/pacer.h>
#include <tally/read_before.h>
#include <tally/result.h>
#include <tally/stop_token.h>

namespace [[gnu::visibility("default")]] tally {

namespace detail {
class OutboxStore;
}

/// A domain whose reports a worker can send. It represents one account and mode, whose limits these reports
/// share.
struct OutboxDomain {
  std::string name{};  ///< As in enqueue().
  /// The options of the client that sends the reports. A key or an apiKeyProvider is required. `timeout`, the
  /// time limit of an attempt, must be at most half of the lease. If no pacer is set, the client gets one
  /// with the options `pacing`.
  ClientOptions client{};
  /// The options of the pacer that the client gets if `client` sets no pacer. `assumeUsed` is raised to at
  /// least one second, because another worker may have sent reports until a moment ago. If `share` is set,
  /// the worker takes part in the share while it owns the domain.
  PacerOptions pacing{};
  /// The metadata key that marks each report, so that the object shows whether the report was applied. The
  /// value is derived from the domain, the report's key and the number of the retry. The metadata key must
  /// not contain `[` or `]`. Empty: reports are not marked.
  std::string markerKey = "tally_report";
};

std::ostream& operator<<(std::ostream& out, const OutboxDomain& value);

/// Something that happened in a worker.
struct OutboxEvent {
  enum class Kind : std::uint8_t {
    started,  ///< The worker has joined the fleet of workers.
    stopped,  ///< It has stopped.
    /// Other workers have declared it dead, or the database has lost commits. It stops sending and starts
    /// again.
    fenced,
    domainClaimed,   ///< It sends the reports of the domain from now on.
    domainReleased,  ///< It no longer sends these reports; `reason` explains why.
    domainPaused,    ///< The domain's reports are not sent until resume().
    peerDied,        ///< It has declared another worker dead.
    reportApplied,
    reportRefused,
    reportUnknown,
    reportCanceled,
    reportParked,    ///< The report is not sent until release().
    reportDeferred,  ///< The report is tried again later.
    /// A late request from a dead worker undid the report, so the report was resent.
    reportRepaired,
    /// The same, but the report could not be resent, so someone must inspect the object.
    reportOverwritten,
    trouble,    ///< The database or the service has a problem; the worker continues.
    heartbeat,  ///< The database has confirmed that the worker is in the fleet. Sent five times per lease.
  };

  Kind kind = Kind::trouble;
  std::string domain{};
  std::uint64_t report = 0;  ///< Its number; 0 if the event is not about a report.
  std::string object{};
  std::string reason{};
};

/// The readable name, such as `report applied`.
[[nodiscard]] std::string_view toString(OutboxEvent::Kind kind) noexcept;
/// Prints one line.
std::ostream& operator<<(std::ostream& out, OutboxEvent::Kind kind);
std::ostream& operator<<(std::ostream& out, const OutboxEvent& event);

/// Options of an Outbox. The constructor of Outbox refuses numbers and durations that are out of range.
struct OutboxOptions {
  /// The domains whose reports run() sends. Empty for programs that only enqueue.
  std::vector<OutboxDomain> domains{};

  /// How long a worker may be silent before other workers take over its domains. From 1 second to 1 hour.
  std::chrono::milliseconds lease{15'000};
  /// How many reports of a domain are held in memory. From 1 to 1,000,000.
  std::size_t window = 1'000;
  std::size_t maxInFlight = 64;  ///< How many requests of a domain may be in flight. At least 1.
  ReadBefore readBefore = ReadBefore::unlessAttemptKnown;
  /// How long a report is retried before it is deferred for the same time. At least 0.
  std::chrono::milliseconds retryTimeout{std::chrono::minutes{5}};
  /// How long run() may take to decide the reports in flight after a stop. At least 0.
  std::chrono::milliseconds gracePeriod{10'000};
  /// How long reports are kept after they have been decided. Their keys are not removed. Empty: all reports
  /// are kept.
  std::optional<std::chrono::seconds> retention{};
  /// Allows a database that may lose commits when the power fails.
  bool allowLossOnPowerFailure = false;
  /// Receives the events, one at a time, in threads of run(). Must not throw.
  std::function<void(const OutboxEvent&)> onEvent{};
  /// The source of time for pauses, polls and the lease; null: systemClock() and, for the lease, a clock that
  /// also runs while the machine is suspended. If a client's transport is in this process, null means the
  /// clock of that client.
  std::shared_ptr<Clock> clock{};
};

std::ostream& operator<<(std::ostream& out, const OutboxOptions& value);

/// The state of a domain.
struct OutboxStatus {
  std::string domain{};
  std::string owner{};             ///< The worker's host and process; empty if the domain has no owner.
  std::string paused{};            ///< Why it is paused; empty if it is not.
  std::uint64_t waiting = 0;       ///< Above 1,000, an estimate: at most 100,000 or the domain's limit.
  std::uint64_t blocked = 0;       ///< Objects whose next report is parked or deferred.
  std::uint64_t failed = 0;        ///< Refused or unknown reports that have not been retried.
  std::chrono::seconds oldest{0};  ///< The age of the oldest undecided report.
};

std::ostream& operator<<(std::ostream& out, const OutboxStatus& value);

/// A report that someone may have to inspect.
struct OutboxReportStatus {
  std::uint64_t report = 0;  ///< Its number, for Outbox::retry(), cancel() and release().
  std::string domain{};
  std::string object{};
  std::string key{};
  std::string state{};  ///< `refused`, `unknown`, `parked`, `waiting` or `sent`.
  std::string reason{};
  std::chrono::seconds age{0};  ///< Since it was enqueued.

  bool operator==(const OutboxReportStatus&) const = default;
};

std::ostream& operator<<(std::ostream& out, const OutboxReportStatus& value);

/// What has become of a request to retry, cancel or release a report.
struct OutboxRequestStatus {
  std::uint64_t request = 0;  ///< Its number, which Outbox::retry(), cancel() or release() returned.
  std::string domain{};
  std::uint64_t report = 0;
  std::string action{};  ///< `retry`, `cancel` or `release`.
  std::string answer{};  ///< Such as `canceled`; empty until a worker has carried it out.

  bool operator==(const OutboxRequestStatus&) const = default;
};

std::ostream& operator<<(std::ostream& out, const OutboxRequestStatus& value);

/// Reports that wait in a database until a worker has sent them. The application can enqueue reports in its
/// own transactions: see <tally/outbox_postgres.h> and <tally/outbox_sqlite.h>. The worker that owns the
/// domain sends the reports on one object in the order in which their transactions committed, each only after
/// the outcome of the previous one is known.
///
/// Thread-safe. Functions throw OutboxError if the database can't be used.
class Outbox {
 public:
  /// `url` is `postgresql://…`, another connection string of libpq, or `sqlite:` followed by the path of a
  /// file. Only one worker at a time can use such a file. The constructor does not connect yet. Throws
  /// std::invalid_argument if the connection string can't be read, or if an option is invalid, which it then
  /// names, and OutboxError if the path can't name a file.
  explicit Outbox(const std::string& url, OutboxOptions options = {});
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  ~Outbox();

  /// Creates the schema, or brings it up to date; see migrateOutbox().
  void migrate();

  /// Enqueues in its own transaction; see the functions of <tally/outbox_postgres.h>.
  [[nodiscard]] Result<std::uint64_t> enqueue(std::string_view domain, const OutboxReport& report,
                                              const EnqueueOptions& options = {});
  [[nodiscard]] Result<std::vector<std::uint64_t>> enqueueAll(std::string_view domain,
                                                              std::span<const OutboxReport> reports,
                                                              const EnqueueOptions& options = {});

  /// Runs a worker until a stop is requested. The worker claims domains that have no owner and whose keys are
  /// in the options, and sends their reports. Any number of processes may run workers. After a stop, the
  /// worker decides the reports in flight and gives up its domains.
  ///
  /// A database error ends run() only at the start; later, the worker tries again. Also throws OutboxError if
  /// the database may lose commits; see OutboxOptions::allowLossOnPowerFailure.
  void run(StopToken stop);

  /// Asks the worker that owns the domain to send a refused or unknown report again, after the other reports
  /// on its object. An unknown report is first resolved by reading its object. Returns the number of the
  /// request; requests() shows the worker's answer.
  std::uint64_t retry(std::uint64_t report, std::string_view note = {});
  /// Like retry(), but asks the worker to cancel a report that has not been sent.
  std::uint64_t cancel(std::uint64_t report, std::string_view note = {});
  /// Like retry(), but asks the worker to send a report that is parked or not yet due.
  std::uint64_t release(std::uint64_t report, std::string_view note = {});

  void pause(std::string_view domain, std::string_view reason);
  void resume(std::string_view domain, std::string_view note = {});

  /// Refuses new reports while about this many reports of the domain wait. Empty: there is no limit.
  void limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting);
  /// Removes the reports on an object and everything else that is stored about it, except for hashes of the
  /// keys. A report that had a key therefore still can't be enqueued again; a report without a key can.
  /// Returns how many reports were removed. Throws OutboxError if any of them has not been decided.
  std::uint64_t erase(std::string_view domain, std::string_view object, std::string_view note = {});

  [[nodiscard]] std::vector<OutboxStatus> status();
  /// The refused and unknown reports that have not been retried, the most recently decided first.
  [[nodiscard]] std::vector<OutboxReportStatus> failed(std::size_t limit = 100);
  /// The reports that are next in line for their objects but can't be sent at present, because they are
  /// parked or not yet due, or because their domain is paused or has no worker. The oldest come first.
  [[nodiscard]] std::vector<OutboxReportStatus> blocked(std::size_t limit = 100);
  /// The requests to retry, cancel or release reports, with the worker's answers, the newest first. Requests
  /// about reports that have been removed are not included.
  [[nodiscard]] std::vector<OutboxRequestStatus> requests(std::size_t limit = 100);

 private:
  OutboxOptions options_;
  std::shared_ptr<detail::OutboxStore> store_;
};

}  // namespace tally
