-- For dashboards. Each shows the domains in which the role that is logged in may read.

CREATE OR REPLACE VIEW tally.report_state AS
  SELECT r.id AS report,
         CASE WHEN o.report IS NOT NULL THEN o.outcome
              WHEN p.report IS NOT NULL THEN 'parked'
              WHEN EXISTS (SELECT FROM tally.intent i WHERE i.report = r.id) THEN 'sent'
              ELSE 'waiting' END AS state
    FROM tally.report r
    LEFT JOIN tally.outcome o ON o.report = r.id
    LEFT JOIN tally.parked p ON p.report = r.id;

CREATE OR REPLACE VIEW tally.readable AS
  SELECT d.* FROM tally.domain d WHERE tally.may('read', d.domain);

-- Each report, its state, and why it waits.
CREATE OR REPLACE VIEW tally.reports WITH (security_barrier) AS
  SELECT r.domain, r.id, r.object, r.account, r.key, r.contents, s.state,
         CASE WHEN s.state = 'parked' THEN p.reason
              WHEN s.state <> 'waiting' THEN coalesce(o.reason, '')
              WHEN prev.id IS NOT NULL AND before.report IS NULL
                THEN format('waits for report %s on the same object', r.prev)
              WHEN d.paused IS NOT NULL THEN 'the domain is paused: ' || d.paused
              WHEN d.owner IS NULL THEN 'no worker has the key of the domain'
              WHEN r.not_before > clock_timestamp() THEN format('waits until %s', r.not_before)
              ELSE '' END AS reason,
         CASE r.priority WHEN 0 THEN 'normal' ELSE 'low' END AS priority,
         r.not_before, r.retry, r.retry_of, r.enqueued_at, r.enqueued_by, o.decided_at
    FROM tally.report r
    JOIN tally.readable d ON d.domain = r.domain
    JOIN tally.report_state s ON s.report = r.id
    LEFT JOIN tally.outcome o ON o.report = r.id
    LEFT JOIN tally.parked p ON p.report = r.id
    LEFT JOIN tally.report prev ON prev.id = r.prev
    LEFT JOIN tally.outcome before ON before.report = r.prev;

-- The reports that a person may retry.
CREATE OR REPLACE VIEW tally.failed WITH (security_barrier) AS
  SELECT o.domain, o.report, r.object, r.key, o.outcome, o.reason, o.decided_at, r.enqueued_at
    FROM tally.outcome o
    JOIN tally.readable d ON d.domain = o.domain
    JOIN tally.report r ON r.id = o.report
   WHERE o.outcome IN ('refused', 'unknown')
     AND NOT EXISTS (SELECT FROM tally.report again LEFT JOIN tally.outcome ended ON ended.report = again.id
                      WHERE again.retry_of = o.report AND ended.outcome IS DISTINCT FROM 'canceled');

CREATE OR REPLACE VIEW tally.failed_by_reason WITH (security_barrier) AS
  SELECT f.domain, f.outcome, f.reason, count(*) AS reports, max(f.decided_at) AS newest
    FROM tally.failed f GROUP BY f.domain, f.outcome, f.reason;

-- What people asked for, and what the worker answered; NULL: not carried out yet.
CREATE OR REPLACE VIEW tally.requests WITH (security_barrier) AS
  SELECT q.id AS request, q.domain, q.report, q.action, q.asked_by, q.asked_at, q.answer, q.answered_at
    FROM tally.request q JOIN tally.readable d ON d.domain = q.domain;

-- The ranges of (xid, id) that contain all reports that are not settled: after (after_xid, after_id), up to (last_xid, last_id).
-- Outside these ranges, an undecided report is parked or deferred, or behind another one on its object.
CREATE OR REPLACE VIEW tally.unsettled AS
  SELECT d.domain, p.priority, u.after_xid, u.after_id, u.last_xid, u.last_id
    FROM tally.domain d
   CROSS JOIN unnest('{0,1}'::smallint[]) p (priority)
    LEFT JOIN tally.settled s ON s.domain = d.domain AND s.priority = p.priority
   CROSS JOIN LATERAL (
     SELECT coalesce(greatest(s.after_xid, pg_snapshot_xmax(s.seen)), '0') AS xid,
            CASE WHEN s.after_xid >= pg_snapshot_xmax(s.seen) THEN s.after_id ELSE 0 END AS id) mark
   CROSS JOIN LATERAL (
     SELECT mark.xid AS after_xid, mark.id AS after_id, '18446744073709551615'::xid8 AS last_xid, 9223372036854775807 AS last_id
     UNION ALL
     SELECT o.xid, 0, o.xid, CASE WHEN o.xid = mark.xid THEN mark.id ELSE 9223372036854775807 END
       FROM (SELECT pg_snapshot_xip(s.seen) UNION SELECT pg_snapshot_xip(s.first)) o (xid) WHERE o.xid <= mark.xid) u;

-- The reports that are next on their objects in domains that are paused or have no owner.
CREATE OR REPLACE VIEW tally.stopped_heads AS
  SELECT r.id AS report
    FROM tally.domain d
    JOIN tally.unsettled u ON u.domain = d.domain
    JOIN tally.report r ON r.domain = d.domain AND r.priority = u.priority
     AND (r.xid, r.id) > (u.after_xid, u.after_id) AND (r.xid, r.id) <= (u.last_xid, u.last_id)
   WHERE (d.paused IS NOT NULL OR d.owner IS NULL)
     AND NOT EXISTS (SELECT FROM tally.outcome o WHERE o.report = r.id)
     AND NOT EXISTS (SELECT FROM tally.parked k WHERE k.report = r.id)
     AND NOT EXISTS (SELECT FROM tally.deferred f WHERE f.report = r.id)
     AND NOT EXISTS (SELECT FROM tally.report b WHERE b.id = r.prev
                        AND NOT EXISTS (SELECT FROM tally.outcome o WHERE o.report = b.id))
  UNION ALL
  SELECT f.report FROM tally.deferred f JOIN tally.domain d ON d.domain = f.domain
   WHERE f.due <= clock_timestamp() AND (d.paused IS NOT NULL OR d.owner IS NULL);

-- The reports that are next on their objects and cannot be sent at present. Looks at no other reports of a domain that is not
-- paused and has a worker.
CREATE OR REPLACE VIEW tally.blocked WITH (security_barrier) AS
  SELECT r.domain, r.object, r.id AS report, s.state,
         CASE WHEN b.reason IS NOT NULL THEN b.reason
              WHEN d.paused IS NOT NULL THEN 'the domain is paused: ' || d.paused
              WHEN d.owner IS NULL THEN 'no worker has the key of the domain'
              ELSE format('is due in %s s', ceil(extract(epoch FROM b.due - clock_timestamp()))::bigint) END AS reason,
         r.enqueued_at, r.key
    FROM (SELECT p.report, p.reason, NULL::timestamptz AS due FROM tally.parked p
          UNION ALL SELECT f.report, NULL, f.due FROM tally.deferred f WHERE f.due > clock_timestamp()
          UNION ALL SELECT h.report, NULL, NULL FROM tally.stopped_heads h) b
    JOIN tally.report r ON r.id = b.report
    JOIN tally.readable d ON d.domain = r.domain
    JOIN tally.report_state s ON s.report = r.id;

-- The undecided reports that can be the oldest one of a domain.
CREATE OR REPLACE VIEW tally.oldest_of AS
  SELECT u.domain, r.enqueued_at
    FROM tally.unsettled u
   CROSS JOIN LATERAL (
     SELECT r.enqueued_at FROM tally.report r
      WHERE r.domain = u.domain AND r.priority = u.priority
        AND (r.xid, r.id) > (u.after_xid, u.after_id) AND (r.xid, r.id) <= (u.last_xid, u.last_id)
        AND NOT coalesce((SELECT true FROM tally.outcome o WHERE o.report = r.id), false)
      ORDER BY r.xid, r.id LIMIT 1) r
  UNION ALL SELECT r.domain, r.enqueued_at FROM tally.parked p JOIN tally.report r ON r.id = p.report
  UNION ALL SELECT r.domain, r.enqueued_at FROM tally.deferred f JOIN tally.report r ON r.id = f.report;

-- How many reports wait in each domain, without those behind parked and deferred ones. Up to 1,000 are counted: the estimate is
-- the owner's, and there may be no owner.
CREATE OR REPLACE VIEW tally.waiting AS
  SELECT d.domain,
         CASE WHEN n.counted > 1000 THEN greatest(d.waiting, n.counted) ELSE n.counted END AS waiting
    FROM tally.domain d
   CROSS JOIN LATERAL (
     SELECT count(*) AS counted FROM (
       SELECT FROM tally.unsettled u
        CROSS JOIN LATERAL (
          SELECT FROM tally.report r
           WHERE r.domain = u.domain AND r.priority = u.priority
             AND (r.xid, r.id) > (u.after_xid, u.after_id) AND (r.xid, r.id) <= (u.last_xid, u.last_id)
             AND NOT coalesce((SELECT true FROM tally.outcome o WHERE o.report = r.id),
                              (SELECT true FROM tally.parked k WHERE k.report = r.id),
                              (SELECT true FROM tally.deferred f WHERE f.report = r.id), false)
           LIMIT 1001) r
        WHERE u.domain = d.domain
       UNION ALL SELECT FROM tally.parked k WHERE k.domain = d.domain
       UNION ALL SELECT FROM tally.deferred f WHERE f.domain = d.domain
        LIMIT 1001) u) n;

-- Beyond 1,000, `waiting` is an estimate, at most 100,000 or the limit. `blocked` counts objects.
CREATE OR REPLACE VIEW tally.domains WITH (security_barrier) AS
  SELECT d.domain, d.paused, v.waiting, d.max_waiting, d.owner, d.owned_since, w.host, w.process,
         (SELECT min(o.enqueued_at) FROM tally.oldest_of o WHERE o.domain = d.domain) AS oldest,
         (SELECT count(*) FROM tally.parked p WHERE p.domain = d.domain)
           + (SELECT count(*) FROM tally.deferred f WHERE f.domain = d.domain AND f.due > clock_timestamp()) AS blocked,
         (SELECT count(*) FROM tally.outcome o
           WHERE o.domain = d.domain AND o.outcome IN ('refused', 'unknown')
             AND NOT EXISTS (SELECT FROM tally.report again LEFT JOIN tally.outcome ended ON ended.report = again.id
                              WHERE again.retry_of = o.report AND ended.outcome IS DISTINCT FROM 'canceled')) AS failed
    FROM tally.readable d JOIN tally.waiting v ON v.domain = d.domain LEFT JOIN tally.worker w ON w.incarnation = d.owner;

CREATE OR REPLACE VIEW tally.workers WITH (security_barrier) AS
  SELECT w.incarnation, w.host, w.process, w.version, w.lease, w.started_at,
         array(SELECT d.domain FROM tally.readable d WHERE d.owner = w.incarnation ORDER BY 1) AS domains
    FROM tally.worker w
   WHERE EXISTS (SELECT FROM tally.readable);

-- What workers learned about reports after others had taken over.
CREATE OR REPLACE VIEW tally.late_findings WITH (security_barrier) AS
  SELECT l.domain, l.report, r.object, l.finding, o.outcome, l.written_at
    FROM tally.late l
    JOIN tally.readable d ON d.domain = l.domain
    JOIN tally.report r ON r.id = l.report AND r.domain = l.domain
    LEFT JOIN tally.outcome o ON o.report = l.report;

CREATE OR REPLACE VIEW tally.audited WITH (security_barrier) AS
  SELECT a.* FROM tally.audit a WHERE tally.may('read', a.domain);
