-- Enqueuing, in the transaction of the caller.
--
-- A session keeps its plans. Those that it made while the tables were empty must not read them as a whole once they are full, so
-- enable_seqscan is off; jit is off, since a plan that can't avoid a scan is then expensive enough to be compiled.

CREATE OR REPLACE FUNCTION tally.priority_number(priority text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF priority IN ('normal', 'low') THEN
    RETURN (priority = 'low')::integer;
  END IF;
  PERFORM tally.refuse('priority', format('must be ''normal'' or ''low'', not ''%s''', priority));
END
$$;

-- Returns the time. Raises if it is infinite, because nothing can be subtracted from it then.
CREATE OR REPLACE FUNCTION tally.finite(not_before timestamptz) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF NOT isfinite(not_before) THEN
    PERFORM tally.refuse('not_before', format('must not be %s', not_before));
  END IF;
  RETURN not_before;
END
$$;

-- STABLE, like convert_to(), so that PostgreSQL inlines the function into the caller's statement.
CREATE OR REPLACE FUNCTION tally.hash(of text) RETURNS bytea
LANGUAGE sql STABLE AS $$ SELECT sha256(convert_to(of, 'UTF8')) $$;

-- Two reports with the same key must have the same hash.
CREATE OR REPLACE FUNCTION tally.contents_hash(report jsonb) RETURNS bytea
LANGUAGE sql STABLE AS $$ SELECT tally.hash(report::text) $$;

-- Admits new reports to the domain, which begins with its first one, or raises. Returns whether enqueuing notifies.
CREATE OR REPLACE FUNCTION tally.admit_reports(domain text, new_reports bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  notifies boolean;
  is_known boolean;
  room bigint;
BEGIN
  IF coalesce(domain, '') = '' THEN
    PERFORM tally.refuse('domain', 'is empty');
  END IF;
  PERFORM tally.require('enqueue', domain);
  SELECT s.notifies, d.domain IS NOT NULL, d.max_waiting - d.waiting INTO notifies, is_known, room
    FROM tally.schema s LEFT JOIN tally.domain d ON d.domain = admit_reports.domain
   WHERE s.one_row; -- for the index
  IF NOT is_known THEN
    INSERT INTO tally.domain (domain, identity) VALUES (admit_reports.domain, tally.identity()) ON CONFLICT DO NOTHING;
  ELSIF new_reports > 0 AND new_reports > room THEN
    PERFORM tally.refuse('domain', format('''%s'' has reached its limit of waiting reports, max_waiting', domain), '53400');
  END IF;
  RETURN notifies;
END
$$;

-- Raises unless the key was given for this report; returns the number of the report.
CREATE OR REPLACE FUNCTION tally.report_of_key(domain text, key text, contents_hash bytea) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  known tally.report_key;
BEGIN
  SELECT k.* INTO known FROM tally.report_key k
   WHERE k.domain = report_of_key.domain AND k.key_hash = tally.hash(report_of_key.key);
  IF known.contents_hash IS DISTINCT FROM report_of_key.contents_hash THEN
    PERFORM tally.refuse('key', format('''%s'' has already been used for another report', key), '23505');
  END IF;
  RETURN known.report;
END
$$;

-- The last report on the object, locked so that retention does not remove it before this transaction ends; 0 if there
-- is none.
CREATE OR REPLACE FUNCTION tally.tail(domain text, object text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  LOOP
    SELECT r.id INTO last FROM tally.report r
     WHERE r.domain = tail.domain AND r.object = tail.object ORDER BY r.prev DESC LIMIT 1;
    IF NOT FOUND THEN
      RETURN 0;
    END IF;
    PERFORM FROM tally.report r WHERE r.id = last FOR KEY SHARE;
    IF FOUND THEN -- otherwise it has been removed meanwhile
      RETURN last;
    END IF;
  END LOOP;
END
$$;

-- Appends a report to those on its object, and returns its number. The first report of a key has a hash; a retry has none.
-- Waits while another transaction that has enqueued a report on the object is open.
CREATE OR REPLACE FUNCTION tally.append_report(new tally.report, hash bytea) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  has_key boolean := hash IS NULL;
BEGIN
  LOOP
    new.prev := tally.tail(new.domain, new.object);
    new.id := nextval('tally.report_id'); -- after the tail has been read, so that it is larger
    IF NOT has_key THEN
      INSERT INTO tally.report_key VALUES (new.domain, tally.hash(new.key), hash, new.id) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        RETURN tally.report_of_key(new.domain, new.key, hash);
      END IF;
      has_key := true;
    ELSIF hash IS NOT NULL THEN -- the tail had changed
      UPDATE tally.report_key k SET report = new.id WHERE k.domain = new.domain AND k.key_hash = tally.hash(new.key);
    END IF;
    INSERT INTO tally.report
        (id, domain, object, prev, key, account, contents, priority, not_before, retry, retry_of)
      VALUES (new.id, new.domain, new.object, new.prev, new.key, new.account, new.contents, new.priority,
              new.not_before, new.retry, new.retry_of)
      ON CONFLICT (domain, object, prev) DO NOTHING;
    IF FOUND THEN
      RETURN new.id;
    END IF;
  END LOOP;
END
$$;

-- Enqueues a report, in the JSON of Report::toText() with, if wanted, "connected_account". Returns its number. The same
-- key with the same report returns the number that it has already; the same key with another report is refused.
CREATE OR REPLACE FUNCTION tally.enqueue(domain text, report jsonb, key text DEFAULT NULL,
                                         not_before timestamptz DEFAULT NULL, priority text DEFAULT 'normal')
RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  notifies constant boolean := tally.admit_reports(domain, 1);
  new tally.report;
BEGIN
  PERFORM tally.check_report(report);
  new.domain := domain;
  new.object := report ->> 'id';
  new.key := coalesce(enqueue.key, gen_random_uuid()::text);
  new.account := coalesce(report ->> 'connected_account', '');
  new.contents := report - 'connected_account';
  new.priority := tally.priority_number(priority);
  new.not_before := tally.finite(enqueue.not_before);
  new.retry := 0;
  new.id := tally.append_report(new, tally.contents_hash(report));
  IF notifies AND EXISTS (SELECT FROM tally.report r WHERE r.id = new.id AND r.xid = pg_current_xact_id()) THEN
    PERFORM pg_notify('tally', domain); -- not for a key that is known already
  END IF;
  RETURN new.id;
END
$$;

-- Takes the keys of new reports in the order of their texts, so that two calls do not wait for each other. Returns the numbers of
-- the reports; NULL if the key is known. If all keys are expected to be new, one that is known is a unique violation instead:
-- without ON CONFLICT, inserting takes half the time.
CREATE OR REPLACE FUNCTION tally.take_keys(domain text, reports jsonb[], keys text[], numbers bigint[], are_new boolean)
RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
  taken bigint[];
BEGIN
  IF are_new THEN
    INSERT INTO tally.report_key
      SELECT take_keys.domain, tally.hash(g.key), tally.contents_hash(g.report), g.number
        FROM unnest(reports, keys, numbers) g (report, key, number) ORDER BY g.key;
    RETURN numbers;
  END IF;
  WITH added AS (
    INSERT INTO tally.report_key
      SELECT take_keys.domain, tally.hash(g.key), tally.contents_hash(g.report), g.number
        FROM unnest(reports, keys, numbers) WITH ORDINALITY g (report, key, number, position) ORDER BY g.key, g.position
      ON CONFLICT DO NOTHING RETURNING report
  )
  SELECT array_agg(a.report ORDER BY g.position) INTO taken
    FROM unnest(numbers) WITH ORDINALITY g (number, position) LEFT JOIN added a ON a.report = g.number;
  RETURN taken;
END
$$;

-- Appends the reports whose keys are new. Returns the number of each; NULL if its key is known. A unique violation means that a
-- tail has changed, or that a key is known though all were expected to be new. Objects are taken in the order of their texts, so
-- that two calls do not wait for each other.
CREATE OR REPLACE FUNCTION tally.append_all(domain text, reports jsonb[], keys text[], not_before timestamptz,
                                            priority smallint, keys_are_new boolean) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
  objects text[];
  tails bigint[];
  held bigint;
  numbers bigint[];
BEGIN
  SELECT array_agg(o.object), array_agg(t.id) INTO objects, tails
    FROM (SELECT DISTINCT g ->> 'id' AS object FROM unnest(reports) g ORDER BY 1) o
    LEFT JOIN LATERAL (SELECT r.id FROM tally.report r
                        WHERE r.domain = append_all.domain AND r.object = o.object
                        ORDER BY r.prev DESC LIMIT 1) t ON true;
  PERFORM FROM tally.report r WHERE r.id = ANY (tails) FOR KEY SHARE;
  GET DIAGNOSTICS held = ROW_COUNT;
  IF held < (SELECT count(t) FROM unnest(tails) t) THEN
    RAISE unique_violation; -- one has been removed meanwhile
  END IF;
  SELECT array_agg(g.number ORDER BY g.position) INTO numbers
    FROM (SELECT nextval('tally.report_id') AS number, o.position
            FROM (SELECT u.position FROM unnest(reports) WITH ORDINALITY u (report, position)
                   ORDER BY u.report ->> 'id', u.position) o) g;
  numbers := tally.take_keys(domain, reports, keys, numbers, keys_are_new);
  INSERT INTO tally.report (id, domain, object, prev, key, account, contents, priority, not_before)
    SELECT g.number, append_all.domain, g.object,
           coalesce(lag(g.number) OVER (PARTITION BY g.object ORDER BY g.number), t.tail, 0), g.key,
           coalesce(g.report ->> 'connected_account', ''), g.report - 'connected_account', append_all.priority,
           append_all.not_before
      FROM (SELECT u.*, u.report ->> 'id' AS object FROM unnest(reports, keys, numbers) u (report, key, number)) g
      JOIN unnest(objects, tails) t (object, tail) ON t.object = g.object
     WHERE g.number IS NOT NULL ORDER BY g.number;
  RETURN numbers;
END
$$;

-- enqueue() for many reports at once. Those on one object keep their order. `keys` has a key for each, or is NULL.
CREATE OR REPLACE FUNCTION tally.enqueue_all(domain text, reports jsonb[], keys text[] DEFAULT NULL,
                                             not_before timestamptz DEFAULT NULL, priority text DEFAULT 'normal')
RETURNS bigint[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  notifies boolean;
  given_keys text[];
  keys_are_new boolean := true;
  numbers bigint[];
  reused text;
BEGIN
  IF cardinality(keys) <> cardinality(reports) THEN
    PERFORM tally.refuse('keys', 'must have as many elements as reports');
  END IF;
  notifies := tally.admit_reports(domain, cardinality(reports));
  PERFORM tally.check_reports(reports);
  given_keys := keys;
  IF keys IS NULL OR array_position(keys, NULL) IS NOT NULL THEN
    SELECT array_agg(coalesce(g.key, gen_random_uuid()::text) ORDER BY g.position) INTO given_keys
      FROM unnest(reports, keys) WITH ORDINALITY g (report, key, position);
  END IF;
  LOOP
    BEGIN
      numbers := tally.append_all(domain, reports, given_keys, tally.finite(not_before),
                                  tally.priority_number(priority), keys_are_new);
      EXIT;
    EXCEPTION WHEN unique_violation THEN
      IF keys_are_new THEN
        keys_are_new := false;
      ELSIF current_setting('transaction_isolation') NOT LIKE 'read %' THEN -- it would find the same tail again
        RAISE EXCEPTION 'tally.enqueue_all: another transaction has enqueued a report on one of the objects'
          USING ERRCODE = 'serialization_failure';
      END IF;
    END;
  END LOOP;
  notifies := notifies AND cardinality(array_remove(numbers, NULL)) > 0;
  IF array_position(numbers, NULL) IS NOT NULL THEN
    SELECT array_agg(k.report ORDER BY g.position),
           min(g.key) FILTER (WHERE k.contents_hash <> tally.contents_hash(g.report))
      INTO numbers, reused
      FROM unnest(reports, given_keys) WITH ORDINALITY g (report, key, position)
      JOIN tally.report_key k ON k.domain = enqueue_all.domain AND k.key_hash = tally.hash(g.key);
    IF reused IS NOT NULL THEN
      PERFORM tally.refuse('key', format('''%s'' has already been used for another report', reused), '23505');
    END IF;
  END IF;
  IF notifies THEN
    PERFORM pg_notify('tally', domain);
  END IF;
  RETURN coalesce(numbers, '{}');
END
$$;
