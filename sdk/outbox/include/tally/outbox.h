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

/// A domain whose reports a worker can send: one account and mode, whose limits these reports share.
struct OutboxDomain {
  std::string name{};  ///< As in enqueue().
  /// The options of the client that sends; a key or an apiKeyProvider is required. `timeout` bounds an
  /// attempt: it must be at most half of the lease. If no pacer is set, the client gets one with the options
  /// `pacing`.
  ClientOptions client{};
  /// The options of the pacer that the client gets if `client` sets no pacer. `assumeUsed` is at least one
  /// second, since another worker may have sent until a moment ago. With a `share`, the worker takes part in
  /// it while it owns the domain.
  PacerOptions pacing{};
  /// The metadata key that marks each report, so that the object shows whether it was applied. Its value is
  /// derived from the domain, the key and the number of the retry. Empty: reports are not marked.
  std::string markerKey = "tally_report";
};

std::ostream& operator<<(std::ostream& out, const OutboxDomain& value);

/// Something that happened in a worker.
struct OutboxEvent {
  enum class Kind : std::uint8_t {
    started,         ///< The worker takes part.
    stopped,         ///< It has stopped.
    fenced,          ///< Other workers declared it dead, or may have: it sends nothing, and starts again.
    domainClaimed,   ///< It sends the reports of the domain from now on.
    domainReleased,  ///< It no longer sends them; `reason` explains why.
    domainPaused,    ///< Nothing is sent until resume().
    peerDied,        ///< It has declared another worker dead.
    reportApplied,
    reportRefused,
    reportUnknown,
    reportCanceled,
    reportParked,    ///< It is not sent until release().
    reportDeferred,  ///< It is tried again later.
    /// A late request from a dead worker undid the report, so the report was resent.
    reportRepaired,
    /// The same, but the report could not be resent: someone must inspect the object.
    reportOverwritten,
    trouble,    ///< The database or the service causes trouble; the worker continues.
    heartbeat,  ///< Five times in each lease: the database has confirmed that the worker takes part.
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

/// Options of an Outbox. Its constructor refuses numbers and durations out of range.
struct OutboxOptions {
  std::vector<OutboxDomain> domains{};  ///< What run() sends. Empty for programs that only enqueue.

  /// How long a worker may be silent before others take over. From 1 second to 1 hour.
  std::chrono::milliseconds lease{15'000};
  /// How many reports of a domain are held in memory. At least 1.
  std::size_t window = 1'000;
  std::size_t maxInFlight = 64;  ///< How many requests of a domain may be in flight. At least 1.
  ReadBefore readBefore = ReadBefore::unlessAttemptKnown;
  /// How long a report is retried before it is deferred for the same time. At least 0.
  std::chrono::milliseconds retryTimeout{std::chrono::minutes{5}};
  /// How long run() may take to decide the reports in flight after a stop. At least 0.
  std::chrono::milliseconds gracePeriod{10'000};
  /// Removes reports this long after they were decided, but keeps their keys. Empty: keeps all reports.
  std::optional<std::chrono::seconds> retention{};
  /// Allows a database that may lose commits when the power fails.
  bool allowLossOnPowerFailure = false;
  /// Receives what happens, in threads of run(), one event at a time. Must not throw.
  std::function<void(const OutboxEvent&)> onEvent{};
  /// The source of time for pauses, polls and the lease; null: systemClock() and, for the lease, a clock that
  /// also runs while the machine is suspended. With a transport in this process, null means the clock of its
  /// client.
  std::shared_ptr<Clock> clock{};
};

std::ostream& operator<<(std::ostream& out, const OutboxOptions& value);

/// What waits in a domain.
struct OutboxStatus {
  std::string domain{};
  std::string owner{};             ///< Host and process of the worker; empty if no worker has the key.
  std::string paused{};            ///< Why it is paused; empty if it is not.
  std::uint64_t waiting = 0;       ///< Beyond 1,000, an estimate, capped at 100,000 or the limit.
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

/// Reports that wait in a database until a worker has sent them. Enqueuing is possible in the application's
/// own transaction: see <tally/outbox_postgres.h> and <tally/outbox_sqlite.h>. Reports on one object are sent
/// in the order in which their transactions committed, each once the outcome of the previous one is known, by
/// whichever worker owns the domain.
///
/// Thread-safe. Functions throw OutboxError if the database can't be used.
class Outbox {
 public:
  /// `url`: `postgresql://…`, another connection string of libpq, or `sqlite:` and the path of a file, which
  /// only one worker at a time can use. Does not connect yet. Throws std::invalid_argument, which names the
  /// option, and OutboxError if the path can't name a file.
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

  /// Works until a stop is requested: claims domains that have no owner and whose keys are in the options,
  /// and sends their reports. Any number of processes may do so. After a stop, it decides the reports in
  /// flight and gives up its domains.
  ///
  /// An error of the database ends it only at the start; later, it tries again. Also throws OutboxError if
  /// the database may lose commits; see OutboxOptions::allowLossOnPowerFailure.
  void run(StopToken stop);

  /// Asks the worker that owns the domain to send a refused or unknown report again, behind the others on its
  /// object. An unknown one is read and resolved first. Returns the number of the request.
  std::uint64_t retry(std::uint64_t report, std::string_view note = {});
  /// Like retry(), but to cancel a report that has not been sent.
  std::uint64_t cancel(std::uint64_t report, std::string_view note = {});
  /// Like retry(), but to send a report that is parked, or whose time has not come.
  std::uint64_t release(std::uint64_t report, std::string_view note = {});

  void pause(std::string_view domain, std::string_view reason);
  void resume(std::string_view domain, std::string_view note = {});

  [[nodiscard]] std::vector<OutboxStatus> status();
  /// The refused and unknown reports that have not been retried, the most recently decided first.
  [[nodiscard]] std::vector<OutboxReportStatus> failed(std::size_t limit = 100);
  /// The reports that are next on their objects and can't be sent at present: parked, waiting for a time, or
  /// in a domain that is paused or has no worker. The oldest come first.
  [[nodiscard]] std::vector<OutboxReportStatus> blocked(std::size_t limit = 100);

 private:
  OutboxOptions options_;
  std::shared_ptr<detail::OutboxStore> store_;
};

}  // namespace tally
