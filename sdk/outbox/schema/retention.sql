-- Removing what is decided. A report that an open transaction has taken as the last on its object stays.

CREATE OR REPLACE FUNCTION tally.remove_reports(reports bigint[]) RETURNS void
LANGUAGE sql AS $$
  DELETE FROM tally.intent WHERE report = ANY (reports);
  DELETE FROM tally.report WHERE id = ANY (reports);
  DELETE FROM tally.request WHERE report = ANY (reports);
  DELETE FROM tally.late WHERE report = ANY (reports);
  DELETE FROM tally.deferred WHERE report = ANY (reports);
  DELETE FROM tally.outcome WHERE report = ANY (reports);
$$;

-- Removes at most `at_most` reports that were decided more than `age` ago, and returns how many. The hashes of their keys stay,
-- and so does a report while a retry of it is undecided, since that is resolved with its intent.
CREATE OR REPLACE FUNCTION tally.remove_decided(domain text, age interval, at_most integer DEFAULT 1000)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  old bigint[];
BEGIN
  PERFORM tally.require('work', domain);
  WITH candidates AS MATERIALIZED (
    SELECT o.report FROM tally.outcome o
     WHERE o.domain = remove_decided.domain AND o.decided_at < clock_timestamp() - age
       AND NOT EXISTS (SELECT FROM tally.report again
                        WHERE again.retry_of = o.report
                          AND NOT EXISTS (SELECT FROM tally.outcome ended WHERE ended.report = again.id))
     ORDER BY o.decided_at LIMIT at_most
  )
  SELECT array_agg(locked.id) INTO old
    FROM (SELECT r.id FROM tally.report r JOIN candidates c ON c.report = r.id FOR UPDATE OF r SKIP LOCKED) locked;
  old := array( -- again, now that no retry can begin
    SELECT u.report FROM unnest(old) u (report)
     WHERE NOT EXISTS (SELECT FROM tally.report again
                        WHERE again.retry_of = u.report
                          AND NOT EXISTS (SELECT FROM tally.outcome ended WHERE ended.report = again.id)));
  PERFORM tally.remove_reports(old);
  RETURN coalesce(cardinality(old), 0);
END
$$;

-- Removes everything about an object, except for the hashes of its reports' keys. Refused until all reports on it are decided,
-- among them those that were being enqueued when it began. With stricter isolation than READ COMMITTED, retries among them make it
-- fail, and others stay.
CREATE OR REPLACE FUNCTION tally.erase(domain text, object text, note text DEFAULT '') RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  erased bigint[];
  undecided bigint;
BEGIN
  PERFORM tally.require_domain(domain);
  SELECT array_agg(locked.id) INTO erased
    FROM (SELECT r.id FROM tally.report r
           WHERE r.domain = erase.domain AND r.object = erase.object ORDER BY r.id FOR UPDATE) locked;
  SELECT min(r.id) INTO undecided FROM tally.report r
   WHERE r.domain = erase.domain AND r.object = erase.object
     AND (SELECT true FROM tally.outcome o WHERE o.report = r.id) IS NULL;
  IF undecided IS NOT NULL THEN
    RAISE EXCEPTION 'tally.erase: report % on ''%'' is not decided', undecided, object
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Cancel it, or wait until it has been sent.';
  END IF;
  PERFORM tally.remove_reports(erased);
  DELETE FROM tally.suspect s WHERE s.domain = erase.domain AND s.object = erase.object;
  PERFORM tally.note('erase', domain, NULL, note);
  RETURN coalesce(cardinality(erased), 0);
END
$$;
