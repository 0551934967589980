-- For the owner of a domain: what it writes. Each call is a transaction of its own, which fails if the domain has another owner or
-- the session is over.

-- Whether the session is that of the owner, which then can neither change nor end before this transaction.
CREATE OR REPLACE FUNCTION tally.hold_session(domain text, session uuid) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
  incarnation uuid;
BEGIN
  PERFORM FROM tally.worker w JOIN tally.domain d ON d.owner = w.incarnation
    WHERE d.domain = hold_session.domain FOR KEY SHARE OF w;
  SELECT d.owner INTO incarnation FROM tally.domain d
    WHERE d.domain = hold_session.domain AND d.session = hold_session.session FOR KEY SHARE;
  RETURN incarnation;
END
$$;

-- When the delay of a report begins: now. NULL if the report waits for its own time, so that it has no delay.
CREATE OR REPLACE FUNCTION tally.start_of_delay(not_before timestamptz) RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT CASE WHEN not_before > clock_timestamp() THEN NULL ELSE clock_timestamp() END $$;

-- The heads after reports that have been decided. Those that the next owner's scan would not find, or not in time for a normal
-- report that waits for them, are deferred.
CREATE OR REPLACE FUNCTION tally.next_heads(domain text, decided bigint[], objects text[]) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
  successors bigint[];
BEGIN
  SELECT array_agg(r.id) INTO successors
    FROM unnest(decided, objects) u (id, object)
    JOIN tally.report r ON r.domain = next_heads.domain AND r.object = u.object AND r.prev = u.id;
  INSERT INTO tally.deferred (report, domain, due, put_off_at)
    SELECT r.id, r.domain, coalesce(r.not_before, clock_timestamp()), tally.start_of_delay(r.not_before)
      FROM tally.report r JOIN tally.settled s ON s.domain = r.domain AND s.priority = r.priority
     WHERE r.id = ANY (successors)
       AND (pg_visible_in_snapshot(r.xid, s.seen)
            OR ((r.xid, r.id) <= (s.after_xid, s.after_id) AND pg_visible_in_snapshot(r.xid, s.first))
            OR (SELECT min(n.priority) FROM tally.report n
                 WHERE r.priority > 0 AND n.domain = r.domain AND n.object = r.object AND n.prev >= r.id
                   AND (SELECT true FROM tally.outcome o WHERE o.report = n.id) IS NULL) < r.priority)
    ON CONFLICT DO NOTHING;
  RETURN successors;
END
$$;

-- Objects that may yet change, and others that have been looked at.
CREATE OR REPLACE FUNCTION tally.suspect(domain text, suspects text[], delays double precision[], rechecked text[]) RETURNS void
LANGUAGE sql AS $$
  DELETE FROM tally.suspect s WHERE s.domain = $1 AND s.object = ANY (rechecked) AND s.due <= clock_timestamp();
  INSERT INTO tally.suspect (domain, object, due)
    SELECT $1, u.object, clock_timestamp() + max(u.delay) * interval '1 second'
      FROM unnest(suspects, delays) u (object, delay) GROUP BY u.object
    ON CONFLICT ON CONSTRAINT suspect_pkey DO UPDATE SET due = greatest(suspect.due, excluded.due);
$$;

-- What has been learned about reports in the domain; once.
CREATE OR REPLACE FUNCTION tally.find_late(domain text, incarnation uuid, reports bigint[], findings text[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO tally.late (report, domain, incarnation, finding)
    SELECT u.report, $1, $2, u.finding FROM unnest(reports, findings) u (report, finding)
     WHERE (SELECT r.domain FROM tally.report r WHERE r.id = u.report) = $1
       AND NOT EXISTS (SELECT FROM tally.late l
                        WHERE l.report = u.report AND l.incarnation = $2 AND l.finding = u.finding
                          AND l.written_at > clock_timestamp() - interval '1 second');
$$;

-- Appends intents and outcomes, defers and parks heads. Written again after a lost reply, it changes nothing. Returns the number of
-- its transaction, a position in the log that a server without it has not reached, the next heads on the objects of the outcomes,
-- and evidence of what it has added: a row of its own (NULL: of no use later). No row: the session is over, or the server has
-- forgotten what `acknowledged` is evidence of, since a pooler may hide that the server is another one; nothing has been written.
-- Raises if a report is in another domain, since the role may have no rights there. Leaves out reports that do not exist: they may
-- have been removed since the lost reply, or be yet to come in another domain.
CREATE OR REPLACE FUNCTION tally.write(
    domain text, session uuid, intents bigint[], befores text[], decided bigint[], objects text[], outcomes text[],
    reasons text[], put_off bigint[], delays double precision[], parked bigint[], parked_reasons text[],
    suspects text[] DEFAULT '{}', suspect_delays double precision[] DEFAULT '{}', rechecked text[] DEFAULT '{}',
    noticed bigint[] DEFAULT '{}', findings text[] DEFAULT '{}', acknowledged text[] DEFAULT NULL)
RETURNS TABLE (xid xid8, lsn pg_lsn, next bigint[], evidence text[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
  writer constant uuid := tally.hold_session(domain, session);
  absent bigint[];
  added bigint;
  evident bigint;
  is_outcome boolean := false;
BEGIN
  IF writer IS NULL THEN
    RETURN;
  ELSIF NOT tally.remembers(domain, writer, acknowledged) THEN
    PERFORM tally.doubt(domain);
    RETURN;
  END IF;
  absent := array(SELECT g.report FROM unnest(intents || decided || put_off || parked || noticed) g (report)
                   WHERE (SELECT r.domain FROM tally.report r WHERE r.id = g.report) IS DISTINCT FROM write.domain);
  IF cardinality(absent) > 0 THEN -- a condition of its own, so that most calls run no query for it
    IF EXISTS (SELECT FROM tally.report r WHERE r.id = ANY (absent)) THEN
      RAISE EXCEPTION 'tally.write: of the reports %, some are in other domains than ''%''', absent, domain
        USING ERRCODE = 'insufficient_privilege';
    END IF;
  END IF;
  IF cardinality(intents) > 0 THEN
    WITH new AS (
      INSERT INTO tally.intent (report, incarnation, domain, before)
        SELECT u.report, writer, write.domain, u.before FROM unnest(intents, befores) u (report, before)
         WHERE u.report <> ALL (absent)
        ON CONFLICT DO NOTHING RETURNING report)
    SELECT max(n.report) INTO evident FROM new n;
    IF evident IS NULL THEN -- all are there: from this call, if its reply was lost, or from earlier ones
      SELECT i.report INTO evident FROM tally.intent i
       WHERE i.report = ANY (intents) AND i.incarnation = writer ORDER BY age(i.xmin) LIMIT 1;
    END IF;
  END IF;
  IF cardinality(decided) > 0 THEN
    INSERT INTO tally.outcome (report, domain, outcome, reason, incarnation)
      SELECT u.report, write.domain, u.outcome, u.reason, writer
        FROM unnest(decided, outcomes, reasons) u (report, outcome, reason)
       WHERE u.report <> ALL (absent)
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added < cardinality(decided)
       AND EXISTS (SELECT FROM unnest(decided, outcomes) u (report, outcome) JOIN tally.outcome o ON o.report = u.report
                    WHERE o.outcome <> u.outcome OR o.incarnation <> writer) THEN
      RAISE EXCEPTION 'tally.write: an outcome is final' USING ERRCODE = 'unique_violation';
    END IF;
    is_outcome := decided[1] <> ALL (absent);
    evident := CASE WHEN is_outcome THEN decided[1] ELSE evident END;
  END IF;
  DELETE FROM tally.deferred f WHERE f.report = ANY (decided || parked) AND f.domain = write.domain;
  DELETE FROM tally.parked p WHERE p.report = ANY (decided) AND p.domain = write.domain;
  UPDATE tally.request q SET answer = 'canceled', answered_at = clock_timestamp()
   WHERE q.domain = write.domain AND q.answer IS NULL AND q.action = 'cancel'
     AND q.report IN (SELECT u.report FROM unnest(decided, outcomes) u (report, outcome) WHERE u.outcome = 'canceled');
  INSERT INTO tally.deferred (report, domain, due, put_off_at)
    SELECT u.report, write.domain, clock_timestamp() + u.delay * interval '1 second',
           tally.start_of_delay((SELECT r.not_before FROM tally.report r WHERE r.id = u.report))
      FROM unnest(put_off, delays) u (report, delay)
     WHERE u.report <> ALL (absent)
    ON CONFLICT (report) DO UPDATE SET due = excluded.due, put_off_at = excluded.put_off_at;
  INSERT INTO tally.parked (report, domain, reason)
    SELECT u.report, write.domain, u.reason FROM unnest(parked, parked_reasons) u (report, reason)
     WHERE u.report <> ALL (absent)
    ON CONFLICT DO NOTHING;
  IF cardinality(suspects) + cardinality(rechecked) > 0 THEN
    PERFORM tally.suspect(domain, suspects, suspect_delays, rechecked);
  END IF;
  IF cardinality(noticed) > 0 THEN
    PERFORM tally.find_late(domain, writer, noticed, findings);
  END IF;
  RETURN QUERY
    SELECT pg_current_xact_id(), pg_current_wal_insert_lsn(), tally.next_heads(domain, decided, objects),
           (SELECT ARRAY[r.id::text, CASE WHEN is_outcome THEN 'outcome' ELSE 'intent' END, r.key]
              FROM tally.report r WHERE r.id = evident);
END
$$;

-- What a worker learns after it has lost its domain. The owner then looks at the objects.
CREATE OR REPLACE FUNCTION tally.write_late(domain text, incarnation uuid, reports bigint[], findings text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM tally.require('work', domain);
  PERFORM tally.find_late(domain, incarnation, reports, findings);
  INSERT INTO tally.suspect (domain, object, due)
    SELECT DISTINCT r.domain, r.object, clock_timestamp() FROM tally.report r
     WHERE r.id = ANY (reports) AND r.domain = write_late.domain
    ON CONFLICT ON CONSTRAINT suspect_pkey DO NOTHING;
END
$$;

-- Appends a report again, behind the others on its object. After an unknown outcome, the number of the retry stays the same, so
-- that the owner recognizes what was sent before. Returns the answer to the request.
CREATE OR REPLACE FUNCTION tally.append_retry(original tally.report, outcome text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  again tally.report := original;
BEGIN
  -- Whoever removes the original waits. If its snapshot is older, it fails, since this transaction also answers the request.
  PERFORM FROM tally.report r WHERE r.id = original.id FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN 'the report has been removed';
  END IF;
  IF EXISTS (SELECT FROM tally.report r WHERE r.retry_of = original.id
                AND NOT EXISTS (SELECT FROM tally.outcome o WHERE o.report = r.id AND o.outcome = 'canceled'))
  THEN
    RETURN 'it has already been retried';
  END IF;
  IF EXISTS (SELECT FROM tally.report r JOIN tally.outcome o ON o.report = r.id
              WHERE r.domain = original.domain AND r.object = original.object AND r.id > original.id
                AND o.outcome = 'applied') THEN
    RETURN 'a later report on the object was applied';
  END IF;
  again.retry := original.retry + CASE outcome WHEN 'refused' THEN 1 ELSE 0 END;
  again.retry_of := original.id;
  again.not_before := NULL;
  PERFORM pg_notify('tally', again.domain) FROM tally.schema WHERE notifies;
  RETURN format('report %s', tally.append_report(again, NULL));
END
$$;

-- Answers a request, unless it has an answer. A release is no earlier than the deaths that it forgives, even if the clock has been
-- set back.
CREATE OR REPLACE FUNCTION tally.answer_request(domain text, request bigint, answer text) RETURNS void
LANGUAGE sql AS $$
  UPDATE tally.request q
     SET answer = $3,
         answered_at = greatest(clock_timestamp(), (
           SELECT max((SELECT x.declared_at FROM tally.dead x WHERE x.incarnation = n.incarnation))
             FROM tally.intent n WHERE n.report = q.report AND q.action = 'release'))
   WHERE q.id = $2 AND q.domain = $1 AND q.answer IS NULL
$$;

-- Carries out a request about a report that the owner does not hold. Returns the answer; NULL: not yet, since a report before it
-- is undecided.
CREATE OR REPLACE FUNCTION tally.carry_out(request tally.request, incarnation uuid) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  about tally.report;
  ended text;
BEGIN
  SELECT r.* INTO about FROM tally.report r WHERE r.id = request.report;
  IF NOT FOUND THEN
    RETURN 'the report has been removed';
  END IF;
  SELECT o.outcome INTO ended FROM tally.outcome o WHERE o.report = about.id;
  IF request.action = 'retry' THEN
    RETURN CASE WHEN ended IN ('refused', 'unknown') THEN tally.append_retry(about, ended)
                ELSE 'it is neither refused nor unknown' END;
  ELSIF ended IS NOT NULL THEN
    RETURN format('too late: it is %s', ended);
  ELSIF request.action = 'release' THEN
    DELETE FROM tally.parked p WHERE p.report = about.id;
    IF NOT FOUND AND about.not_before IS NULL AND NOT EXISTS (SELECT FROM tally.deferred f WHERE f.report = about.id) THEN
      RETURN 'it is neither parked nor waiting for a time';
    END IF;
    IF tally.head_of(about.domain, about.object) = about.id THEN
      INSERT INTO tally.deferred VALUES (about.id, about.domain, clock_timestamp(), clock_timestamp())
        ON CONFLICT (report) DO UPDATE SET due = excluded.due, put_off_at = excluded.put_off_at;
    ELSE
      UPDATE tally.report r SET not_before = NULL WHERE r.id = about.id;
    END IF;
    RETURN 'released';
  ELSIF tally.head_of(about.domain, about.object) <> about.id THEN
    RETURN NULL;
  ELSIF tally.may_have_been_sent(about.id) THEN
    RETURN 'too late: it may have been sent';
  END IF;
  INSERT INTO tally.outcome (report, domain, outcome, incarnation) VALUES (about.id, about.domain, 'canceled', carry_out.incarnation);
  DELETE FROM tally.deferred f WHERE f.report = about.id;
  DELETE FROM tally.parked p WHERE p.report = about.id;
  UPDATE tally.request q SET answer = 'canceled', answered_at = clock_timestamp()
   WHERE q.report = about.id AND q.action = 'cancel' AND q.answer IS NULL; -- others ask for the same
  RETURN 'canceled';
END
$$;

-- Carries out requests about reports that the owner does not hold. Returns the next heads, on the objects of canceled reports. No
-- row: the session is over. Waits for other transactions only once, since nothing is sent meanwhile.
CREATE OR REPLACE FUNCTION tally.carry_out_all(domain text, session uuid, requests bigint[]) RETURNS TABLE (next bigint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off SET lock_timeout = '50ms' AS $$
DECLARE
  incarnation constant uuid := tally.hold_session(domain, session);
  one tally.request;
  said text;
  decided bigint[] := '{}';
  objects text[] := '{}';
BEGIN
  IF incarnation IS NULL THEN
    RETURN;
  END IF;
  FOR one IN SELECT q.* FROM tally.request q
              WHERE q.id = ANY (requests) AND q.domain = carry_out_all.domain AND q.answer IS NULL ORDER BY q.id LOOP
    BEGIN
      said := tally.carry_out(one, incarnation);
    EXCEPTION WHEN lock_not_available THEN -- a transaction is open that enqueues on the object
      said := NULL;
      PERFORM set_config('lock_timeout', '1ms', true);
    END;
    IF said IS NOT NULL THEN
      PERFORM tally.answer_request(domain, one.id, said);
    END IF;
    IF said = 'canceled' THEN
      decided := decided || one.report;
      objects := objects || (SELECT r.object FROM tally.report r WHERE r.id = one.report);
    END IF;
  END LOOP;
  RETURN QUERY SELECT tally.next_heads(domain, decided, objects);
END
$$;

-- Answers a request about a report that the owner holds.
CREATE OR REPLACE FUNCTION tally.answer(domain text, session uuid, request bigint, answer text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF tally.hold_session(domain, session) IS NULL THEN
    RETURN false;
  END IF;
  PERFORM tally.answer_request(domain, request, answer);
  RETURN true;
END
$$;

-- The owner pauses the domain, since the service refuses its key.
CREATE OR REPLACE FUNCTION tally.pause_own(domain text, session uuid, reason text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF tally.hold_session(domain, session) IS NULL THEN
    RETURN false;
  END IF;
  UPDATE tally.domain d SET paused = pause_own.reason WHERE d.domain = pause_own.domain;
  PERFORM tally.note('pause', domain, NULL, reason);
  RETURN true;
END
$$;

-- Records how far the scans of each priority are settled. `first` must be older than this transaction. With `beyond`, does so only
-- if there are reports of that transaction or later ones; otherwise, returns 0.
CREATE OR REPLACE FUNCTION tally.settle(domain text, session uuid, seen pg_snapshot[], first pg_snapshot[], after_xid xid8[],
                                        after_id bigint[], beyond xid8 DEFAULT NULL) RETURNS xid8
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF beyond IS NOT NULL AND NOT tally.has_reports_from(domain, beyond) THEN
    RETURN '0';
  ELSIF tally.hold_session(domain, session) IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO tally.settled
    SELECT settle.domain, u.position - 1, u.seen, u.first, u.after_xid, u.after_id
      FROM unnest(seen, first, after_xid, after_id) WITH ORDINALITY u (seen, first, after_xid, after_id, position)
    ON CONFLICT ON CONSTRAINT settled_pkey
    DO UPDATE SET seen = excluded.seen, first = excluded.first, after_xid = excluded.after_xid, after_id = excluded.after_id;
  RETURN pg_current_xact_id();
END
$$;

-- Forgets idle suspects. If the clock has been set back since a delay began, the delay starts again: otherwise, it would last too
-- long. Writes only if there is something to do.
CREATE OR REPLACE FUNCTION tally.tidy(domain text, session uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  idle constant text[] := tally.idle_suspects(domain);
  at_present constant timestamptz := clock_timestamp();
BEGIN
  IF cardinality(idle) = 0
     AND NOT EXISTS (SELECT FROM tally.deferred f WHERE f.domain = tidy.domain AND f.put_off_at > at_present) THEN
    RETURN true;
  ELSIF tally.hold_session(domain, session) IS NULL THEN
    RETURN false;
  END IF;
  DELETE FROM tally.suspect s WHERE s.domain = tidy.domain AND s.object = ANY (idle) AND s.due <= at_present;
  UPDATE tally.deferred f SET due = at_present + (f.due - f.put_off_at), put_off_at = at_present
   WHERE f.domain = tidy.domain AND f.put_off_at > at_present;
  RETURN true;
END
$$;

-- Estimates how many reports wait, up to 100,000 or the limit, and tidies. Writes the estimate only if it has changed. A limit
-- beyond 100 million is none.
CREATE OR REPLACE FUNCTION tally.maintain(domain text, session uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  at_most bigint;
  number bigint;
BEGIN
  SELECT least(coalesce(d.max_waiting, 100000), 100000000) INTO at_most FROM tally.domain d
   WHERE d.domain = maintain.domain AND d.session = maintain.session AND d.owner IS NOT NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT count(*) INTO number FROM (
    SELECT FROM tally.unsettled u
     CROSS JOIN LATERAL (
       SELECT FROM tally.report r
        WHERE r.domain = u.domain AND r.priority = u.priority
          AND (r.xid, r.id) > (u.after_xid, u.after_id) AND (r.xid, r.id) <= (u.last_xid, u.last_id)
          AND (SELECT true FROM tally.outcome o WHERE o.report = r.id) IS NULL
        ORDER BY r.xid, r.id LIMIT at_most + 1) r
     WHERE u.domain = maintain.domain LIMIT at_most + 1) waiting;
  IF EXISTS (SELECT FROM tally.domain d WHERE d.domain = maintain.domain AND d.waiting <> number) THEN
    IF tally.hold_session(domain, session) IS NULL THEN
      RETURN false;
    END IF;
    UPDATE tally.domain d SET waiting = number -- unless a person's transaction holds the domain
     WHERE d.domain = (SELECT f.domain FROM tally.domain f WHERE f.domain = maintain.domain FOR NO KEY UPDATE SKIP LOCKED);
  END IF;
  RETURN tally.tidy(domain, session);
END
$$;
