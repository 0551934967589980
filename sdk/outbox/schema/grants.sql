-- Last: what everybody may call. The functions and views check rights for themselves.
REVOKE ALL ON ALL TABLES IN SCHEMA tally FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA tally FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tally FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tally.enqueue, tally.enqueue_all, tally.retry, tally.cancel, tally.release, tally.pause,
  tally.resume, tally.limit_waiting, tally.erase, tally.remove_decided, tally.may TO PUBLIC;
-- For workers. Those without a check of rights need the session of a domain, or name a worker that no one else knows.
GRANT EXECUTE ON FUNCTION tally.lack_of_durability, tally.enroll, tally.beat, tally.declare_dead, tally.depart, tally.claim,
  tally.give_up, tally.renew, tally.miss_commits, tally.renumber_restored, tally.settled_of, tally.poll, tally.describe, tally.write,
  tally.write_late, tally.carry_out_all, tally.settle, tally.answer, tally.pause_own, tally.maintain TO PUBLIC;
GRANT SELECT ON tally.reports, tally.failed, tally.failed_by_reason, tally.blocked, tally.requests, tally.domains,
  tally.workers, tally.late_findings, tally.audited TO PUBLIC;
