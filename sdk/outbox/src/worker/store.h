#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tally/outbox.h>
#include <tally/outbox_report.h>
#include <tally/result.h>

namespace tally::detail {

/// The worker does not own the domain any more, and must send nothing in it. Nothing has been written.
class SessionOver final : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "another worker owns the domain"; }
};

/// What identifies a report in the marker that its object shows.
struct MarkedReport {
  std::string key{};
  std::uint32_t retry = 0;

  bool operator==(const MarkedReport&) const = default;
};

/// The most earlier reports on its object that a recheck knows.
inline constexpr std::size_t mostEarlierReports = 1'000;

/// A report that is a head: every report before it on its object is decided or removed.
struct Head {
  std::uint64_t id = 0;
  std::string object{};
  std::string account{};
  std::string key{};
  std::string contents{};                            // Report::fromText() reads it
  ReportPriority priority = ReportPriority::normal;  // also if a normal report waits for it
  std::uint32_t retry = 0;
  bool isCanceled = false;       // a person has asked for it
  bool mayHaveBeenSent = false;  // there is an intent, or one may have been lost
  bool isRecheck = false;        // applied already: see Suspicion
  std::string before{};          // the object before the report, as JSON; empty if it was not read
  std::uint32_t deaths = 0;      // of workers that may have sent it, since it was last released

  // If it may have been sent: reports before it on the object, the last one first. An object that shows one
  // of them does not show this one, or no longer. Of a recheck: all; else the last one that was applied.
  std::vector<MarkedReport> earlier{};
};

/// What a person asks for, about a report that is not decided.
struct OpenRequest {
  std::uint64_t id = 0;
  std::uint64_t report = 0;
  bool isCancel = false;
};

/// What has changed in a domain.
struct DomainNews {
  std::optional<std::string> paused{};  // why nothing is sent
  std::vector<Head> heads{};            // in the order in which they were enqueued; each is returned once
  std::vector<std::uint64_t>
      urgent{};  // heads of low priority, returned before, that a normal report waits for
  std::vector<OpenRequest> requests{};
  bool isComplete = true;  // no more can be read at present
};

struct Intent {
  std::uint64_t report = 0;
  std::string before{};  // the object as JSON; empty if it was not read, or the report names its attempt
};

struct Outcome {
  std::uint64_t report = 0;
  std::string object{};
  std::string outcome{};  // `applied`, `refused`, `unknown` or `canceled`
  std::string reason{};
};

/// The head is returned again after `delay`.
struct Deferral {
  std::uint64_t report = 0;
  std::chrono::nanoseconds delay{0};
};

/// The head is returned again once a person has released it.
struct Parking {
  std::uint64_t report = 0;
  std::string reason{};
};

/// A request that a dead worker has left in the network may yet arrive and undo what was sent after it. So
/// the last report that was applied on the object is returned once more, before each head on the object that
/// has not been sent, and after `delay`; unless the outcome of a later one is unknown.
struct Suspicion {
  std::string object{};
  std::chrono::nanoseconds delay{0};
};

/// What a worker has learned about a report that another one had sent.
struct LateFinding {
  std::uint64_t report = 0;
  std::string finding{};
};

/// All of it is written, or nothing.
struct Batch {
  std::vector<Intent> intents{};
  std::vector<Outcome> outcomes{};
  std::vector<Deferral> deferrals{};
  std::vector<Parking> parkings{};
  std::vector<Suspicion> suspicions{};
  std::vector<std::string> rechecked{};  // objects that are no longer suspected if the delay has passed
  std::vector<LateFinding> findings{};

  [[nodiscard]] bool empty() const noexcept {
    return intents.empty() && outcomes.empty() && deferrals.empty() && parkings.empty() &&
           suspicions.empty() && rechecked.empty() && findings.empty();
  }
};

/// What the owner of a domain reads and writes. For one thread. Functions throw SessionOver, and OutboxError
/// if the store can't be used; then it is not known whether anything was written, and nothing may be sent
/// that relies on it. A lost connection is not an error as long as it can be replaced.
class DomainStore {
 public:
  DomainStore() = default;
  DomainStore(const DomainStore&) = delete;
  DomainStore& operator=(const DomainStore&) = delete;
  virtual ~DomainStore() = default;

  /// Forgets which heads it has returned. Heads without an outcome are returned again.
  virtual void restart() = 0;

  /// At most about as many new heads of each priority.
  [[nodiscard]] virtual DomainNews read(std::size_t normal, std::size_t low) = 0;

  /// Once it returns, the batch is durable. Returns the heads that were waiting for the outcomes, in any
  /// order.
  [[nodiscard]] virtual std::vector<Head> write(const Batch& batch) = 0;

  /// Carries out requests about reports that are not among the heads in memory. Returns heads like write().
  [[nodiscard]] virtual std::vector<Head> carryOut(std::span<const std::uint64_t> requests) = 0;

  /// Answers a request about a head in memory.
  virtual void answer(std::uint64_t request, const std::string& text) = 0;

  /// Nothing is sent until a person resumes the domain.
  virtual void pause(const std::string& reason) = 0;

  /// Does what is to be done from time to time.
  virtual void maintain() = 0;

  /// Removes at most `limit` reports that were decided more than `age` ago. Returns how many.
  virtual std::size_t removeDecided(std::chrono::seconds age, std::size_t limit) = 0;

  /// What is learned after SessionOver. The objects are suspected from now on. Does not throw.
  virtual void writeLate(std::span<const LateFinding> findings) noexcept = 0;
};

/// Why a worker refuses a database with this lack of durability.
[[nodiscard]] inline OutboxError refusalOfLoss(const std::string& lack) {
  return {"the database may lose commits when the power fails: " + lack +
              "; set OutboxOptions::allowLossOnPowerFailure to work anyway",
          {}};
}

/// How a worker introduces itself to the others.
struct WorkerDescription {
  std::string host{};
  int process = 0;
  std::vector<std::string> domains{};  // whose keys it has
  std::chrono::milliseconds lease{15'000};
  bool refusesLoss = false;  // claims nothing in a database with a lack of durability
};

/// Another worker.
struct Peer {
  std::string incarnation{};
  std::uint64_t beat = 0;
  std::chrono::nanoseconds lease{0};
  std::vector<std::string> domains{};

  bool operator==(const Peer&) const = default;
};

/// The reply to a heartbeat.
struct Heartbeat {
  std::vector<std::string> owned{};
  std::vector<std::string> unowned{};  // of the worker's domains
  std::vector<Peer> peers{};
};

/// A worker among others. For one thread. Functions throw OutboxError if the store can't be used.
class WorkerStore {
 public:
  WorkerStore() = default;
  WorkerStore(const WorkerStore&) = delete;
  WorkerStore& operator=(const WorkerStore&) = delete;
  virtual ~WorkerStore() = default;

  [[nodiscard]] virtual const std::string& incarnation() const noexcept = 0;

  /// Extends the lease, which begins when this is called. Empty: the worker has been declared dead, or the
  /// store has forgotten commits.
  [[nodiscard]] virtual std::optional<Heartbeat> beat() = 0;

  /// Removes a worker whose heartbeat has been `peer.beat` for its whole lease. False if it no longer is.
  virtual bool declareDead(const Peer& peer) = 0;

  /// Null if the domain has an owner. The result may be used in another thread, and after this.
  [[nodiscard]] virtual std::unique_ptr<DomainStore> claim(const std::string& domain) = 0;
  virtual void giveUp(const std::string& domain) = 0;

  /// The worker stops, and gives up everything.
  virtual void depart() = 0;
};

/// A database with an outbox. Thread-safe. Functions throw OutboxError.
class OutboxStore {
 public:
  OutboxStore() = default;
  OutboxStore(const OutboxStore&) = delete;
  OutboxStore& operator=(const OutboxStore&) = delete;
  virtual ~OutboxStore() = default;

  virtual void migrate() = 0;
  /// Why a commit may not survive the loss of power; empty if it does.
  [[nodiscard]] virtual std::string lackOfDurability() = 0;

  [[nodiscard]] virtual Result<std::vector<std::uint64_t>> enqueueAll(std::string_view domain,
                                                                      std::span<const OutboxReport> reports,
                                                                      const EnqueueOptions& options) = 0;

  /// `retry`, `cancel` or `release`. Returns the number of the request.
  virtual std::uint64_t ask(std::string_view action, std::uint64_t report, std::string_view note) = 0;
  virtual void pause(std::string_view domain, std::string_view reason) = 0;
  virtual void resume(std::string_view domain, std::string_view note) = 0;
  /// New reports are refused while about this many wait; no number: there is no limit.
  virtual void limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting) = 0;
  /// Removes everything about an object, except for hashes of its reports' keys. Returns how many reports
  /// were removed.
  virtual std::uint64_t erase(std::string_view domain, std::string_view object, std::string_view note) = 0;
  [[nodiscard]] virtual std::vector<OutboxStatus> status() = 0;
  [[nodiscard]] virtual std::vector<OutboxReportStatus> failed(std::size_t limit) = 0;
  [[nodiscard]] virtual std::vector<OutboxReportStatus> blocked(std::size_t limit) = 0;
  [[nodiscard]] virtual std::vector<OutboxRequestStatus> requests(std::size_t limit) = 0;

  [[nodiscard]] virtual std::unique_ptr<WorkerStore> enroll(const WorkerDescription& description) = 0;

  /// Calls `wake` in another thread whenever something may have been enqueued, until the result is destroyed.
  /// Null if the store can't notify.
  [[nodiscard]] virtual std::shared_ptr<void> listen(
      const std::function<void(std::string_view domain)>& wake) = 0;
};

}  // namespace tally::detail
