-- Which process uses which part of the limits of an account, for PostgresShare. Needs no other file, and can be repeated. Run
-- after grants.sql: only roles that are granted the function may call it.
--
-- Like MemoryShare, it only adds up. Exchanges in one domain follow each other, since each changes the row of the domain first.
-- With stricter isolation than READ COMMITTED, an exchange that had to wait fails, and the next one succeeds.

CREATE TABLE IF NOT EXISTS tally.share_domain (
  domain text PRIMARY KEY,
  exchanges bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS tally.share_process (
  domain text NOT NULL,
  process text NOT NULL,
  beat bigint NOT NULL,
  lease_ms bigint NOT NULL,
  PRIMARY KEY (domain, process)
) WITH (fillfactor = 50);

-- The units of a limit that were ever taken and given back.
CREATE TABLE IF NOT EXISTS tally.share_pool (
  domain text NOT NULL,
  limit_name text NOT NULL,
  taken bigint NOT NULL DEFAULT 0,
  freed bigint NOT NULL DEFAULT 0 CHECK (freed <= taken),
  PRIMARY KEY (domain, limit_name)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS tally.share (
  domain text NOT NULL,
  limit_name text NOT NULL,
  process text NOT NULL,
  want bigint NOT NULL,
  units bigint NOT NULL CHECK (units >= 0),
  PRIMARY KEY (domain, process, limit_name)
) WITH (fillfactor = 50);

-- Removes processes that still have these beats, and frees what they hold.
CREATE OR REPLACE FUNCTION tally.remove_sharing(domain text, gone text[], beats bigint[]) RETURNS void
LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM tally.share_process p USING unnest(gone, beats) g (process, beat)
     WHERE p.domain = remove_sharing.domain AND p.process = g.process AND p.beat = g.beat
    RETURNING p.process
  ), parts AS (
    DELETE FROM tally.share s USING gone WHERE s.domain = remove_sharing.domain AND s.process = gone.process
    RETURNING s.limit_name, s.units
  )
  UPDATE tally.share_pool p SET freed = p.freed + f.units
    FROM (SELECT limit_name, sum(units)::bigint FROM parts GROUP BY limit_name) f (limit_name, units)
   WHERE p.domain = remove_sharing.domain AND p.limit_name = f.limit_name
$$;

-- Notes what a process wants of a limit, and gives it units or takes them back.
CREATE OR REPLACE FUNCTION tally.claim_share(domain text, process text, limit_name text, total bigint, want bigint, units bigint,
                                             freed_before bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
  more bigint := 0;
BEGIN
  INSERT INTO tally.share_pool (domain, limit_name) VALUES (domain, limit_name) ON CONFLICT DO NOTHING;
  SELECT s.units INTO held FROM tally.share s
   WHERE s.domain = claim_share.domain AND s.process = claim_share.process AND s.limit_name = claim_share.limit_name;
  held := coalesce(held, 0);
  IF units < held THEN
    more := units - held;
  ELSE
    SELECT least(units - held, greatest(total + freed_before - p.taken, CASE WHEN units > 0 AND held = 0 THEN 1 ELSE 0 END))
      INTO more FROM tally.share_pool p
     WHERE p.domain = claim_share.domain AND p.limit_name = claim_share.limit_name;
  END IF;
  IF more <> 0 THEN
    UPDATE tally.share_pool p SET taken = p.taken + greatest(more, 0), freed = p.freed + greatest(-more, 0)
     WHERE p.domain = claim_share.domain AND p.limit_name = claim_share.limit_name;
  END IF;
  IF held + more = 0 AND want = 0 THEN
    DELETE FROM tally.share s
     WHERE s.domain = claim_share.domain AND s.process = claim_share.process AND s.limit_name = claim_share.limit_name;
  ELSE
    INSERT INTO tally.share AS s VALUES (domain, limit_name, process, want, held + more)
      ON CONFLICT ON CONSTRAINT share_pkey DO UPDATE SET want = excluded.want, units = excluded.units
      WHERE (s.want, s.units) <> (excluded.want, excluded.units);
  END IF;
END
$$;

-- PacerShare::exchange(). Returns one row for each process (`a`: its beat, `b`: its lease in ms), for each part of a limit (what a
-- process wants and holds) and for each pool of the claimed limits (how many units were ever freed).
--
-- Waits for other exchanges for a shorter time than the client, which closes its connection after 5 seconds. The server does not
-- notice that during a wait, so each further exchange would add a connection, until there are too many.
CREATE OR REPLACE FUNCTION tally.exchange_shares(
  domain text, process text, beat bigint, lease_ms bigint, leaving boolean, limits text[], totals bigint[], wants bigint[],
  units bigint[], freed_before bigint[], gone text[], beats bigint[])
RETURNS TABLE (kind text, of_limit text, of_process text, a bigint, b bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '4s' AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO tally.share_domain AS d (domain) VALUES (exchange_shares.domain)
    ON CONFLICT ON CONSTRAINT share_domain_pkey DO UPDATE SET exchanges = d.exchanges + 1;
  IF NOT EXISTS (SELECT FROM tally.share_process p WHERE p.domain = exchange_shares.domain
                    AND p.process = exchange_shares.process AND p.beat >= exchange_shares.beat) THEN
    PERFORM tally.remove_sharing(exchange_shares.domain, gone, beats);
    INSERT INTO tally.share_process
      VALUES (exchange_shares.domain, exchange_shares.process, exchange_shares.beat, exchange_shares.lease_ms)
      ON CONFLICT ON CONSTRAINT share_process_pkey DO UPDATE SET beat = excluded.beat, lease_ms = excluded.lease_ms;
    PERFORM tally.claim_share(exchange_shares.domain, exchange_shares.process, c.limit_name, c.total, c.want, c.units,
                              c.freed_before)
       FROM unnest(limits, totals, wants, exchange_shares.units, exchange_shares.freed_before)
            c (limit_name, total, want, units, freed_before);
    IF leaving AND NOT EXISTS (SELECT FROM tally.share s WHERE s.domain = exchange_shares.domain
                                  AND s.process = exchange_shares.process AND s.units > 0) THEN
      PERFORM tally.remove_sharing(exchange_shares.domain, ARRAY[exchange_shares.process], ARRAY[exchange_shares.beat]);
    END IF;
  END IF;
  RETURN QUERY
    SELECT 'process', NULL, p.process, p.beat, p.lease_ms FROM tally.share_process p WHERE p.domain = exchange_shares.domain
    UNION ALL
    SELECT 'part', s.limit_name, s.process, s.want, s.units FROM tally.share s WHERE s.domain = exchange_shares.domain
    UNION ALL
    SELECT 'pool', p.limit_name, NULL, p.freed, NULL FROM tally.share_pool p
     WHERE p.domain = exchange_shares.domain AND p.limit_name = ANY (limits)
    ORDER BY 1, 2, 3;
END
$$;

REVOKE ALL ON FUNCTION tally.remove_sharing, tally.claim_share, tally.exchange_shares FROM PUBLIC;
