#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/clock.h>

#include "worker/store.h"

namespace tally::detail {

/// A report, and what is known about it.
struct MemoryReport {
  struct Intent {
    std::string incarnation{};
    std::string before{};
  };
  struct End {
    std::string outcome{};
    std::string reason{};
    Instant at{};
  };

  std::uint64_t id = 0;
  std::string domain{};
  std::string object{};
  std::string account{};
  std::string key{};
  std::string contents{};
  ReportPriority priority = ReportPriority::normal;
  std::optional<Instant> due{};  // what it waits for, once it is a head
  std::uint32_t retry = 0;
  std::uint64_t retryOf = 0;
  std::uint64_t retriedBy = 0;
  Instant enqueuedAt{};
  std::vector<Intent> intents{};
  std::optional<std::string> parked{};  // why
  std::uint64_t releasedAt = 0;         // as MemoryState counts events
  std::optional<End> end{};
};

struct MemoryRequest {
  std::string domain{};
  std::uint64_t report = 0;
  std::string action{};
  std::optional<std::string> answer{};
};

struct MemoryWorker {
  WorkerDescription description{};
  std::uint64_t beat = 0;
};

struct MemoryDomain {
  struct Object {
    std::set<std::uint64_t> open{};  // the undecided reports; the first one is the head
    std::set<std::uint64_t> openNormal{};
    std::uint64_t lastApplied = 0;
    std::uint64_t lastUnknown = 0;
  };

  std::optional<std::string> owner{};
  std::uint64_t session = 0;
  std::uint64_t writes = 0;    // of owners
  std::uint64_t identity = 0;  // of the database, as the owner has seen it, or whoever
                               // enqueued first; 0: no longer to be believed
  std::uint64_t doubtful = 0;
  std::optional<std::uint64_t> maxWaiting{};
  std::optional<std::string> paused{};
  std::map<std::string, Object, std::less<>> objects{};
  std::set<std::uint64_t> open{};
  std::array<std::set<std::uint64_t>, 2> ready{};  // heads, by the priority with which they are sent
  std::set<std::pair<Instant, std::uint64_t>> due{};
  std::set<std::uint64_t> parked{};
  std::set<std::uint64_t> failed{};
  std::set<std::pair<Instant, std::uint64_t>> decided{};
  std::set<std::uint64_t> requests{};
  std::map<std::string, Instant> suspects{};  // objects, and when what they show is to be looked at
};

/// The right to write in a domain.
struct MemorySession {
  std::string domain{};
  std::string incarnation{};
  std::uint64_t number = 0;
};

/// The heads that an owner holds, each with the priority with which it was returned.
using HeldHeads = std::map<std::uint64_t, ReportPriority>;

/// The reply to what an owner writes.
struct MemoryReply {
  std::vector<Head> heads{};
  std::uint64_t writes = 0;
  std::size_t removed = 0;
};

/// The contents of an outbox in memory. Each function is a transaction, which changes nothing if it throws.
/// They do what the functions of the schema with the same names do. For one thread at a time; copies are
/// backups.
class MemoryState {
 public:
  // Applications and people.
  [[nodiscard]] Result<std::vector<std::uint64_t>> enqueueAll(std::string_view domain,
                                                              std::span<const OutboxReport> reports,
                                                              const EnqueueOptions& options, Instant now);
  std::uint64_t ask(std::string_view action, std::uint64_t report);
  void pause(std::string_view domain, std::string_view reason);
  void resume(std::string_view domain);
  void limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting);
  std::uint64_t erase(std::string_view domain, std::string_view object);
  [[nodiscard]] std::vector<OutboxStatus> status(Instant now) const;
  [[nodiscard]] std::vector<OutboxReportStatus> failed(std::size_t limit, Instant now) const;
  [[nodiscard]] std::vector<OutboxReportStatus> blocked(std::size_t limit, Instant now) const;
  [[nodiscard]] std::vector<OutboxRequestStatus> requests(std::size_t limit) const;

  // Workers.
  std::string enroll(const WorkerDescription& description);
  /// The number of the heartbeat too. Without `acknowledged`, the last one, commits have been forgotten; then
  /// each domain is doubted.
  std::optional<std::pair<std::uint64_t, Heartbeat>> beat(const std::string& incarnation,
                                                          std::uint64_t acknowledged);
  bool declareDead(const std::string& incarnation, std::uint64_t beat);
  void depart(const std::string& incarnation);
  std::optional<MemorySession> claim(const std::string& domain, const std::string& incarnation, Instant now);
  void giveUp(const std::string& domain, const std::string& incarnation);
  /// `acknowledged` is the last MemoryReply::writes. Without it here, commits have been forgotten.
  std::optional<MemorySession> renew(const std::string& domain, const std::string& incarnation,
                                     std::uint64_t acknowledged);

  // The owner of a domain. They throw SessionOver.
  [[nodiscard]] DomainNews read(const MemorySession& session, std::array<std::size_t, 2> atMost,
                                const HeldHeads& held, Instant now);
  MemoryReply write(const MemorySession& session, const Batch& batch, Instant now);
  MemoryReply carryOut(const MemorySession& session, std::span<const std::uint64_t> requests, Instant now);
  MemoryReply answer(const MemorySession& session, std::uint64_t request, const std::string& text);
  MemoryReply pauseOwn(const MemorySession& session, const std::string& reason);
  /// Forgets idle suspects: those that are due, but show no report, and on which no report waits.
  MemoryReply maintain(const MemorySession& session, Instant now);
  MemoryReply removeDecided(const MemorySession& session, std::chrono::seconds age, std::size_t limit,
                            Instant now);
  /// Needs no session.
  void writeLate(std::span<const LateFinding> findings, Instant now);

  /// From now on, this is another history.
  void changeIdentity() { identity_ = ++*neverAgain_; }

  // What tests look at.
  [[nodiscard]] const std::map<std::uint64_t, MemoryReport>& reports() const noexcept { return reports_; }
  [[nodiscard]] const std::map<std::uint64_t, MemoryRequest>& requests() const noexcept { return requests_; }
  [[nodiscard]] const std::vector<LateFinding>& late() const noexcept { return late_; }

  /// The domains in which something may have been enqueued since this was called before.
  [[nodiscard]] std::vector<std::string> takeNotifications() { return std::exchange(notifications_, {}); }

 private:
  struct Key {
    std::string contents{};
    std::uint64_t report = 0;
  };
  using Domains = std::map<std::string, MemoryDomain, std::less<>>;

  MemoryReport* find(std::uint64_t report);
  [[nodiscard]] const MemoryReport* find(std::uint64_t report) const;
  MemoryDomain& domainNamed(std::string_view domain);
  static void doubt(MemoryDomain& domain);
  MemoryDomain& hold(const MemorySession& session);
  /// The same for a transaction that writes.
  MemoryDomain& holdToWrite(const MemorySession& session);
  std::optional<MemorySession> beginSession(MemoryDomain& domain, const std::string& name,
                                            const std::string& incarnation);

  std::uint64_t append(MemoryReport report);
  [[nodiscard]] std::optional<Error> checkKeys(std::string_view domain,
                                               std::span<const OutboxReport> reports) const;
  std::string keyOf(const OutboxReport& report);

  // Heads. One is withdrawn before it changes, and placed again.
  void withdraw(MemoryDomain& domain, const MemoryReport& head);
  void place(MemoryDomain& domain, const MemoryDomain::Object& object);
  static ReportPriority priorityOf(const MemoryDomain::Object& object);
  void placeDue(MemoryDomain& domain, Instant now);
  [[nodiscard]] bool isHead(const MemoryReport& report) const;
  [[nodiscard]] bool mayHaveBeenSent(const MemoryReport& report) const;
  [[nodiscard]] const MemoryReport* unknownOriginal(const MemoryReport& report) const;
  [[nodiscard]] const MemoryReport* shownBy(const MemoryDomain::Object& object) const;
  [[nodiscard]] std::vector<MarkedReport> earlierThan(const MemoryReport& report) const;
  [[nodiscard]] Head describe(const MemoryReport& report) const;
  /// With those that are to be looked at before.
  [[nodiscard]] std::vector<Head> describe(const MemoryDomain& domain, std::set<std::uint64_t> heads) const;
  [[nodiscard]] std::uint32_t deathsOf(const MemoryReport& report) const;

  void checkOutcomes(const Batch& batch) const;
  void suspect(MemoryDomain& domain, const Batch& batch, Instant now);
  /// But for those about reports that have been removed.
  void add(std::span<const LateFinding> findings);
  void decide(MemoryDomain& domain, MemoryReport& report, MemoryReport::End end);
  void canceled(MemoryDomain& domain, const MemoryReport& report);
  [[nodiscard]] std::vector<Head> readyOn(MemoryDomain& domain, std::span<const std::string> objects,
                                          Instant now);
  [[nodiscard]] std::vector<OpenRequest> openRequests(const MemoryDomain& domain) const;
  std::string retry(MemoryReport& original, Instant now);
  std::string releaseReport(MemoryDomain& domain, MemoryReport& report);
  std::optional<std::string> carryOutOne(const MemoryRequest& request, Instant now);
  void remove(MemoryDomain& domain, std::uint64_t report);

  /// Unlike other numbers, its values are not given again by a backup.
  std::shared_ptr<std::uint64_t> neverAgain_ = std::make_shared<std::uint64_t>(1);
  std::uint64_t identity_ = 1;
  std::uint64_t lastReport_ = 0;
  std::uint64_t lastRequest_ = 0;
  std::uint64_t events_ = 0;
  Domains domains_{};
  std::map<std::string, MemoryWorker> workers_{};
  std::map<std::string, std::uint64_t> dead_{};  // when, as events are counted
  std::map<std::uint64_t, MemoryReport> reports_{};
  std::map<std::pair<std::string, std::string>, Key> keys_{};
  std::map<std::uint64_t, MemoryRequest> requests_{};
  std::vector<LateFinding> late_{};
  std::vector<std::string> notifications_{};
};

}  // namespace tally::detail
