-- What people ask for, and what they set. Each is recorded in tally.audit.

-- The domain of a report on which the role may operate, or raises.
CREATE OR REPLACE FUNCTION tally.domain_of(report bigint) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  found_domain text;
BEGIN
  SELECT r.domain INTO found_domain FROM tally.report r WHERE r.id = domain_of.report;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'tally: there is no report %', report USING ERRCODE = 'no_data_found';
  END IF;
  PERFORM tally.require('operate', found_domain);
  RETURN found_domain;
END
$$;

-- Records a request about a report in one of these states. The owner of the domain carries it out. Returns its number.
CREATE OR REPLACE FUNCTION tally.ask(action text, report bigint, states text[], note text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  in_domain constant text := tally.domain_of(report);
  is_in text;
  number bigint;
BEGIN
  SELECT s.state INTO is_in FROM tally.report_state s WHERE s.report = ask.report;
  IF is_in <> ALL (states) THEN
    RAISE EXCEPTION 'tally.%: report % is %', action, report, is_in
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('It must be one of: %s', array_to_string(states, ', '));
  END IF;
  INSERT INTO tally.request (domain, report, action) VALUES (in_domain, ask.report, ask.action)
    RETURNING id INTO number;
  PERFORM tally.note(action, in_domain, report, note);
  PERFORM pg_notify('tally', in_domain) FROM tally.schema WHERE notifies;
  RETURN number;
END
$$;

-- Sends a report again that was refused, or whose outcome is unknown. An unknown one is read and resolved first. It goes
-- behind the other reports on its object.
CREATE OR REPLACE FUNCTION tally.retry(report bigint, note text DEFAULT '') RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT tally.ask('retry', report, '{refused,unknown}', note)
$$;

-- Cancels a report that has not been sent, once the reports before it on its object are decided.
CREATE OR REPLACE FUNCTION tally.cancel(report bigint, note text DEFAULT '') RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT tally.ask('cancel', report, '{waiting,parked}', note)
$$;

-- Lets the owner send a report that it has parked, or one whose time has not come.
CREATE OR REPLACE FUNCTION tally.release(report bigint, note text DEFAULT '') RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT tally.ask('release', report, '{waiting,parked}', note)
$$;

CREATE OR REPLACE FUNCTION tally.require_domain(domain text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally.require('operate', domain);
  PERFORM FROM tally.domain d WHERE d.domain = require_domain.domain;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'tally: there is no domain ''%''', domain USING ERRCODE = 'no_data_found';
  END IF;
END
$$;

-- Sends nothing more in the domain until resume(). What is in flight is decided.
CREATE OR REPLACE FUNCTION tally.pause(domain text, reason text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM tally.require_domain(domain);
  reason := coalesce(nullif(reason, ''), 'no reason given');
  UPDATE tally.domain d SET paused = pause.reason WHERE d.domain = pause.domain;
  PERFORM tally.note('pause', domain, NULL, reason);
  PERFORM pg_notify('tally', domain) FROM tally.schema WHERE notifies;
END
$$;

CREATE OR REPLACE FUNCTION tally.resume(domain text, note text DEFAULT '') RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM tally.require_domain(domain);
  UPDATE tally.domain d SET paused = NULL WHERE d.domain = resume.domain;
  PERFORM tally.note('resume', domain, NULL, note);
  PERFORM pg_notify('tally', domain) FROM tally.schema WHERE notifies;
END
$$;

-- Refuses enqueuing while about this many reports wait; NULL: never.
CREATE OR REPLACE FUNCTION tally.limit_waiting(domain text, max_waiting bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM tally.require_domain(domain);
  UPDATE tally.domain d SET max_waiting = limit_waiting.max_waiting WHERE d.domain = limit_waiting.domain;
  PERFORM tally.note('limit_waiting', domain, NULL, coalesce(max_waiting::text, 'no limit'));
END
$$;
