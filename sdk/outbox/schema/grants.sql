-- Last: what everybody may call. The functions and views check rights for themselves.
REVOKE ALL ON ALL TABLES IN SCHEMA tally FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA tally FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tally FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tally.enqueue, tally.enqueue_all, tally.retry, tally.cancel, tally.release, tally.pause,
  tally.resume, tally.limit_waiting, tally.erase, tally.remove_decided, tally.may TO PUBLIC;
GRANT SELECT ON tally.reports, tally.failed, tally.failed_by_reason, tally.blocked, tally.domains, tally.workers,
  tally.audited TO PUBLIC;
