-- For workers: heartbeats, and who owns which domain. No wall clock is compared: each worker watches the others' heartbeats on
-- its own clock.

-- Tells one server, and one history of it, from another.
CREATE OR REPLACE FUNCTION tally.identity() RETURNS text
LANGUAGE sql AS $$
  SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) FROM pg_control_system()
$$;

-- What a commit of this session survives; NULL: the loss of power.
CREATE OR REPLACE FUNCTION tally.lack_of_durability() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(format('%s is %s', s.name, s.setting), ', ' ORDER BY s.name) FROM pg_settings s
   WHERE s.name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND s.setting = 'off'
$$;

-- Adds a worker, which has the keys of these domains. Does not wait for open transactions: one that has changed a domain, or that
-- adds it with its first report.
CREATE OR REPLACE FUNCTION tally.enroll(incarnation uuid, lease interval, host text, process integer, version integer,
                                        keys text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
DECLARE
  least integer;
  key text;
BEGIN
  SELECT s.least_worker_version INTO least FROM tally.schema s;
  IF version < least THEN
    RAISE EXCEPTION 'tally: this worker is of version %, and the schema needs version % or later', version, least
      USING ERRCODE = 'feature_not_supported';
  END IF;
  FOREACH key IN ARRAY keys LOOP
    PERFORM tally.require('work', key);
    BEGIN
      INSERT INTO tally.domain (domain, identity) SELECT key, tally.identity()
        WHERE NOT EXISTS (SELECT FROM tally.domain d WHERE d.domain = key) ON CONFLICT DO NOTHING;
    EXCEPTION WHEN lock_not_available THEN -- it is being added
    END;
  END LOOP;
  INSERT INTO tally.worker (incarnation, lease, host, process, version, keys)
    VALUES (incarnation, lease, host, process, version, keys);
END
$$;

-- Whether the role may work in one of the domains of a worker, or in every domain.
CREATE OR REPLACE FUNCTION tally.may_replace(keys text[]) RETURNS boolean
LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT FROM unnest(keys || NULL::text) k WHERE tally.role_may('work', k)) $$;

-- Raises unless the role may work in a domain of the worker. A worker that has been declared dead passes.
CREATE OR REPLACE FUNCTION tally.require_worker(incarnation uuid) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
  its_keys text[];
BEGIN
  SELECT w.keys INTO its_keys FROM tally.worker w WHERE w.incarnation = require_worker.incarnation;
  IF FOUND AND NOT tally.may_replace(its_keys) THEN
    PERFORM tally.require('work', its_keys[1]);
  END IF;
END
$$;

-- Extends the lease of a worker. NULL: the worker has been declared dead, or the server has forgotten the last heartbeat that was
-- acknowledged. Otherwise, returns what the worker needs to know: among
-- others, the domains that it may claim, and the workers that it may declare dead. Omits those that it may not, because a refusal
-- would end its heartbeat early.
CREATE OR REPLACE FUNCTION tally.beat(incarnation uuid, acknowledged bigint DEFAULT 0) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  me tally.worker;
BEGIN
  PERFORM tally.require_worker(incarnation);
  UPDATE tally.worker w SET beat = w.beat + 1
   WHERE w.incarnation = beat.incarnation AND w.beat >= acknowledged RETURNING w.* INTO me;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN jsonb_build_object(
    'beat', me.beat,
    'owned', (SELECT coalesce(jsonb_agg(d.domain ORDER BY d.domain), '[]') FROM tally.domain d WHERE d.owner = me.incarnation),
    'free', (SELECT coalesce(jsonb_agg(d.domain ORDER BY d.domain), '[]') FROM tally.domain d
              WHERE d.owner IS NULL AND d.domain = ANY (me.keys) AND tally.role_may('work', d.domain)),
    'peers', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'incarnation', w.incarnation, 'beat', w.beat, 'keys', to_jsonb(w.keys),
                       'lease_ms', (extract(epoch FROM w.lease) * 1000)::bigint) ORDER BY w.incarnation), '[]')
                FROM tally.worker w WHERE w.incarnation <> me.incarnation AND tally.may_replace(w.keys)));
END
$$;

-- For tally.declare_dead(), if a transaction holds one of the worker's domains, or the worker itself is writing: takes the others
-- from it. Heartbeats of a worker that has sent one begin at 1, so 0 ends its life; whoever watches it removes it later. Returns
-- whether its heartbeat was still this one.
CREATE OR REPLACE FUNCTION tally.disown_free_domains(incarnation uuid, beat bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tally.worker w SET beat = 0
   WHERE w.incarnation = disown_free_domains.incarnation AND w.beat = disown_free_domains.beat;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE tally.domain d SET owner = NULL, session = NULL
   WHERE d.domain IN (SELECT f.domain FROM tally.domain f WHERE f.owner = disown_free_domains.incarnation FOR UPDATE SKIP LOCKED);
  RETURN true;
END
$$;

-- Removes a worker whose heartbeat is still this one, and with it what it owns. Waits for what it is writing. Whoever calls
-- this has seen that heartbeat unchanged for the whole lease. False: it has another heartbeat, or can't be removed yet.
CREATE OR REPLACE FUNCTION tally.declare_dead(incarnation uuid, beat bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  is_dead boolean;
  is_removed boolean;
BEGIN
  PERFORM tally.require_worker(incarnation);
  BEGIN
    DELETE FROM tally.worker w WHERE w.incarnation = declare_dead.incarnation AND w.beat = declare_dead.beat;
    is_removed := FOUND;
    is_dead := FOUND;
  EXCEPTION WHEN lock_not_available THEN
    is_removed := false;
    is_dead := tally.disown_free_domains(incarnation, beat);
  END;
  IF is_dead THEN
    -- Later than each release, even if the clock has been set back.
    INSERT INTO tally.dead (incarnation, declared_at)
      SELECT declare_dead.incarnation, greatest(clock_timestamp(), max(q.answered_at) + interval '1 microsecond')
        FROM tally.request q WHERE q.action = 'release'
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN is_removed;
END
$$;

-- A worker stops, and gives up what it owns.
CREATE OR REPLACE FUNCTION tally.depart(incarnation uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT tally.require_worker(incarnation);
  DELETE FROM tally.worker w WHERE w.incarnation = depart.incarnation
$$;

-- A number after those of all reports, although a copy of the tables may have left the sequence behind.
CREATE OR REPLACE FUNCTION tally.number_after_all() RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  number constant bigint := nextval('tally.report_id');
  last constant bigint := (SELECT max(r.id) FROM tally.report r);
BEGIN
  RETURN CASE WHEN number <= last THEN setval('tally.report_id', last + 1) ELSE number END;
END
$$;

-- Makes a worker the owner of a domain without one, and returns its session. NULL: it has an owner, or the worker is dead. Waits
-- for what the last owner is writing, in case somebody has removed that owner by hand.
CREATE OR REPLACE FUNCTION tally.claim(domain text, incarnation uuid) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  new_session uuid;
  doubtful_before bigint;
  doubtful_after bigint;
BEGIN
  PERFORM tally.require('work', domain);
  PERFORM FROM tally.worker w WHERE w.incarnation = claim.incarnation FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT d.doubtful INTO doubtful_before FROM tally.domain d
   WHERE d.domain = claim.domain AND d.owner IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE tally.domain d
     SET owner = claim.incarnation, session = gen_random_uuid(), owned_since = clock_timestamp(),
         doubtful = CASE WHEN d.identity <> tally.identity() THEN tally.number_after_all() ELSE d.doubtful END,
         identity = tally.identity()
   WHERE d.domain = claim.domain
   RETURNING d.session, d.doubtful INTO new_session, doubtful_after;
  IF doubtful_after <> doubtful_before THEN
    DELETE FROM tally.settled s WHERE s.domain = claim.domain; -- numbers of transactions may have been used again
  END IF;
  -- The last owner may have left something in the network as well.
  UPDATE tally.suspect s SET due = greatest(s.due, clock_timestamp() + w.lease) FROM tally.worker w
   WHERE s.domain = claim.domain AND w.incarnation = claim.incarnation;
  RETURN new_session;
END
$$;

-- Gives up a domain. Waits for what the worker is writing.
CREATE OR REPLACE FUNCTION tally.give_up(domain text, incarnation uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT tally.require('work', domain);
  SELECT FROM tally.domain d WHERE d.domain = give_up.domain AND d.owner = give_up.incarnation FOR UPDATE;
  UPDATE tally.domain d SET owner = NULL, session = NULL
   WHERE d.domain = give_up.domain AND d.owner = give_up.incarnation
$$;

-- Whether the server still has what a worker wrote when it got this evidence: the number of a report, `intent` or `outcome`, and
-- the key of the report. What was written earlier is there too. A report that has been removed leaves the hash of its key, and a
-- retry that of its original, which is removed no later.
CREATE OR REPLACE FUNCTION tally.remembers(domain text, incarnation uuid, evidence text[]) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
  about constant bigint := evidence[1];
BEGIN
  IF evidence IS NULL THEN
    RETURN true;
  ELSIF evidence[2] = 'outcome' THEN
    PERFORM FROM tally.outcome o WHERE o.report = about AND o.incarnation = remembers.incarnation;
  ELSE
    PERFORM FROM tally.intent i WHERE i.report = about AND i.incarnation = remembers.incarnation;
  END IF;
  RETURN FOUND
    OR (NOT EXISTS (SELECT FROM tally.report r WHERE r.id = about)
        AND EXISTS (SELECT FROM tally.report_key k
                     WHERE k.domain = remembers.domain AND k.key_hash = tally.hash(evidence[3])
                       AND NOT EXISTS (SELECT FROM tally.report r WHERE r.id = k.report)));
END
$$;

-- The server has forgotten commits. The domain has no owner then, and each report in it may have been sent.
CREATE OR REPLACE FUNCTION tally.doubt(domain text) RETURNS void
LANGUAGE sql AS $$
  UPDATE tally.domain d SET owner = NULL, session = NULL, identity = '' WHERE d.domain = $1
$$;

-- After a lost reply: fences what the owner has sent in its last session, and waits for what of it is running. Returns the new
-- session; NULL: the domain has another owner, or the server has forgotten what it had acknowledged, which its log or the evidence
-- shows. Only the evidence shows it if the server is a copy with the same history, whose log has become longer since.
CREATE OR REPLACE FUNCTION tally.renew(domain text, incarnation uuid, acknowledged pg_lsn, evidence text[] DEFAULT NULL)
RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
  end_of_log constant pg_lsn := pg_current_wal_insert_lsn(); -- before the lock below makes the log longer
  new_session constant uuid := gen_random_uuid();
BEGIN
  PERFORM tally.require('work', domain);
  PERFORM FROM tally.domain d WHERE d.domain = renew.domain AND d.owner = renew.incarnation FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM tally.domain d WHERE d.domain = renew.domain AND d.identity = tally.identity())
     AND coalesce(end_of_log >= acknowledged, true) AND tally.remembers(domain, incarnation, evidence) THEN
    UPDATE tally.domain d SET session = new_session WHERE d.domain = renew.domain;
    RETURN new_session;
  END IF;
  PERFORM tally.doubt(domain);
  RETURN NULL;
END
$$;

-- For a worker whose heartbeat has not been accepted. Unless it has been declared dead, the server has forgotten commits; perhaps
-- also those of workers that are dead, so each of its domains is doubted. Returns whether that is so.
CREATE OR REPLACE FUNCTION tally.miss_commits(incarnation uuid, keys text[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  key text;
BEGIN
  IF EXISTS (SELECT FROM tally.dead x WHERE x.incarnation = miss_commits.incarnation) THEN
    RETURN false;
  END IF;
  FOR key IN SELECT unnest(keys) ORDER BY 1 LOOP
    PERFORM tally.require('work', key);
    PERFORM tally.doubt(key);
  END LOOP;
  RETURN true;
END
$$;
