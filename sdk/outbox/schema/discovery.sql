-- For the owner of a domain: which reports come next. A report is a head if every report before it on its object is decided or
-- removed. Each subquery is a lookup in an index, so that no plan depends on how full the tables were when it was made. For
-- the same reason, statements that look up lists use nested loops, in plans that are made once. Where sequential
-- scans are off, reading a small table has such a high cost that PostgreSQL would compile the statement, which takes up to
-- seconds: so jit is off, too.

-- The first undecided report on an object.
CREATE OR REPLACE FUNCTION tally.head_of(domain text, object text) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT r.id FROM tally.report r
   WHERE r.domain = head_of.domain AND r.object = head_of.object
     AND (SELECT true FROM tally.outcome o WHERE o.report = r.id) IS NULL
   ORDER BY r.prev LIMIT 1
$$;

-- The head to be sent for a report: itself if it is one; the head of its object if it waits for a report of lower priority; NULL
-- if it waits for another one, or is decided. A report and the one before it become visible together, so one that is absent has
-- been removed.
CREATE OR REPLACE FUNCTION tally.head_for(report bigint, prev bigint, priority smallint, domain text, object text)
RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN (SELECT true FROM tally.outcome o WHERE o.report = $1) THEN NULL
    WHEN (SELECT (SELECT true FROM tally.outcome o WHERE o.report = p.id) IS NULL
            FROM tally.report p WHERE p.id = $2) IS NOT TRUE THEN $1
    WHEN $3 < (SELECT p.priority FROM tally.report p WHERE p.id = $2) THEN tally.head_of($4, $5)
  END
$$;

-- The heads for the reports of one priority that are not visible in `seen`, in the order of transactions, after a position.
CREATE OR REPLACE FUNCTION tally.scan(domain text, priority smallint, seen pg_snapshot, after_xid xid8, after_id bigint,
                                      at_most integer)
RETURNS TABLE (id bigint, xid xid8, head bigint)
LANGUAGE sql STABLE AS $$
  SELECT c.id, c.xid, c.head FROM (
    (SELECT late.* FROM (SELECT x FROM pg_snapshot_xip(seen) x WHERE x >= after_xid ORDER BY x) open
      CROSS JOIN LATERAL (
        SELECT r.id, r.xid, tally.head_for(r.id, r.prev, r.priority, r.domain, r.object) AS head FROM tally.report r
         WHERE r.domain = scan.domain AND r.priority = scan.priority AND r.xid = open.x
           AND (r.xid, r.id) > (after_xid, after_id)
         ORDER BY r.xid, r.id OFFSET 0) late
     WHERE late.head IS NOT NULL LIMIT at_most)
    UNION ALL
    (SELECT new.* FROM (
        SELECT r.id, r.xid, tally.head_for(r.id, r.prev, r.priority, r.domain, r.object) AS head FROM tally.report r
         WHERE r.domain = scan.domain AND r.priority = scan.priority
           AND (r.xid, r.id) >
               (greatest(after_xid, pg_snapshot_xmax(seen)),
                CASE WHEN after_xid >= pg_snapshot_xmax(seen) THEN after_id ELSE 0 END)
         ORDER BY r.xid, r.id OFFSET 0) new
     WHERE new.head IS NOT NULL LIMIT at_most)) c
   ORDER BY c.xid, c.id LIMIT at_most
$$;

-- Whether there are reports of that transaction or later ones.
CREATE OR REPLACE FUNCTION tally.has_reports_from(domain text, xid xid8) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT true FROM tally.report r WHERE r.domain = $1 AND r.priority = 0 AND r.xid >= $2 LIMIT 1) IS NOT NULL
         OR (SELECT true FROM tally.report r WHERE r.domain = $1 AND r.priority = 1 AND r.xid >= $2 LIMIT 1) IS NOT NULL;
END
$$;

-- Reports restored from a dump of another server have the numbers of that server's transactions. Those that this server has not
-- reached would be new to each poll. Gives at most that many of them the number of this transaction, in their order, and returns
-- how many. NULL: the session is over.
CREATE OR REPLACE FUNCTION tally.renumber_restored(domain text, session uuid, at_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  unreached xid8 := pg_snapshot_xmax(pg_current_snapshot());
  renumbered bigint;
BEGIN
  IF NOT tally.has_reports_from(domain, unreached) THEN
    RETURN 0;
  ELSIF tally.hold_session(domain, session) IS NULL THEN
    RETURN NULL;
  END IF;
  unreached := pg_snapshot_xmax(pg_current_snapshot());
  UPDATE tally.report r SET xid = pg_current_xact_id()
   WHERE r.id IN (SELECT f.id FROM unnest('{0,1}'::smallint[]) p (priority)
                   CROSS JOIN LATERAL (SELECT f.id FROM tally.report f
                                        WHERE f.domain = renumber_restored.domain AND f.priority = p.priority
                                          AND f.xid >= unreached
                                        ORDER BY f.xid, f.id LIMIT at_most FOR NO KEY UPDATE SKIP LOCKED) f
                   LIMIT at_most);
  GET DIAGNOSTICS renumbered = ROW_COUNT;
  RETURN renumbered;
END
$$;

-- Where the scans of a new owner begin. At first, nothing is settled.
CREATE OR REPLACE FUNCTION tally.settled_of(domain text)
RETURNS TABLE (priority smallint, seen pg_snapshot, first pg_snapshot, after_xid xid8, after_id bigint)
LANGUAGE plpgsql STABLE ROWS 2 SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM tally.require('work', domain);
  RETURN QUERY
    SELECT p.priority, coalesce(s.seen, '3:3:'), coalesce(s.first, '3:3:'), coalesce(s.after_xid, '0'), coalesce(s.after_id, 0)
      FROM unnest('{0,1}'::smallint[]) p (priority)
      LEFT JOIN tally.settled s ON s.domain = settled_of.domain AND s.priority = p.priority
     ORDER BY p.priority;
END
$$;

-- Whether a report and the one before it are undecided.
CREATE OR REPLACE FUNCTION tally.is_behind_another(report bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM tally.report r JOIN tally.report p ON p.id = r.prev
                  WHERE r.id = is_behind_another.report
                    AND NOT EXISTS (SELECT FROM tally.outcome o WHERE o.report IN (r.id, p.id)))
$$;

CREATE OR REPLACE FUNCTION tally.may_have_been_sent(report bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT r.id <= d.doubtful OR EXISTS (SELECT FROM tally.intent i WHERE i.report = r.id)
         OR coalesce((SELECT o.outcome FROM tally.outcome o WHERE o.report = r.retry_of) = 'unknown', false)
    FROM tally.report r JOIN tally.domain d ON d.domain = r.domain WHERE r.id = $1
$$;

-- The last report that was sent on an object, if it was applied. NULL: it was not, or the next one may have been sent.
CREATE OR REPLACE FUNCTION tally.shown_by(domain text, object text) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN (SELECT o.outcome FROM tally.outcome o WHERE o.report = l.id) = 'applied'
                   AND tally.may_have_been_sent(tally.head_of($1, $2)) IS NOT TRUE
              THEN l.id END
    FROM (SELECT r.id FROM tally.report r
           WHERE r.domain = $1 AND r.object = $2
             AND (SELECT o.outcome FROM tally.outcome o WHERE o.report = r.id) IN ('applied', 'unknown')
           ORDER BY r.prev DESC LIMIT 1) l
$$;

-- Suspects that are due, but on which there is nothing to check: they show no report, and no waiting report can change that.
CREATE OR REPLACE FUNCTION tally.idle_suspects(domain text) RETURNS text[]
LANGUAGE sql STABLE AS $$
  SELECT array(SELECT s.object FROM tally.suspect s
                WHERE s.domain = $1 AND s.due <= clock_timestamp()
                  AND tally.shown_by(s.domain, s.object) IS NULL AND tally.head_of(s.domain, s.object) IS NULL)
$$;

-- What has changed in a domain. NULL: the session is not that of its owner. The snapshot is that of both scans. The plan looks so
-- expensive in large tables that PostgreSQL would compile it each time, which takes far longer than to execute it.
CREATE OR REPLACE FUNCTION tally.poll(domain text, session uuid, seen pg_snapshot[], after_xid xid8[], after_id bigint[],
                                      at_most integer[], due_at_most integer)
RETURNS TABLE (paused text, snapshot pg_snapshot, ids bigint[], xids xid8[], heads bigint[], priorities smallint[],
               due bigint[], requests bigint[], requested_reports bigint[], requested_actions text[])
LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
  SELECT d.paused, pg_current_snapshot(), s.ids, s.xids, s.heads, s.priorities,
         CASE WHEN due_at_most > 0 THEN array(
           (SELECT f.report FROM tally.deferred f WHERE f.domain = poll.domain AND f.due <= clock_timestamp()
             ORDER BY f.due LIMIT due_at_most)
           UNION ALL
           (SELECT s.report FROM (SELECT tally.shown_by(s.domain, s.object) AS report FROM tally.suspect s
                                   WHERE s.domain = poll.domain AND s.due <= clock_timestamp() OFFSET 0) s
             WHERE s.report IS NOT NULL LIMIT 100)) END,
         q.ids, q.reports, q.actions
    FROM tally.domain d
   CROSS JOIN (SELECT array_agg(c.id) AS ids, array_agg(c.xid) AS xids, array_agg(c.head) AS heads,
                      array_agg(c.priority) AS priorities
                 FROM (SELECT s0.*, 0::smallint AS priority
                         FROM tally.scan(poll.domain, 0::smallint, seen[1], after_xid[1], after_id[1], at_most[1]) s0
                        WHERE at_most[1] > 0
                       UNION ALL
                       SELECT s1.*, 1::smallint
                         FROM tally.scan(poll.domain, 1::smallint, seen[2], after_xid[2], after_id[2], at_most[2]) s1
                        WHERE at_most[2] > 0) c) s
   CROSS JOIN (SELECT array_agg(o.id) AS ids, array_agg(o.report) AS reports, array_agg(o.action) AS actions
                 FROM (SELECT r.* FROM tally.request r
                        WHERE r.domain = poll.domain AND r.answer IS NULL
                          AND (r.action <> 'cancel' OR NOT tally.is_behind_another(r.report))
                        ORDER BY r.id LIMIT 100) o) q
   WHERE d.domain = poll.domain AND d.session = poll.session AND d.owner IS NOT NULL
$$;

-- What has to be known to send these heads, and what is to be looked at before: the last report that was applied on a suspect
-- object. In a statement after those that have found them, so that it sees the intents of the
-- previous owner.
CREATE OR REPLACE FUNCTION tally.describe(domain text, session uuid, heads bigint[])
RETURNS TABLE (id bigint, xid xid8, object text, account text, key text, contents jsonb, priority smallint,
               urgency smallint, retry integer,
               due_in double precision, is_deferred boolean, is_parked boolean, is_canceled boolean, may_have_been_sent boolean,
               before text, deaths bigint, -- since the last release
               is_recheck boolean, earlier jsonb) -- reports on the object; of a recheck all, else the last applied one
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
BEGIN
  IF EXISTS (SELECT FROM tally.suspect s WHERE s.domain = describe.domain) THEN
    heads := array(
      SELECT x.id FROM (
          SELECT h AS id FROM unnest(heads) h
          UNION SELECT tally.shown_by(s.domain, s.object)
                  FROM tally.suspect s JOIN tally.report r ON r.domain = s.domain AND r.object = s.object
                 WHERE s.domain = describe.domain AND r.id = ANY (heads)) x
       WHERE x.id IS NOT NULL ORDER BY x.id);
  END IF;
  RETURN QUERY
  SELECT r.id, r.xid, r.object, r.account, r.key, r.contents, r.priority,
         least(r.priority, (SELECT min(n.priority) FROM tally.report n
                             WHERE r.priority > 0 AND n.domain = r.domain AND n.object = r.object AND n.prev >= r.id
                               AND (SELECT true FROM tally.outcome o WHERE o.report = n.id) IS NULL)),
         r.retry,
         coalesce(extract(epoch FROM coalesce(f.due, r.not_before) - clock_timestamp()), 0)::double precision,
         f.due IS NOT NULL,
         (SELECT true FROM tally.parked p WHERE p.report = r.id) IS NOT NULL,
         (SELECT true FROM tally.request q
           WHERE q.report = r.id AND q.action = 'cancel' AND q.answer IS NULL LIMIT 1) IS NOT NULL,
         r.id <= d.doubtful OR i.report IS NOT NULL OR u.original IS NOT NULL,
         coalesce(i.before, (SELECT n.before FROM tally.intent n WHERE n.report = u.original ORDER BY n.written_at LIMIT 1)),
         (SELECT count((SELECT true FROM tally.dead x
                         WHERE x.incarnation = n.incarnation
                           AND x.declared_at > coalesce((SELECT max(q.answered_at) FROM tally.request q
                                                          WHERE q.report = r.id AND q.action = 'release'), '-infinity')))
            FROM tally.intent n WHERE n.report = r.id),
         c.is_recheck, e.earlier
    FROM tally.domain d
    JOIN unnest(heads) WITH ORDINALITY h (id, position) ON true
   CROSS JOIN LATERAL (SELECT * FROM tally.report r WHERE r.id = h.id AND r.domain = describe.domain OFFSET 0) r
   CROSS JOIN LATERAL (SELECT CASE (SELECT o.outcome FROM tally.outcome o WHERE o.report = r.retry_of)
                                WHEN 'unknown' THEN r.retry_of END AS original) u
    LEFT JOIN LATERAL (SELECT * FROM tally.deferred f WHERE f.report = r.id OFFSET 0) f ON true
    LEFT JOIN LATERAL (SELECT * FROM tally.intent n WHERE n.report = r.id ORDER BY n.written_at LIMIT 1) i ON true
   CROSS JOIN LATERAL (SELECT (SELECT true FROM tally.outcome o WHERE o.report = r.id) IS NOT NULL AS is_recheck OFFSET 0) c
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('key', p.key, 'retry', p.retry)) AS earlier
        FROM (SELECT p.key, p.retry FROM tally.report p
               WHERE (r.id <= d.doubtful OR i.report IS NOT NULL OR u.original IS NOT NULL)
                 AND p.domain = r.domain AND p.object = r.object AND p.prev < r.prev
                 AND (c.is_recheck OR (SELECT o.outcome FROM tally.outcome o WHERE o.report = p.id) = 'applied')
               ORDER BY p.prev DESC LIMIT CASE WHEN c.is_recheck THEN 1000 ELSE 1 END) p) e ON true
   WHERE d.domain = describe.domain AND d.session = describe.session AND d.owner IS NOT NULL
   ORDER BY h.position;
END
$$;
