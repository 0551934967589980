#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
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
  [[nodiscard]] std::vector<OutboxStatus> status(Instant now);

  // The worker.
  /// The number of a worker that is new. The last one has died if it did not depart.
  [[nodiscard]] std::string enroll(const WorkerDescription& description);
  void depart();
  /// Whether there is such a domain.
  [[nodiscard]] bool own(std::string_view domain, std::string_view owner);

  // The owner of a domain.
  /// Whether a head has become due.
  [[nodiscard]] bool hasDue(std::string_view domain, Instant now);
  void placeDue(std::string_view domain, Instant now);
  [[nodiscard]] DomainNews read(std::string_view domain, std::array<std::size_t, 2> atMost,
                                const SqliteHeads& held);
  [[nodiscard]] std::vector<Head> write(std::string_view domain, std::string_view incarnation,
                                        const Batch& batch, Instant now);
  [[nodiscard]] std::vector<Head> carryOut(std::string_view domain, std::span<const std::uint64_t> requests,
                                           Instant now);
  void answer(std::string_view domain, std::uint64_t request, std::string_view text);
  void removeDecided(std::string_view domain, std::chrono::seconds age, Instant now);
  void writeLate(std::string_view domain, std::string_view incarnation,
                 std::span<const DomainStore::LateFinding> findings);

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

  void intend(std::string_view incarnation, const Intent& intent);
  /// Whether it was undecided.
  bool decide(const Row& report, std::string_view outcome, std::string_view reason, Instant now);
  [[nodiscard]] ObjectHead headOf(std::string_view domain, std::string_view object);
  void place(std::string_view domain, std::string_view object);
  [[nodiscard]] std::vector<Head> readyOn(std::string_view domain, std::span<const std::string> objects,
                                          Instant now);
  [[nodiscard]] Head describe(std::uint64_t report);
  [[nodiscard]] std::vector<OpenRequest> openRequests(std::string_view domain);
  [[nodiscard]] std::string retry(const Row& original, Instant now);
  [[nodiscard]] std::string release(const Row& report);
  [[nodiscard]] std::optional<std::string> carryOutOne(const Row& report, std::string_view action,
                                                       Instant now);

  SqliteConnection& connection_;
  std::map<const char*, SqliteStatement> statements_{};
};

}  // namespace tally::detail
