#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "enqueue/enqueue_check.h"
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
bool SqliteTables::decide(const Outcome& outcome, Instant now) {
  use("UPDATE tally_report SET outcome = ?, reason = ?, decided_at = ?, place = NULL, due = 0"
      " WHERE id = ? AND outcome IS NULL")
      .with(outcome.outcome, outcome.reason, nanosecondsOf(now), outcome.report)
      .run();
  if (connection_.changes() == 0) {
    const auto report = find(outcome.report);
    if (report && report->outcome != outcome.outcome)
      throw OutboxError{
          "report " + std::to_string(outcome.report) + " has already been decided: " + report->outcome, {}};
    return false;
  }
  if (outcome.outcome == "canceled") canceled(outcome.report);
  return true;
}

/// If the report was a retry, the original can be retried again.
void SqliteTables::canceled(std::uint64_t report) {
  use("UPDATE tally_request SET answer = 'canceled' WHERE report = ? AND action = 'cancel' AND answer IS "
      "NULL")
      .with(report)
      .run();
  use("UPDATE tally_report SET retried_by = 0"
      " WHERE id = (SELECT retry_of FROM tally_report WHERE id = ?1) AND retried_by = ?1")
      .with(report)
      .run();
}

/// Returns the objects, also of those that were decided before.
std::vector<std::string> SqliteTables::decide(std::string_view domain, std::span<const Outcome> outcomes,
                                              Instant now) {
  std::uint64_t decided = 0;
  std::vector<std::string> objects;
  for (const Outcome& outcome : outcomes) {
    if (decide(outcome, now)) ++decided;
    objects.push_back(outcome.object);
  }
  if (decided != 0)
    use("UPDATE tally_domain SET waiting = waiting - ? WHERE domain = ?").with(decided, domain).run();
  return objects;
}

std::vector<Head> SqliteTables::write(std::string_view domain, std::string_view incarnation,
                                      const Batch& batch, Instant now) {
  for (const Intent& intent : batch.intents)
    intend(incarnation, intent);
  const std::vector<std::string> objects = decide(domain, batch.outcomes, now);
  for (const Deferral& deferral : batch.deferrals)
    use("UPDATE tally_report SET due = ?, put_off_at = ?, place = 2 WHERE id = ? AND place IS NOT NULL")
        .with(nanosecondsOf(saturatingAdd(now, deferral.delay)), nanosecondsOf(now), deferral.report)
        .run();
  for (const Parking& parking : batch.parkings)
    use("UPDATE tally_report SET reason = ?, due = 0, place = 3 WHERE id = ? AND place IS NOT NULL")
        .with(parking.reason, parking.report)
        .run();
  suspect(domain, batch, now);
  find(domain, incarnation, batch.findings);
  return nextOn(domain, objects, now);
}

void SqliteTables::suspect(std::string_view domain, const Batch& batch, Instant now) {
  for (const std::string& object : batch.rechecked)
    use("DELETE FROM tally_suspect WHERE domain = ? AND object = ? AND due <= ?")
        .with(domain, object, nanosecondsOf(now))
        .run();
  for (const Suspicion& suspicion : batch.suspicions)
    use("INSERT INTO tally_suspect VALUES (?, ?, ?)"
        " ON CONFLICT (domain, object) DO UPDATE SET due = max(due, excluded.due)")
        .with(domain, suspicion.object, nanosecondsOf(saturatingAdd(now, suspicion.delay)))
        .run();
}

bool SqliteTables::needsTidying(std::string_view domain, Instant now) {
  auto late =
      use("SELECT 1 FROM tally_report WHERE domain = ? AND place = 2 AND put_off_at > 0 AND put_off_at > ?");
  return late.with(domain, nanosecondsOf(now)).step() || !idleSuspects(domain, now).empty();
}

void SqliteTables::tidy(std::string_view domain, Instant now) {
  use("UPDATE tally_report SET due = ?2 + (due - put_off_at), put_off_at = ?2"
      " WHERE domain = ?1 AND place = 2 AND put_off_at > 0 AND put_off_at > ?2")
      .with(domain, nanosecondsOf(now))
      .run();
  for (const std::string& object : idleSuspects(domain, now))
    use("DELETE FROM tally_suspect WHERE domain = ? AND object = ?").with(domain, object).run();
}

std::vector<Head> SqliteTables::nextOn(std::string_view domain, std::span<const std::string> objects,
                                       Instant now) {
  if (objects.empty()) return {};
  std::map<std::uint64_t, bool> heads;
  for (const std::string& object : objects)
    if (const ObjectHead head = headOf(domain, object); head.id != 0) heads.emplace(head.id, head.isUrgent);
  for (const auto& [id, isUrgent] : heads)
    place({.id = id, .isUrgent = isUrgent});
  if (hasDue(domain, now)) placeDue(domain, now);
  std::set<std::uint64_t> ready;
  for (const auto& [id, isUrgent] : heads) {
    auto head = use("SELECT id FROM tally_report WHERE id = ? AND place IN (0, 1)");
    if (head.with(id).step()) ready.insert(id);
  }
  return describe(domain, ready);
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
  (void)decide(report.domain, std::array{Outcome{.report = report.id, .outcome = "canceled"}}, now);
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
  return nextOn(domain, objects, now);
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
  remove(old);
  return old.size();
}

void SqliteTables::remove(std::span<const std::uint64_t> reports) {
  for (const std::uint64_t report : reports) {
    forgetKey(report);
    use("DELETE FROM tally_request WHERE report = ?").with(report).run();
    use("DELETE FROM tally_late WHERE report = ?").with(report).run();
    use("DELETE FROM tally_report WHERE id = ?").with(report).run();
  }
}

/// Keeps the hash of the key, so that a late repetition enqueues nothing.
void SqliteTables::forgetKey(std::uint64_t report) {
  auto row = use("SELECT domain, key FROM tally_report WHERE id = ?");
  if (!row.with(report).step()) return;
  const std::string domain = row.text(0);
  const std::string key = row.text(1);
  const std::string removed = keyOfRemoved(key);
  use("UPDATE OR IGNORE tally_key SET key = ? WHERE domain = ? AND key = ?").with(removed, domain, key).run();
}

void SqliteTables::writeLate(std::string_view domain, std::string_view incarnation,
                             std::span<const LateFinding> findings, Instant now) {
  find(domain, incarnation, findings);
  for (const LateFinding& late : findings)
    use("INSERT INTO tally_suspect SELECT domain, object, ? FROM tally_report WHERE id = ? AND domain = ?"
        " ON CONFLICT DO NOTHING")
        .with(nanosecondsOf(now), late.report, domain)
        .run();
}

/// None about a report that has been removed.
void SqliteTables::find(std::string_view domain, std::string_view incarnation,
                        std::span<const LateFinding> findings) {
  for (const LateFinding& late : findings)
    use("INSERT INTO tally_late SELECT id, domain, ?, ? FROM tally_report WHERE id = ? AND domain = ?")
        .with(incarnation, late.finding, late.report, domain)
        .run();
}

}  // namespace tally::detail
