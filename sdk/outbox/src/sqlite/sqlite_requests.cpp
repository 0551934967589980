#include <string>
#include <utility>

#include "enqueue/enqueue_check.h"
#include "enqueue/requested_action.h"
#include "platform/machine.h"
#include "sqlite/sqlite_rows.h"
#include "sqlite/sqlite_tables.h"
#include "time/saturating.h"

namespace tally::detail {

Result<std::vector<std::uint64_t>> SqliteTables::enqueueAll(std::string_view domain,
                                                            std::span<const OutboxReport> reports,
                                                            const EnqueueOptions& options, Instant now) {
  if (auto error = checkReports(domain, reports)) return *std::move(error);
  use("INSERT INTO tally_domain (domain) VALUES (?) ON CONFLICT DO NOTHING").with(domain).run();
  {
    auto full = use("SELECT 1 FROM tally_domain WHERE domain = ?1 AND ?2 > 0 AND waiting + ?2 > max_waiting");
    if (full.with(domain, std::uint64_t{reports.size()}).step()) return refusedDomain(domain);
  }
  const Instant due =
      options.notBefore ? Instant{saturatingNanoseconds(options.notBefore->time_since_epoch())} : Instant{};
  std::vector<std::uint64_t> numbers;
  std::uint64_t added = 0;
  for (const OutboxReport& one : reports) {
    const std::uint64_t hash = contentsHash(one);
    const std::string removed = keyOfRemoved(one.key);
    auto known = use("SELECT contents_hash, report FROM tally_key WHERE domain = ? AND key IN (?, ?)");
    if (!one.key.empty() && known.with(domain, one.key, removed).step()) {
      if (known.positive(0) != hash) return refusedKey(one.key);
      numbers.push_back(known.positive(1));
      continue;
    }
    use("INSERT INTO tally_report (domain, object, key, account, contents, priority, due, enqueued_at)"
        " VALUES (?, ?, coalesce(nullif(?, ''), lower(hex(randomblob(16)))), ?, ?, ?, ?, ?)")
        .with(domain, one.report.id, one.key, one.connectedAccount, one.report.toText(),
              static_cast<std::uint64_t>(options.priority), due > now ? nanosecondsOf(due) : 0U,
              nanosecondsOf(now))
        .run();
    numbers.push_back(static_cast<std::uint64_t>(connection_.number("SELECT last_insert_rowid()")));
    use("INSERT INTO tally_key SELECT domain, key, ?, id FROM tally_report WHERE id = ?")
        .with(hash, numbers.back())
        .run();
    place(domain, one.report.id);
    ++added;
  }
  use("UPDATE tally_domain SET waiting = waiting + ? WHERE domain = ?").with(added, domain).run();
  return numbers;
}

void SqliteTables::requireDomain(std::string_view domain) {
  auto known = use("SELECT 1 FROM tally_domain WHERE domain = ?");
  if (!known.with(domain).step())
    throw OutboxError{"tally: there is no domain '" + std::string{domain} + '\'', {}};
}

void SqliteTables::note(std::string_view action, std::string_view domain, std::uint64_t report,
                        std::string_view note, Instant now) {
  use("INSERT INTO tally_audit VALUES (?, ?, ?, ?, ?, ?)")
      .with(nanosecondsOf(now), userId(), action, domain, report, note)
      .run();
}

std::uint64_t SqliteTables::ask(std::string_view action, std::uint64_t report, std::string_view text,
                                Instant now) {
  auto row =
      use("SELECT r.domain, s.state FROM tally_report r JOIN tally_report_state s ON s.report = r.id WHERE "
          "r.id = ?");
  checkAction(action, report, row.with(report).step() ? std::optional{row.text(1)} : std::nullopt);
  const std::string domain = row.text(0);
  use("INSERT INTO tally_request (domain, report, action) VALUES (?, ?, ?)")
      .with(domain, report, action)
      .run();
  const auto number = static_cast<std::uint64_t>(connection_.number("SELECT last_insert_rowid()"));
  note(action, domain, report, text, now);
  return number;
}

void SqliteTables::pause(std::string_view domain, std::string_view reason, Instant now) {
  requireDomain(domain);
  use("UPDATE tally_domain SET paused = ? WHERE domain = ?").with(reason, domain).run();
  note("pause", domain, 0, reason, now);
}

void SqliteTables::resume(std::string_view domain, std::string_view text, Instant now) {
  requireDomain(domain);
  use("UPDATE tally_domain SET paused = NULL WHERE domain = ?").with(domain).run();
  note("resume", domain, 0, text, now);
}

void SqliteTables::limitWaiting(std::string_view domain, std::optional<std::uint64_t> maxWaiting,
                                Instant now) {
  requireDomain(domain);
  const std::string limit = maxWaiting ? std::to_string(*maxWaiting) : "no limit";
  use("UPDATE tally_domain SET max_waiting = CASE WHEN ?1 THEN ?2 END WHERE domain = ?3")
      .with(std::uint64_t{maxWaiting ? 1U : 0U}, maxWaiting.value_or(0), domain)
      .run();
  note("limit_waiting", domain, 0, limit, now);
}

std::uint64_t SqliteTables::erase(std::string_view domain, std::string_view object, std::string_view text,
                                  Instant now) {
  requireDomain(domain);
  std::vector<std::uint64_t> reports;
  {
    auto rows = use(  // each part has an index of its own
        "SELECT id, outcome FROM tally_report WHERE domain = ?1 AND object = ?2 AND outcome IS NULL"
        " UNION ALL SELECT id, outcome FROM tally_report"
        "  WHERE domain = ?1 AND object = ?2 AND outcome = 'applied'"
        " UNION ALL SELECT id, outcome FROM tally_report"
        "  WHERE domain = ?1 AND object = ?2 AND outcome = 'unknown'"
        " UNION ALL SELECT id, outcome FROM tally_report"
        "  WHERE domain = ?1 AND object = ?2 AND outcome IN ('refused', 'canceled')"
        " ORDER BY id");
    rows.with(domain, object);
    while (rows.step()) {
      reports.push_back(rows.positive(0));
      if (rows.isNull(1)) refuseToErase(reports.back(), object);
    }
  }
  remove(reports);
  use("DELETE FROM tally_suspect WHERE domain = ? AND object = ?").with(domain, object).run();
  note("erase", domain, 0, text, now);
  return reports.size();
}

std::vector<OutboxStatus> SqliteTables::status(Instant now) {
  auto rows = use(
      "SELECT d.domain, d.owner, d.paused, d.waiting,"
      "  (SELECT count(*) FROM tally_report r WHERE r.domain = d.domain AND r.place = 3)"
      "  + (SELECT count(*) FROM tally_report r WHERE r.domain = d.domain AND r.place = 2 AND r.due > ?1),"
      "  (SELECT count(*) FROM tally_report r WHERE r.domain = d.domain AND r.outcome IN ('refused', "
      "'unknown')"
      "     AND r.retried_by = 0),"
      "  (SELECT max(?1 - r.enqueued_at, 0) / 1000000000 FROM tally_report r"
      "    WHERE r.id = (SELECT min(h.id) FROM (VALUES (0), (1), (2), (3)) p"
      "     JOIN tally_report h ON h.domain = d.domain AND h.place = p.column1))"
      "  FROM tally_domain d ORDER BY d.domain");
  rows.with(nanosecondsOf(now));
  std::vector<OutboxStatus> all;
  while (rows.step())
    all.push_back({.domain = rows.text(0),
                   .owner = rows.text(1),
                   .paused = rows.text(2),
                   .waiting = rows.positive(3),
                   .blocked = rows.positive(4),
                   .failed = rows.positive(5),
                   .oldest = std::chrono::seconds{rows.positive(6)}});
  return all;
}

namespace {

template <class Rows>
std::vector<OutboxReportStatus> reportsIn(Rows& rows) {
  std::vector<OutboxReportStatus> reports;
  while (rows.step())
    reports.push_back({.report = rows.positive(0),
                       .domain = rows.text(1),
                       .object = rows.text(2),
                       .key = rows.text(3),
                       .state = rows.text(4),
                       .reason = rows.text(5),
                       .age = std::chrono::seconds{rows.positive(6)}});
  return reports;
}

}  // namespace

std::vector<OutboxReportStatus> SqliteTables::failed(std::size_t limit, Instant now) {
  auto rows = use(
      "SELECT id, domain, object, key, outcome, coalesce(reason, ''), max(?1 - enqueued_at, 0) / 1000000000"
      "  FROM tally_report WHERE outcome IN ('refused', 'unknown') AND retried_by = 0"
      " ORDER BY decided_at DESC, id DESC LIMIT ?2");
  rows.with(nanosecondsOf(now), std::uint64_t{limit});
  return reportsIn(rows);
}

std::vector<OutboxReportStatus> SqliteTables::blocked(std::size_t limit, Instant now) {
  auto rows =
      use("SELECT r.id, r.domain, r.object, r.key,"
          "  CASE WHEN r.place = 3 THEN 'parked' WHEN r.sender IS NOT NULL THEN 'sent' ELSE 'waiting' END,"
          "  CASE WHEN r.place = 3 THEN coalesce(r.reason, '')"
          "       WHEN d.paused IS NOT NULL THEN 'the domain is paused: ' || d.paused"
          "       WHEN d.owner IS NULL THEN 'no worker has the key of the domain'"
          "       ELSE 'is due in ' || ((r.due - ?1 + 999999999) / 1000000000) || ' s' END,"
          "  max(?1 - r.enqueued_at, 0) / 1000000000"
          "  FROM tally_domain d JOIN tally_report r ON r.domain = d.domain"
          " WHERE r.place = 3 OR (r.place = 2 AND r.due > ?1)"
          "    OR (r.place IN (0, 1, 2) AND (d.paused IS NOT NULL OR d.owner IS NULL))"
          " ORDER BY r.enqueued_at, r.id LIMIT ?2");
  rows.with(nanosecondsOf(now), std::uint64_t{limit});
  return reportsIn(rows);
}

std::vector<OutboxRequestStatus> SqliteTables::requests(std::size_t limit) {
  auto rows = use(
      "SELECT id, domain, report, action, coalesce(answer, '') FROM tally_request ORDER BY id DESC LIMIT ?");
  rows.with(std::uint64_t{limit});
  std::vector<OutboxRequestStatus> requests;
  while (rows.step())
    requests.push_back({.request = rows.positive(0),
                        .domain = rows.text(1),
                        .report = rows.positive(2),
                        .action = rows.text(3),
                        .answer = rows.text(4)});
  return requests;
}

// ---- Workers

std::string SqliteTables::enroll(const WorkerDescription& description, Instant now) {
  use("UPDATE tally_report SET deaths = deaths + 1"
      " WHERE outcome IS NULL AND sender IS NOT NULL AND sender IN (SELECT incarnation FROM tally_worker)")
      .run();
  // The last worker may have left something in the network as well.
  use("UPDATE tally_suspect SET due = max(due, ?)")
      .with(nanosecondsOf(saturatingAdd(now, description.lease)))
      .run();
  depart();
  use("INSERT INTO tally_worker VALUES (lower(hex(randomblob(16))), ?, ?)")
      .with(description.host, static_cast<std::uint64_t>(std::max(description.process, 0)))
      .run();
  for (const std::string& domain : description.domains)
    use("INSERT INTO tally_domain (domain) VALUES (?) ON CONFLICT DO NOTHING").with(domain).run();
  return connection_.text("SELECT incarnation FROM tally_worker");
}

void SqliteTables::depart() {
  use("DELETE FROM tally_worker").run();
  use("UPDATE tally_domain SET owner = NULL WHERE owner IS NOT NULL").run();
}

bool SqliteTables::own(std::string_view domain, std::string_view owner) {
  use("UPDATE tally_domain SET owner = nullif(?, '') WHERE domain = ?").with(owner, domain).run();
  return connection_.changes() > 0;
}

}  // namespace tally::detail
