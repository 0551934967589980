-- Rights are granted to roles for domains. Functions that anybody may call run with the rights of the schema's owner and ask
-- role_may(). The role that counts is the one that logged in: SET ROLE belongs to a session, and a pooler shares sessions.
-- Functions for internal use have no search_path of their own, which would take longer than most of them.

CREATE OR REPLACE FUNCTION tally.role_may(privilege text, domain text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF pg_has_role(session_user, current_user, 'USAGE') THEN -- without a query
    RETURN true;
  END IF;
  RETURN EXISTS (SELECT FROM tally.privilege p
                  WHERE p.may = role_may.privilege AND p.domain IN (role_may.domain, '*')
                    AND pg_has_role(session_user, to_regrole(quote_ident(p.role_name)), 'USAGE'));
END
$$;

-- Whether the role that is logged in may `enqueue`, `read`, `operate` or `work` in the domain.
CREATE OR REPLACE FUNCTION tally.may(privilege text, domain text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$ SELECT tally.role_may(privilege, domain) $$;

CREATE OR REPLACE FUNCTION tally.require(privilege text, domain text) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT tally.role_may(privilege, domain) THEN
    RAISE EXCEPTION 'tally: the role % may not % in the domain ''%''', session_user, privilege, domain
      USING ERRCODE = 'insufficient_privilege',
            HINT = format('The owner of the schema can grant it: SELECT tally.allow(%L, %L, %L)',
                          session_user, privilege, domain);
  END IF;
END
$$;

-- Grants a role `enqueue`, `read`, `operate` or `work` in a domain; by default in every domain. For the schema's owner.
CREATE OR REPLACE FUNCTION tally.allow(role_name name, privilege text, domain text DEFAULT '*') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA tally TO %I', role_name);
  INSERT INTO tally.privilege VALUES (allow.role_name, allow.privilege, allow.domain) ON CONFLICT DO NOTHING;
  PERFORM tally.note('allow', allow.domain, NULL, format('%s: %s', allow.role_name, allow.privilege));
END
$$;

CREATE OR REPLACE FUNCTION tally.disallow(role_name name, privilege text, domain text DEFAULT '*') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM tally.privilege p
   WHERE p.role_name = disallow.role_name AND p.may = disallow.privilege AND p.domain = disallow.domain;
  PERFORM tally.note('disallow', disallow.domain, NULL, format('%s: %s', disallow.role_name, disallow.privilege));
END
$$;

CREATE OR REPLACE FUNCTION tally.note(action text, domain text, report bigint, note text) RETURNS void
LANGUAGE sql AS $$ INSERT INTO tally.audit (action, domain, report, note) VALUES (action, domain, report, note) $$;
