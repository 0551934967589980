-- Whether a report can be sent, as Report::check() decides it. A report that can't be sent is not enqueued.

CREATE OR REPLACE FUNCTION tally.refuse(member text, problem text, code text DEFAULT '22023') RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'tally.enqueue: % %', member, problem USING ERRCODE = code, COLUMN = member;
END
$$;

-- Why the metadata of a report can't be sent; NULL if it can.
CREATE OR REPLACE FUNCTION tally.metadata_fault(metadata jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
      WHEN jsonb_typeof(metadata) = 'null' THEN NULL
      WHEN jsonb_typeof(metadata) <> 'object' THEN 'must be an object or null'
      ELSE (
        SELECT CASE
            WHEN m.key = '' THEN 'has an empty key'
            WHEN m.key ~ '[][]' THEN format('has the key ''%s'', which contains ''['' or '']''', m.key)
            WHEN jsonb_typeof(m.value) NOT IN ('string', 'null')
              THEN format('has neither a string nor null for ''%s''', m.key)
            ELSE format('has an empty value for ''%s'', which would unset the key; to unset it, give null', m.key)
          END
          FROM jsonb_each(metadata) m
         WHERE m.key = '' OR m.key ~ '[][]' OR m.value = '""' OR jsonb_typeof(m.value) NOT IN ('string', 'null')
         LIMIT 1)
    END
$$;

-- Whether the values of a report suit its kind; check_report() says what is wrong. One expression without a query, which the
-- callers' statements contain. Most metadata has no brackets and no empty key, which a look at its text shows.
CREATE OR REPLACE FUNCTION tally.suits(r jsonb, k tally.report_kind) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT (
    jsonb_typeof(r) = 'object'
    AND r - '{id,outcome,time,metadata,attempt,reference,connected_account}'::text[] = '{}'
    AND jsonb_typeof(r -> 'id') = 'string'
    AND jsonb_typeof(r -> 'outcome') = 'string'
    AND CASE WHEN NOT r ? 'time' THEN NOT k.requires_time
             WHEN jsonb_typeof(r -> 'time') = 'number'
               THEN k.takes_time AND scale((r -> 'time')::numeric) = 0
                    AND (r -> 'time')::numeric BETWEEN 0 AND 999999999999999999
             ELSE false END
    AND (NOT r ? 'metadata'
         OR k.takes_metadata
            AND jsonb_typeof(r -> 'metadata') = 'object'
            AND NOT jsonb_path_exists(r, '$.metadata.* ? (@ == "" || @.type() != "string" && @.type() != "null")')
            AND (r ->> 'metadata' !~ '[][]|"":' OR tally.metadata_fault(r -> 'metadata') IS NULL))
    AND (NOT r ? 'attempt'
         OR jsonb_typeof(r -> 'attempt') = 'string'
            AND starts_with(r ->> 'attempt', k.attempt_prefix) AND r ->> 'attempt' <> k.attempt_prefix)
    AND (NOT r ? 'reference' OR jsonb_typeof(r -> 'reference') = 'string')
    AND (NOT r ? 'connected_account'
         OR jsonb_typeof(r -> 'connected_account') = 'string'
            AND r ->> 'connected_account' !~ '[\x01-\x08\x0A-\x1F\x7F]')) IS TRUE
$$;

CREATE OR REPLACE FUNCTION tally.check_members(report jsonb) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
  member text;
BEGIN
  IF report IS NULL OR jsonb_typeof(report) <> 'object' THEN
    PERFORM tally.refuse('report', 'must be a JSON object');
  END IF;
  FOREACH member IN ARRAY '{id,outcome}'::text[] LOOP
    IF NOT report ? member THEN
      PERFORM tally.refuse(member, 'is missing');
    END IF;
  END LOOP;
  FOREACH member IN ARRAY '{id,outcome,attempt,reference,connected_account}'::text[] LOOP
    IF jsonb_typeof(report -> member) <> 'string' THEN
      PERFORM tally.refuse(member, 'must be a string');
    END IF;
  END LOOP;
  SELECT m INTO member FROM jsonb_object_keys(report) m
   WHERE m <> ALL ('{id,outcome,time,metadata,attempt,reference,connected_account}'::text[]) LIMIT 1;
  IF FOUND THEN
    PERFORM tally.refuse(member, 'is unknown');
  END IF;
END
$$;

-- The kind of the report, or raises.
CREATE OR REPLACE FUNCTION tally.kind_of(report jsonb) RETURNS tally.report_kind
LANGUAGE plpgsql STABLE AS $$
DECLARE
  kind tally.report_kind;
  known text;
BEGIN
  SELECT string_agg(k.outcome, ', ' ORDER BY k.outcome) INTO known FROM tally.report_kind k
   WHERE report ->> 'id' ~ k.id_pattern;
  IF known IS NULL THEN
    PERFORM tally.refuse('id', format('''%s'' is not an identifier of a resource with reports', report ->> 'id'));
  END IF;
  SELECT k.* INTO kind FROM tally.report_kind k
   WHERE report ->> 'id' ~ k.id_pattern AND k.outcome = report ->> 'outcome';
  IF NOT FOUND THEN
    PERFORM tally.refuse('outcome', format('''%s'' is not one of: %s', report ->> 'outcome', known));
  END IF;
  RETURN kind;
END
$$;

CREATE OR REPLACE FUNCTION tally.check_values(report jsonb, kind tally.report_kind) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
  attempt constant text := nullif(report ->> 'attempt', '');
  fault constant text := tally.metadata_fault(report -> 'metadata');
BEGIN
  IF report ? 'time' AND NOT kind.takes_time THEN
    PERFORM tally.refuse('time', 'is not a parameter of this outcome');
  ELSIF kind.requires_time AND NOT report ? 'time' THEN
    PERFORM tally.refuse('time', 'is missing');
  ELSIF jsonb_typeof(report -> 'time') <> 'number' OR report ->> 'time' !~ '^[0-9]{1,18}$' THEN
    PERFORM tally.refuse('time', 'must be whole seconds since the Unix epoch');
  ELSIF report ? 'metadata' AND NOT kind.takes_metadata THEN
    PERFORM tally.refuse('metadata', 'is not a parameter of this outcome');
  ELSIF fault IS NOT NULL THEN
    PERFORM tally.refuse('metadata', fault);
  ELSIF attempt IS NOT NULL AND kind.attempt_prefix IS NULL THEN
    PERFORM tally.refuse('attempt', 'is not known for this resource');
  ELSIF NOT starts_with(attempt, kind.attempt_prefix) OR attempt = kind.attempt_prefix THEN
    PERFORM tally.refuse('attempt', format('''%s'' is not an identifier that starts with ''%s''', attempt,
                                           kind.attempt_prefix));
  ELSIF report ->> 'connected_account' ~ '[\x01-\x08\x0A-\x1F\x7F]' THEN
    PERFORM tally.refuse('connected_account', 'contains a line break or a control character');
  END IF;
END
$$;

-- Refuses a report that can't be sent. The error names the member that is wrong, in its message and as its column.
CREATE OR REPLACE FUNCTION tally.check_report(report jsonb) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
  kind tally.report_kind;
BEGIN
  SELECT k.* INTO kind FROM tally.report_kind k
   WHERE k.outcome = report ->> 'outcome' AND report ->> 'id' ~ k.id_pattern;
  IF NOT FOUND OR NOT tally.suits(report, kind) THEN
    PERFORM tally.check_members(report);
    PERFORM tally.check_values(report, tally.kind_of(report));
  END IF;
END
$$;

-- Checks all reports, in one statement if they are right. The error also names the position of the report, from 1.
CREATE OR REPLACE FUNCTION tally.check_reports(reports jsonb[]) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
  report jsonb;
  position integer := 0;
  member text;
  problem text;
BEGIN
  IF cardinality(reports) = (SELECT count(*) FROM unnest(reports) r
                               JOIN tally.report_kind k ON k.outcome = r ->> 'outcome' AND r ->> 'id' ~ k.id_pattern
                              WHERE tally.suits(r, k)) THEN
    RETURN;
  END IF;
  FOREACH report IN ARRAY reports LOOP
    position := position + 1;
    PERFORM tally.check_report(report);
  END LOOP;
EXCEPTION WHEN invalid_parameter_value THEN
  GET STACKED DIAGNOSTICS member = COLUMN_NAME, problem = MESSAGE_TEXT;
  RAISE EXCEPTION '% (report % of %)', problem, position, cardinality(reports)
    USING ERRCODE = 'invalid_parameter_value', COLUMN = member;
END
$$;
