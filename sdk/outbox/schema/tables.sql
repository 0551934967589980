-- Version 1 of the tables. A change is a new file, tables-<version>.sql, that only adds (expand); what no worker uses any
-- more is dropped by a later version (contract).

CREATE TABLE tally.schema (
  one_row boolean PRIMARY KEY DEFAULT true CHECK (one_row),
  version integer NOT NULL,
  least_worker_version integer NOT NULL, -- older workers refuse to start
  notifies boolean NOT NULL DEFAULT false -- whether enqueue() notifies the channel `tally`
);

-- The reports that the API description knows; written by each migration.
CREATE TABLE tally.report_kind (
  id_prefix text NOT NULL,
  id_pattern text NOT NULL, -- a regular expression for identifiers with this prefix and no longer one
  outcome text NOT NULL,
  takes_time boolean NOT NULL,
  requires_time boolean NOT NULL,
  takes_metadata boolean NOT NULL,
  attempt_prefix text, -- NULL: the resource has no attempts
  PRIMARY KEY (id_prefix, outcome)
);

CREATE TABLE tally.privilege (
  role_name name NOT NULL,
  may text NOT NULL CHECK (may IN ('enqueue', 'read', 'operate', 'work')),
  domain text NOT NULL, -- '*': every domain
  PRIMARY KEY (role_name, may, domain)
);

CREATE TABLE tally.worker (
  incarnation uuid PRIMARY KEY, -- new at each start
  beat bigint NOT NULL DEFAULT 0,
  lease interval NOT NULL,
  host text NOT NULL,
  process integer NOT NULL,
  version integer NOT NULL,
  keys text[] NOT NULL DEFAULT '{}', -- the domains whose keys it has
  started_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE tally.domain (
  domain text PRIMARY KEY,
  owner uuid REFERENCES tally.worker ON DELETE SET NULL,
  session uuid, -- of its owner; new after each lost reply, which fences what was sent before
  owned_since timestamptz,
  identity text, -- of the server, as the owner has seen it, or whoever enqueued first
  doubtful bigint NOT NULL DEFAULT 0, -- reports up to this one may have been sent without a trace here: commits were lost
  max_waiting bigint CHECK (max_waiting >= 0), -- NULL: no limit
  waiting bigint NOT NULL DEFAULT 0, -- an estimate of the owner
  paused text, -- why the owner sends nothing; NULL: it does
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX domain_owner ON tally.domain (owner);

-- A report names the previous one on its object. It is sent once that one is decided or removed.
CREATE SEQUENCE tally.report_id CACHE 1;
CREATE TABLE tally.report (
  id bigint PRIMARY KEY,
  domain text NOT NULL,
  object text NOT NULL,
  prev bigint NOT NULL, -- 0: the first; NULLs would be distinct
  key text NOT NULL,
  account text NOT NULL, -- the connected account; '': none
  contents jsonb NOT NULL,
  priority smallint NOT NULL, -- 0: normal; 1: low
  not_before timestamptz,
  retry integer NOT NULL DEFAULT 0,
  retry_of bigint,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  enqueued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  enqueued_by text NOT NULL DEFAULT session_user, -- a name takes 64 bytes
  CHECK (prev < id),
  UNIQUE (domain, object, prev)
);
CREATE INDEX report_xid ON tally.report (domain, priority, xid, id);
CREATE INDEX report_retry ON tally.report (retry_of) WHERE retry_of IS NOT NULL;

-- Outlives its report, so that a late repetition enqueues nothing. Contains only hashes, so that neither the contents nor the key
-- of an erased report remains.
CREATE TABLE tally.report_key (
  domain text NOT NULL,
  key_hash bytea NOT NULL,
  contents_hash bytea NOT NULL,
  report bigint NOT NULL,
  PRIMARY KEY (domain, key_hash)
);

-- Appended before a report is sent, in batches: from then on, this worker may have sent it.
CREATE TABLE tally.intent (
  report bigint NOT NULL,
  incarnation uuid NOT NULL,
  domain text NOT NULL,
  before text, -- the JSON of the object before the report; NULL: not read, or the report names its attempt
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (report, incarnation)
);

-- Final: a retry is another report.
CREATE TABLE tally.outcome (
  report bigint PRIMARY KEY,
  domain text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('applied', 'refused', 'unknown', 'canceled')),
  reason text NOT NULL DEFAULT '',
  incarnation uuid NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX outcome_decided ON tally.outcome (domain, decided_at);
CREATE INDEX outcome_failed ON tally.outcome (domain, report) WHERE outcome IN ('refused', 'unknown');

-- Reports that the owner sends only after a person releases them.
CREATE TABLE tally.parked (
  report bigint PRIMARY KEY,
  domain text NOT NULL,
  reason text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX parked_domain ON tally.parked (domain);

-- Reports that are the first undecided ones on their objects, and that a scan from tally.settled does not find.
CREATE TABLE tally.deferred (
  report bigint PRIMARY KEY,
  domain text NOT NULL,
  due timestamptz NOT NULL,
  put_off_at timestamptz -- when the delay until `due` began; NULL: `due` is the report's own time
);
CREATE INDEX deferred_due ON tally.deferred (domain, due);
CREATE INDEX deferred_put_off ON tally.deferred (domain, put_off_at) WHERE put_off_at IS NOT NULL;

-- How far a domain is settled: a report is decided, deferred, parked, or behind another one on its object if it is visible in
-- `seen`, or in `first` and not after (after_xid, after_id). Where the scan of a new owner begins.
CREATE TABLE tally.settled (
  domain text NOT NULL,
  priority smallint NOT NULL,
  seen pg_snapshot NOT NULL,
  first pg_snapshot NOT NULL,
  after_xid xid8 NOT NULL,
  after_id bigint NOT NULL,
  PRIMARY KEY (domain, priority)
);

-- Workers whose leases have run out, unlike those that have stopped.
CREATE TABLE tally.dead (
  incarnation uuid PRIMARY KEY,
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What people ask for. The owner of the domain carries it out, since it alone writes outcomes.
CREATE TABLE tally.request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  domain text NOT NULL,
  report bigint NOT NULL,
  action text NOT NULL CHECK (action IN ('retry', 'cancel', 'release')),
  asked_by name NOT NULL DEFAULT session_user,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  answer text, -- NULL: not carried out yet
  answered_at timestamptz
);
CREATE INDEX request_open ON tally.request (domain, id) WHERE answer IS NULL;
CREATE INDEX request_report ON tally.request (report);

-- What a worker learned after it had lost its domain: its only write then.
CREATE TABLE tally.late (
  report bigint NOT NULL,
  domain text NOT NULL,
  incarnation uuid NOT NULL,
  finding text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX late_report ON tally.late (report);

-- Objects that a request of a dead worker may yet change: what they show is looked at again, at the latest when this is due.
CREATE TABLE tally.suspect (
  domain text NOT NULL,
  object text NOT NULL,
  due timestamptz NOT NULL,
  PRIMARY KEY (domain, object)
);

CREATE TABLE tally.audit (
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  role_name name NOT NULL DEFAULT session_user,
  action text NOT NULL,
  domain text NOT NULL,
  report bigint,
  note text NOT NULL DEFAULT ''
);
CREATE INDEX audit_at ON tally.audit (at);

-- Whoever may do anything else does it in functions. Triggers hold for the owner too.
CREATE FUNCTION tally.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'tally.%: rows are only added', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON tally.audit
  FOR EACH STATEMENT EXECUTE FUNCTION tally.refuse_change();
