#include "sqlite/sqlite_rows.h"
#include "sqlite/sqlite_tables.h"
#include "time/saturating.h"

namespace tally::detail {

SqliteTables::Use SqliteTables::use(const char* sql) {
  return Use{statements_.try_emplace(sql, connection_, sql).first->second};
}

/// 0 if nothing waits.
SqliteTables::ObjectHead SqliteTables::headOf(std::string_view domain, std::string_view object) {
  auto heads =
      use("SELECT (SELECT min(id) FROM tally_report WHERE domain = ?1 AND object = ?2 AND priority = 0 AND "
          "outcome IS NULL),"
          " (SELECT min(id) FROM tally_report WHERE domain = ?1 AND object = ?2 AND priority = 1 AND outcome "
          "IS NULL)");
  if (!heads.with(domain, object).step()) return {};
  const std::uint64_t normal = heads.positive(0);
  const std::uint64_t low = heads.positive(1);
  return {.id = normal == 0 || (low != 0 && low < normal) ? low : normal, .isUrgent = normal != 0};
}

/// The head of an object comes to its place, unless it waits there for a time or a person.
void SqliteTables::place(const ObjectHead& head) {
  if (head.id == 0) return;
  use("UPDATE tally_report SET place = CASE WHEN due > 0 THEN 2 ELSE ?2 END"
      " WHERE id = ?1 AND coalesce(place, -1) < 2 AND coalesce(place, -1) <> CASE WHEN due > 0 THEN 2 ELSE "
      "?2 END")
      .with(head.id, std::uint64_t{head.isUrgent ? 0U : 1U})
      .run();
}

std::optional<SqliteTables::Row> SqliteTables::find(std::uint64_t report) {
  auto row =
      use("SELECT r.domain, r.object, r.due, r.place, r.outcome, r.retried_by, r.sender IS NOT NULL OR "
          "o.outcome IS 'unknown'"
          "  FROM tally_report r LEFT JOIN tally_report o ON o.id = r.retry_of WHERE r.id = ?");
  row.with(report);
  if (!row.step()) return std::nullopt;
  return Row{.id = report,
             .domain = row.text(0),
             .object = row.text(1),
             .waits = row.positive(2) > 0 || (!row.isNull(3) && row.positive(3) == parkedPlace),
             .isParked = !row.isNull(3) && row.positive(3) == parkedPlace,
             .isHead = !row.isNull(3),
             .outcome = row.text(4),
             .retriedBy = row.positive(5),
             .mayHaveBeenSent = row.positive(6) != 0};
}

bool SqliteTables::hasDue(std::string_view domain, Instant now) {
  auto due = use("SELECT 1 FROM tally_report WHERE domain = ? AND place = 2 AND due <= ? LIMIT 1");
  due.with(domain, nanosecondsOf(now));
  return due.step();
}

/// Once its time has come, a head waits for none.
void SqliteTables::placeDue(std::string_view domain, Instant now) {
  use("UPDATE tally_report AS r SET due = 0, place = NOT EXISTS (SELECT 1 FROM tally_report n"
      "  WHERE n.domain = r.domain AND n.object = r.object AND n.priority = 0 AND n.outcome IS NULL)"
      " WHERE domain = ? AND place = 2 AND due <= ?")
      .with(domain, nanosecondsOf(now))
      .run();
}

std::uint64_t SqliteTables::shownBy(std::string_view domain, std::string_view object) {
  if (const std::uint64_t head = headOf(domain, object).id; head != 0 && find(head)->mayHaveBeenSent)
    return 0;
  auto last =
      use("SELECT l.id FROM (SELECT max(id) AS id FROM tally_report WHERE domain = ?1 AND object = ?2 AND "
          "outcome = 'applied') l"
          " WHERE l.id > coalesce((SELECT max(id) FROM tally_report WHERE domain = ?1 AND object = ?2 AND "
          "outcome = 'unknown'), 0)");
  return last.with(domain, object).step() ? last.positive(0) : 0;
}

std::vector<std::string> SqliteTables::dueSuspects(std::string_view domain, Instant now) {
  auto due = use("SELECT object FROM tally_suspect WHERE domain = ? AND due <= ?");
  due.with(domain, nanosecondsOf(now));
  std::vector<std::string> objects;
  while (due.step())
    objects.push_back(due.text(0));
  return objects;
}

std::vector<std::uint64_t> SqliteTables::dueRechecks(std::string_view domain, Instant now) {
  constexpr std::size_t atMost = 100;
  std::vector<std::uint64_t> found;
  for (const std::string& object : dueSuspects(domain, now)) {
    if (const std::uint64_t shown = shownBy(domain, object); shown != 0) found.push_back(shown);
    if (found.size() == atMost) break;
  }
  return found;
}

std::vector<std::string> SqliteTables::idleSuspects(std::string_view domain, Instant now) {
  std::vector<std::string> idle = dueSuspects(domain, now);
  std::erase_if(idle, [&](const std::string& object) {
    return headOf(domain, object).id != 0 || shownBy(domain, object) != 0;
  });
  return idle;
}

std::vector<Head> SqliteTables::describe(std::string_view domain, const std::set<std::uint64_t>& heads) {
  std::vector<Head> described;
  for (const std::uint64_t id : heads) {
    Head head = describe(id);
    auto suspected = use("SELECT 1 FROM tally_suspect WHERE domain = ? AND object = ?");
    const bool isSuspected = !head.isRecheck && suspected.with(domain, head.object).step();
    if (const std::uint64_t shown = isSuspected ? shownBy(domain, head.object) : 0;
        shown != 0 && !heads.contains(shown))
      described.push_back(describe(shown));
    described.push_back(std::move(head));
  }
  return described;
}

/// Of a recheck all, else the last one that was applied. Each part has an index of its own.
std::vector<MarkedReport> SqliteTables::earlierThan(std::uint64_t report, bool isRecheck) {
  const Row last = *find(report);
  auto rows = use(
      isRecheck ? "SELECT key, retry FROM ("
                  " SELECT id, key, retry FROM tally_report"
                  "  WHERE domain = ?1 AND object = ?2 AND id < ?3 AND outcome = 'applied'"
                  " UNION ALL SELECT id, key, retry FROM tally_report"
                  "  WHERE domain = ?1 AND object = ?2 AND id < ?3 AND outcome = 'unknown'"
                  " UNION ALL SELECT id, key, retry FROM tally_report"
                  "  WHERE domain = ?1 AND object = ?2 AND id < ?3 AND outcome IN ('refused', 'canceled'))"
                  " ORDER BY id DESC LIMIT ?4"
                : "SELECT key, retry FROM tally_report"
                  " WHERE domain = ?1 AND object = ?2 AND id < ?3 AND outcome = 'applied'"
                  " ORDER BY id DESC LIMIT ?4");
  rows.with(last.domain, last.object, report, isRecheck ? mostEarlierReports : std::size_t{1});
  std::vector<MarkedReport> earlier;
  while (rows.step())
    earlier.push_back({.key = rows.text(0), .retry = static_cast<std::uint32_t>(rows.positive(1))});
  return earlier;
}

Head SqliteTables::describe(std::uint64_t report) {
  auto row =
      use("SELECT r.object, r.account, r.key, r.contents, r.place, r.retry,"
          "       EXISTS (SELECT 1 FROM tally_request q WHERE q.report = r.id AND q.action = 'cancel' AND "
          "q.answer IS NULL),"
          "       r.sender IS NOT NULL OR o.outcome IS 'unknown',"
          "       CASE WHEN r.sender IS NOT NULL THEN r.before WHEN o.outcome = 'unknown' THEN o.before END, "
          "r.deaths, r.outcome IS NOT NULL"
          "  FROM tally_report r LEFT JOIN tally_report o ON o.id = r.retry_of"
          " WHERE r.id = ?");
  row.with(report);
  if (!row.step()) connection_.fail("is damaged: report " + std::to_string(report) + " is missing");
  return {.id = report,
          .object = row.text(0),
          .account = row.text(1),
          .key = row.text(2),
          .contents = row.text(3),
          .priority = row.positive(4) == 1 ? ReportPriority::low : ReportPriority::normal,
          .retry = static_cast<std::uint32_t>(row.positive(5)),
          .isCanceled = row.positive(6) != 0,
          .mayHaveBeenSent = row.positive(7) != 0,
          .isRecheck = row.positive(10) != 0,
          .before = row.text(8),
          .deaths = static_cast<std::uint32_t>(row.positive(9)),
          .earlier = row.positive(7) != 0 ? earlierThan(report, row.positive(10) != 0)
                                          : std::vector<MarkedReport>{}};
}

/// One to cancel a report that is not a head yet stays until it is one, and is not returned before.
std::vector<OpenRequest> SqliteTables::openRequests(std::string_view domain) {
  auto rows =
      use("SELECT q.id, q.report, q.action = 'cancel' FROM tally_request q LEFT JOIN tally_report r ON r.id "
          "= q.report"
          " WHERE q.domain = ? AND q.answer IS NULL"
          "   AND (q.action <> 'cancel' OR r.id IS NULL OR r.outcome IS NOT NULL OR r.place IS NOT NULL)"
          " ORDER BY q.id LIMIT 100");
  rows.with(domain);
  std::vector<OpenRequest> open;
  while (rows.step())
    open.push_back({.id = rows.positive(0), .report = rows.positive(1), .isCancel = rows.positive(2) != 0});
  return open;
}

DomainNews SqliteTables::read(std::string_view domain, std::array<std::size_t, 2> atMost,
                              const SqliteHeads& held, Instant now) {
  DomainNews news{.requests = openRequests(domain)};
  auto paused = use("SELECT paused FROM tally_domain WHERE domain = ?");
  paused.with(domain);
  if (paused.step() && !paused.isNull(0)) news.paused = paused.text(0);
  for (const auto& [id, priority] : held) {
    auto urgent = use("SELECT 1 FROM tally_report WHERE id = ? AND place = 0");
    if (priority == ReportPriority::low && urgent.with(id).step()) news.urgent.push_back(id);
  }
  const std::vector<std::uint64_t> rechecks = dueRechecks(domain, now);
  std::set<std::uint64_t> found{rechecks.begin(), rechecks.end()};
  for (std::size_t priority = 0; priority < atMost.size(); ++priority) {
    std::size_t room = atMost.at(priority);
    auto ids = use("SELECT id FROM tally_report WHERE domain = ? AND place = ? ORDER BY id");
    ids.with(domain, std::uint64_t{priority});
    while (news.isComplete && ids.step()) {
      if (held.contains(ids.positive(0))) continue;
      if (room == 0) {
        news.isComplete = false;
      } else {
        --room;
        found.insert(ids.positive(0));
      }
    }
  }
  news.heads = describe(domain, found);
  return news;
}

}  // namespace tally::detail
