#include "sqlite/sqlite_schema.h"

#include <string>

#include <tally/outbox_report.h>

#include "platform/file_system.h"

namespace tally::detail {

namespace {

constexpr int sqliteSchemaVersion = 1;

// Times are in nanoseconds since 1970; 0: none. A report is a head if it is the first undecided one on its
// object; `place` says what becomes of it: 0, it is ready; 1, it is ready with low priority, and no normal
// report waits behind it; 2, it waits until it is due; 3, it is parked; NULL, it is not a head.
// `put_off_at` is when the delay until `due` began; 0: there is no delay.
constexpr const char* sqliteTables = R"(
CREATE TABLE tally_schema (version INTEGER NOT NULL);
INSERT INTO tally_schema VALUES (1);
CREATE TABLE tally_domain (
  domain TEXT PRIMARY KEY, owner TEXT, waiting INTEGER NOT NULL DEFAULT 0, max_waiting INTEGER, paused TEXT) WITHOUT ROWID;
CREATE TABLE tally_worker (incarnation TEXT PRIMARY KEY, host TEXT NOT NULL, process INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE tally_report (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain TEXT NOT NULL, object TEXT NOT NULL, key TEXT NOT NULL, account TEXT NOT NULL, contents TEXT NOT NULL,
  priority INTEGER NOT NULL, due INTEGER NOT NULL,
  retry INTEGER NOT NULL DEFAULT 0, retry_of INTEGER NOT NULL DEFAULT 0, retried_by INTEGER NOT NULL DEFAULT 0,
  enqueued_at INTEGER NOT NULL, put_off_at INTEGER NOT NULL DEFAULT 0,
  place INTEGER, sender TEXT, before TEXT, deaths INTEGER NOT NULL DEFAULT 0,
  outcome TEXT, reason TEXT, decided_at INTEGER NOT NULL DEFAULT 0);
CREATE INDEX tally_report_open ON tally_report (domain, object, priority, id) WHERE outcome IS NULL;
CREATE INDEX tally_report_head ON tally_report (domain, place, id) WHERE place IS NOT NULL;
CREATE INDEX tally_report_due ON tally_report (domain, due) WHERE place = 2;
CREATE INDEX tally_report_put_off ON tally_report (domain, put_off_at) WHERE place = 2 AND put_off_at > 0;
CREATE INDEX tally_report_sent ON tally_report (sender) WHERE outcome IS NULL AND sender IS NOT NULL;
CREATE INDEX tally_report_decided ON tally_report (domain, decided_at) WHERE outcome IS NOT NULL;
CREATE INDEX tally_report_applied ON tally_report (domain, object, id) WHERE outcome = 'applied';
CREATE INDEX tally_report_unknown ON tally_report (domain, object, id) WHERE outcome = 'unknown';
CREATE INDEX tally_report_failed ON tally_report (domain) WHERE outcome IN ('refused', 'unknown') AND retried_by = 0;
CREATE TABLE tally_key (
  domain TEXT NOT NULL, key TEXT NOT NULL, contents_hash INTEGER NOT NULL, report INTEGER NOT NULL,
  PRIMARY KEY (domain, key)) WITHOUT ROWID;
CREATE TABLE tally_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT, domain TEXT NOT NULL, report INTEGER NOT NULL, action TEXT NOT NULL, answer TEXT);
CREATE INDEX tally_request_open ON tally_request (domain, id) WHERE answer IS NULL;
CREATE INDEX tally_request_report ON tally_request (report);
CREATE TABLE tally_suspect (
  domain TEXT NOT NULL, object TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (domain, object)) WITHOUT ROWID;
CREATE TABLE tally_late (report INTEGER NOT NULL, domain TEXT NOT NULL, incarnation TEXT NOT NULL, finding TEXT NOT NULL);
CREATE TABLE tally_audit (
  at INTEGER NOT NULL, user INTEGER NOT NULL, action TEXT NOT NULL, domain TEXT NOT NULL, report INTEGER NOT NULL, note TEXT NOT NULL);
CREATE TRIGGER tally_audit_kept BEFORE DELETE ON tally_audit
  BEGIN SELECT RAISE(ABORT, 'tally_audit: rows are only added'); END;
CREATE TRIGGER tally_audit_unchanged BEFORE UPDATE ON tally_audit
  BEGIN SELECT RAISE(ABORT, 'tally_audit: rows are only added'); END;
)";

// Also added to the tables of earlier releases.
constexpr const char* sqliteIndexes = R"(
CREATE INDEX IF NOT EXISTS tally_report_withdrawn ON tally_report (domain, object, id)
  WHERE outcome IN ('refused', 'canceled');
)";

// For dashboards: as the views of PostgreSQL, with times in text, and with the clock of this machine. Made
// again by each migration, since they hold nothing.
constexpr const char* sqliteViews = R"(
DROP VIEW IF EXISTS tally_report_state;
CREATE VIEW tally_report_state AS
  SELECT id AS report,
         CASE WHEN outcome IS NOT NULL THEN outcome WHEN place = 3 THEN 'parked'
              WHEN sender IS NOT NULL THEN 'sent' ELSE 'waiting' END AS state,
         CASE WHEN due > 0 THEN strftime('%Y-%m-%d %H:%M:%S', due / 1000000000, 'unixepoch') END AS due,
         due > CAST(strftime('%s', 'now') AS INTEGER) * 1000000000 AS is_later,
         strftime('%Y-%m-%d %H:%M:%S', enqueued_at / 1000000000, 'unixepoch') AS enqueued,
         CASE WHEN outcome IS NOT NULL
              THEN strftime('%Y-%m-%d %H:%M:%S', decided_at / 1000000000, 'unixepoch') END AS decided
    FROM tally_report;
DROP VIEW IF EXISTS tally_reports;
CREATE VIEW tally_reports AS
  SELECT r.domain, r.id, r.object, r.account, r.key, r.contents, s.state,
         CASE WHEN s.state <> 'waiting' THEN coalesce(r.reason, '')
              WHEN r.place IS NULL THEN 'waits for report ' ||
                (SELECT max(b.id) FROM tally_report b
                  WHERE b.domain = r.domain AND b.object = r.object AND b.outcome IS NULL AND b.id < r.id)
                || ' on the same object'
              WHEN d.paused IS NOT NULL THEN 'the domain is paused: ' || d.paused
              WHEN d.owner IS NULL THEN 'no worker has the key of the domain'
              WHEN s.is_later THEN 'waits until ' || s.due
              ELSE '' END AS reason,
         CASE r.priority WHEN 0 THEN 'normal' ELSE 'low' END AS priority,
         s.due AS not_before, r.retry, r.retry_of, s.enqueued AS enqueued_at, s.decided AS decided_at
    FROM tally_report r
    JOIN tally_domain d ON d.domain = r.domain
    JOIN tally_report_state s ON s.report = r.id;
DROP VIEW IF EXISTS tally_blocked;
CREATE VIEW tally_blocked AS
  SELECT r.domain, r.object, r.id AS report, s.state,
         CASE WHEN r.place = 3 THEN coalesce(r.reason, '')
              WHEN d.paused IS NOT NULL THEN 'the domain is paused: ' || d.paused
              WHEN d.owner IS NULL THEN 'no worker has the key of the domain'
              ELSE 'waits until ' || s.due END AS reason,
         s.enqueued AS enqueued_at, r.key
    FROM tally_domain d
    JOIN tally_report r ON r.domain = d.domain
    JOIN tally_report_state s ON s.report = r.id
   WHERE r.place = 3 OR (r.place = 2 AND s.is_later)
      OR (r.place IN (0, 1, 2) AND (d.paused IS NOT NULL OR d.owner IS NULL));
DROP VIEW IF EXISTS tally_failed;
CREATE VIEW tally_failed AS
  SELECT r.domain, r.id AS report, r.object, r.key, r.outcome, r.reason, s.decided AS decided_at,
         s.enqueued AS enqueued_at
    FROM tally_report r
    JOIN tally_report_state s ON s.report = r.id
   WHERE r.outcome IN ('refused', 'unknown') AND r.retried_by = 0;
DROP VIEW IF EXISTS tally_failed_by_reason;
CREATE VIEW tally_failed_by_reason AS
  SELECT domain, outcome, reason, count(*) AS reports, max(decided_at) AS newest
    FROM tally_failed GROUP BY domain, outcome, reason;
DROP VIEW IF EXISTS tally_requests;
CREATE VIEW tally_requests AS
  SELECT id AS request, domain, report, action, answer FROM tally_request;
DROP VIEW IF EXISTS tally_domains;
CREATE VIEW tally_domains AS
  SELECT d.domain, d.paused, d.waiting, d.max_waiting, d.owner,
         (SELECT s.enqueued FROM tally_report_state s
           WHERE s.report = (SELECT min(h.id) FROM tally_report h
                              WHERE h.domain = d.domain AND h.place IN (0, 1, 2, 3))) AS oldest,
         (SELECT count(*) FROM tally_report r JOIN tally_report_state s ON s.report = r.id
           WHERE r.domain = d.domain AND (r.place = 3 OR (r.place = 2 AND s.is_later))) AS blocked,
         (SELECT count(*) FROM tally_failed f WHERE f.domain = d.domain) AS failed
    FROM tally_domain d;
DROP VIEW IF EXISTS tally_workers;
CREATE VIEW tally_workers AS
  SELECT w.incarnation, w.host, w.process,
         (SELECT group_concat(d.domain, ', ') FROM tally_domain d WHERE d.owner IS NOT NULL) AS domains
    FROM tally_worker w;
DROP VIEW IF EXISTS tally_late_findings;
CREATE VIEW tally_late_findings AS
  SELECT l.domain, l.report, r.object, l.finding, r.outcome
    FROM tally_late l LEFT JOIN tally_report r ON r.id = l.report;
DROP VIEW IF EXISTS tally_audited;
CREATE VIEW tally_audited AS
  SELECT strftime('%Y-%m-%d %H:%M:%S', at / 1000000000, 'unixepoch') AS at, user, action, domain, report, note
    FROM tally_audit;
)";

/// 0 if there is no outbox.
std::int64_t versionOfSchema(SqliteConnection& connection) {
  if (connection.number(
          "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'tally_schema'") == 0)
    return 0;
  const std::int64_t version = connection.number("SELECT version FROM tally_schema");
  if (version > sqliteSchemaVersion)
    connection.fail("has an outbox of version " + std::to_string(version) +
                    ", but this program supports versions up to " + std::to_string(sqliteSchemaVersion));
  if (version < 1) connection.fail("is damaged: its outbox has no version");
  return version;
}

}  // namespace

const DatabaseKind outboxKind{.name = "outbox", .throwError = [](const std::string& what, Effect effect) {
                                throw OutboxError{what, effect == Effect::unknown ? "40003" : ""};
                              }};

void migrateSchema(SqliteConnection& connection) {
  if (connection.isInTransaction())
    connection.fail("can't be migrated while the connection is in a transaction");
  (void)versionOfSchema(connection);  // before it is changed
  if (const std::string mode = connection.text("PRAGMA journal_mode = WAL"); mode != "wal")
    connection.fail("can't be used: it has no write-ahead log; its journal mode is " + mode);
  SqliteTransaction transaction{connection};
  if (versionOfSchema(connection) == 0) connection.execute(sqliteTables);
  connection.execute(sqliteIndexes);
  connection.execute(sqliteViews);
  transaction.commit();
}

void checkSchema(SqliteConnection& connection) {
  if (versionOfSchema(connection) == 0) connection.fail("has no outbox yet: migrate it first");
}

void refuseNetwork(const DatabaseFile& file) {
  if (isOnNetwork(file.path()))
    file.name().fail(
        "can't be used: it is on a network file system. Move it to a local disk, or use PostgreSQL");
}

}  // namespace tally::detail
