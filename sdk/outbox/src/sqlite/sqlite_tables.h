#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tally/clock.h>

#include <sqlite_connection.h>

#include "worker/store.h"

namespace tally::detail {

/// The heads that an owner holds, each with the priority with which it was returned.
using SqliteHeads = std::map<std::uint64_t, ReportPriority>;

/// The tables of an outbox in SQLite. They do what the schema of PostgreSQL does. Functions that write are
/// called in a transaction. For one thread. Functions throw OutboxError.
class SqliteTables {
 public:
  explicit SqliteTables(SqliteConnection& connection) : connection_(connection) {}

  // Applications and people.
  /// An error leaves something written.
  [[nodiscard]] Result<std::vector<std::uint64_t>> enqueueAll(std::string_view domain,
                                                              std::span<const OutboxReport> reports,
                                                              const EnqueueOptions& options, Instant now);
  std::uint64_t ask(std::string_view action, std::uint64_t report, std::string_view note, Instant now);
  void pause(std::string_view domain, std::string_view reason, Instant now);
  void resume(std::string_view domain, std::string_view note, Instant now);
  void limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting, Instant now);
  std::uint64_t erase(std::string_view domain, std::string_view object, std::string_view note, Instant now);
  [[nodiscard]] std::vector<OutboxStatus> status(Instant now);
  [[nodiscard]] std::vector<OutboxReportStatus> failed(std::size_t limit, Instant now);
  [[nodiscard]] std::vector<OutboxReportStatus> blocked(std::size_t limit, Instant now);
  [[nodiscard]] std::vector<OutboxRequestStatus> requests(std::size_t limit);

  // The worker.
  /// The number of a worker that is new. The last one has died if it did not depart.
  [[nodiscard]] std::string enroll(const WorkerDescription& description, Instant now);
  void depart();
  /// Whether there is such a domain.
  [[nodiscard]] bool own(std::string_view domain, std::string_view owner);

  // The owner of a domain.
  /// Whether a head has become due.
  [[nodiscard]] bool hasDue(std::string_view domain, Instant now);
  void placeDue(std::string_view domain, Instant now);
  [[nodiscard]] DomainNews read(std::string_view domain, std::array<std::size_t, 2> atMost,
                                const SqliteHeads& held, Instant now);
  [[nodiscard]] std::vector<Head> write(std::string_view domain, std::string_view incarnation,
                                        const Batch& batch, Instant now);
  [[nodiscard]] std::vector<Head> carryOut(std::string_view domain, std::span<const std::uint64_t> requests,
                                           Instant now);
  void answer(std::string_view domain, std::uint64_t request, std::string_view text);
  /// Whether tidy() would change something.
  [[nodiscard]] bool needsTidying(std::string_view domain, Instant now);
  /// Forgets idle suspects. If the clock has been set back since a delay began, the delay starts again:
  /// otherwise, it would last too long.
  void tidy(std::string_view domain, Instant now);
  /// Returns how many it has removed, at most `limit`.
  [[nodiscard]] std::size_t removeDecided(std::string_view domain, std::chrono::seconds age,
                                          std::size_t limit, Instant now);
  void writeLate(std::string_view domain, std::string_view incarnation, std::span<const LateFinding> findings,
                 Instant now);

 private:
  struct Row;
  struct ObjectHead {
    std::uint64_t id = 0;
    bool isUrgent = false;  // a normal report waits for it, or is it
  };
  class Use;

  /// A statement that is kept, until the end of the scope.
  Use use(const char* sql);
  [[nodiscard]] std::optional<Row> find(std::uint64_t report);
  void requireDomain(std::string_view domain);
  void note(std::string_view action, std::string_view domain, std::uint64_t report, std::string_view note,
            Instant now);

  void find(std::string_view domain, std::string_view incarnation, std::span<const LateFinding> findings);
  void suspect(std::string_view domain, const Batch& batch, Instant now);
  /// The last report that was sent on an object, if it was applied; else 0.
  [[nodiscard]] std::uint64_t shownBy(std::string_view domain, std::string_view object);
  /// Suspects that are due, but on which there is nothing to check: they show no report, and no waiting
  /// report can change that.
  [[nodiscard]] std::vector<std::string> idleSuspects(std::string_view domain, Instant now);
  [[nodiscard]] std::vector<std::string> dueSuspects(std::string_view domain, Instant now);
  [[nodiscard]] std::vector<std::uint64_t> dueRechecks(std::string_view domain, Instant now);
  void intend(std::string_view incarnation, const Intent& intent);
  /// Whether the report was undecided.
  bool decide(const Outcome& outcome, Instant now);
  void canceled(std::uint64_t report);
  std::vector<std::string> decide(std::string_view domain, std::span<const Outcome> outcomes, Instant now);
  [[nodiscard]] ObjectHead headOf(std::string_view domain, std::string_view object);
  void place(std::string_view domain, std::string_view object) { place(headOf(domain, object)); }
  void place(const ObjectHead& head);
  /// The heads on these objects that can be sent.
  [[nodiscard]] std::vector<Head> nextOn(std::string_view domain, std::span<const std::string> objects,
                                         Instant now);
  [[nodiscard]] std::vector<MarkedReport> earlierThan(std::uint64_t report, bool isRecheck);
  [[nodiscard]] Head describe(std::uint64_t report);
  /// With those that are to be looked at before.
  [[nodiscard]] std::vector<Head> describe(std::string_view domain, const std::set<std::uint64_t>& heads);
  [[nodiscard]] std::vector<OpenRequest> openRequests(std::string_view domain);
  void remove(std::span<const std::uint64_t> reports);
  void forgetKey(std::uint64_t report);
  [[nodiscard]] std::string retry(const Row& original, Instant now);
  [[nodiscard]] std::string release(const Row& report);
  [[nodiscard]] std::optional<std::string> carryOutOne(const Row& report, std::string_view action,
                                                       Instant now);

  SqliteConnection& connection_;
  std::map<const char*, SqliteStatement> statements_{};
};

}  // namespace tally::detail
