#include <set>
#include <string>
#include <utility>

#include "sqlite/sqlite_rows.h"
#include "sqlite/sqlite_tables.h"
#include "time/saturating.h"

namespace tally::detail {

void SqliteTables::intend(std::string_view incarnation, const Intent& intent) {
  use("UPDATE tally_report SET before = CASE WHEN sender IS NULL THEN nullif(?1, '') ELSE before END, sender "
      "= ?2"
      " WHERE id = ?3 AND outcome IS NULL")
      .with(intent.before, incarnation, intent.report)
      .run();
}

/// A batch is written again if it is not known whether it was written.
bool SqliteTables::decide(const Row& report, std::string_view outcome, std::string_view reason, Instant now) {
  if (!report.outcome.empty()) {
    if (report.outcome == outcome) return false;
    throw OutboxError{"report " + std::to_string(report.id) + " is decided already: " + report.outcome, {}};
  }
  use("UPDATE tally_report SET outcome = ?, reason = ?, decided_at = ?, place = NULL, due = 0 WHERE id = ?")
      .with(outcome, reason, nanosecondsOf(now), report.id)
      .run();
  use("UPDATE tally_domain SET waiting = waiting - 1 WHERE domain = ?").with(report.domain).run();
  if (outcome == "canceled")
    use("UPDATE tally_request SET answer = 'canceled' WHERE report = ? AND action = 'cancel' AND answer IS "
        "NULL")
        .with(report.id)
        .run();
  place(report.domain, report.object);
  return true;
}

std::vector<Head> SqliteTables::write(std::string_view domain, std::string_view incarnation,
                                      const Batch& batch, Instant now) {
  for (const Intent& intent : batch.intents)
    intend(incarnation, intent);
  std::vector<std::string> objects;
  for (const Outcome& outcome : batch.outcomes) {
    if (const auto report = find(outcome.report)) (void)decide(*report, outcome.outcome, outcome.reason, now);
    objects.push_back(outcome.object);
  }
  for (const Deferral& deferral : batch.deferrals)
    use("UPDATE tally_report SET due = ?, place = 2 WHERE id = ? AND place IS NOT NULL")
        .with(nanosecondsOf(saturatingAdd(now, deferral.delay)), deferral.report)
        .run();
  for (const Parking& parking : batch.parkings)
    use("UPDATE tally_report SET reason = ?, due = 0, place = 3 WHERE id = ? AND place IS NOT NULL")
        .with(parking.reason, parking.report)
        .run();
  return readyOn(domain, objects, now);
}

std::vector<Head> SqliteTables::readyOn(std::string_view domain, std::span<const std::string> objects,
                                        Instant now) {
  if (objects.empty()) return {};
  if (hasDue(domain, now)) placeDue(domain, now);
  std::set<std::uint64_t> heads;
  for (const std::string& object : objects) {
    auto ready = use("SELECT id FROM tally_report WHERE id = ? AND place IN (0, 1)");
    if (ready.with(headOf(domain, object).id).step()) heads.insert(ready.positive(0));
  }
  std::vector<Head> described;
  for (const std::uint64_t head : heads)
    described.push_back(describe(head));
  return described;
}

std::string SqliteTables::retry(const Row& original, Instant now) {
  if (original.outcome != "refused" && original.outcome != "unknown")
    return "it is neither refused nor unknown";
  if (original.retriedBy != 0) return "it has already been retried";
  auto superseded =
      use("SELECT 1 FROM tally_report WHERE domain = ? AND object = ? AND outcome = 'applied' AND id > ? "
          "LIMIT 1");
  if (superseded.with(original.domain, original.object, original.id).step())
    return "a later report on the object was applied";
  use("INSERT INTO tally_report (domain, object, key, account, contents, priority, due, retry, retry_of, "
      "enqueued_at)"
      " SELECT domain, object, key, account, contents, priority, 0, retry + (outcome = 'refused'), id, ?"
      "   FROM tally_report WHERE id = ?")
      .with(nanosecondsOf(now), original.id)
      .run();
  const std::string again = connection_.text("SELECT last_insert_rowid()");
  use("UPDATE tally_report SET retried_by = last_insert_rowid() WHERE id = ?").with(original.id).run();
  use("UPDATE tally_domain SET waiting = waiting + 1 WHERE domain = ?").with(original.domain).run();
  place(original.domain, original.object);
  return "report " + again;
}

std::string SqliteTables::release(const Row& report) {
  if (!report.waits) return "it is neither parked nor waiting for a time";
  use("UPDATE tally_report SET due = 0, deaths = 0, reason = NULL, place = CASE WHEN place IS NOT NULL THEN "
      "priority END"
      " WHERE id = ?")
      .with(report.id)
      .run();
  place(report.domain, report.object);
  return "released";
}

std::optional<std::string> SqliteTables::carryOutOne(const Row& report, std::string_view action,
                                                     Instant now) {
  if (action == "retry") return retry(report, now);
  if (!report.outcome.empty()) return "too late: it is " + report.outcome;
  if (action == "release") return release(report);
  if (!report.isHead) return std::nullopt;
  if (report.mayHaveBeenSent) return "too late: it may have been sent";
  (void)decide(report, "canceled", "", now);
  return "canceled";
}

std::vector<Head> SqliteTables::carryOut(std::string_view domain, std::span<const std::uint64_t> requests,
                                         Instant now) {
  std::vector<std::string> objects;
  for (const std::uint64_t number : std::set<std::uint64_t>{requests.begin(), requests.end()}) {
    auto request =
        use("SELECT report, action FROM tally_request WHERE id = ? AND domain = ? AND answer IS NULL");
    if (!request.with(number, domain).step()) continue;
    const auto report = find(request.positive(0));
    const auto said = report ? carryOutOne(*report, request.text(1), now)
                             : std::optional<std::string>{"the report has been removed"};
    if (!said) continue;
    answer(domain, number, *said);
    if (said == "canceled") objects.push_back(report->object);
  }
  return readyOn(domain, objects, now);
}

void SqliteTables::answer(std::string_view domain, std::uint64_t request, std::string_view text) {
  use("UPDATE tally_request SET answer = ? WHERE id = ? AND domain = ? AND answer IS NULL")
      .with(text, request, domain)
      .run();
}

/// A report whose retry is not decided stays, since its outcome says whether the retry may have been sent.
std::size_t SqliteTables::removeDecided(std::string_view domain, std::chrono::seconds age, std::size_t limit,
                                        Instant now) {
  const Instant before = saturatingAdd(now, -saturatingNanoseconds(age));
  std::vector<std::uint64_t> old;
  {
    auto rows = use(
        "SELECT r.id FROM tally_report r WHERE r.domain = ? AND r.outcome IS NOT NULL AND r.decided_at < ?"
        "   AND NOT EXISTS (SELECT 1 FROM tally_report again WHERE again.id = r.retried_by AND again.outcome "
        "IS NULL)"
        " ORDER BY r.decided_at LIMIT ?");
    rows.with(domain, nanosecondsOf(before), std::uint64_t{limit});
    while (rows.step())
      old.push_back(rows.positive(0));
  }
  for (const std::uint64_t report : old) {
    use("DELETE FROM tally_request WHERE report = ?").with(report).run();
    use("DELETE FROM tally_late WHERE report = ?").with(report).run();
    use("DELETE FROM tally_report WHERE id = ?").with(report).run();
  }
  return old.size();
}

void SqliteTables::writeLate(std::string_view domain, std::string_view incarnation,
                             std::span<const DomainStore::LateFinding> findings) {
  for (const DomainStore::LateFinding& late : findings)
    use("INSERT INTO tally_late VALUES (?, ?, ?, ?)")
        .with(late.report, domain, incarnation, late.finding)
        .run();
}

}  // namespace tally::detail
