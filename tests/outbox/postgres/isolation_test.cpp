// Statements of two sessions in every order, for the races on which the outbox rests.

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outbox/postgres/interleaving.h"

namespace tally::test {
namespace {

using testing::IsEmpty;
using Outcome = Race::Outcome;

std::string unless(bool isFine, const std::string& fault) {
  return isFine ? std::string{} : fault;
}

// ---- What sessions execute

const std::string begin = "BEGIN";
const std::string commit = "COMMIT";
const std::string rollBack = "ROLLBACK";

std::string report(const std::string& object, const std::string& outcome = "failed") {
  return R"('{"id":")" + object + R"(","outcome":")" + outcome + R"(","time":1767225600}')";
}
std::string enqueued(const std::string& key, const std::string& object = "pr_1",
                     const std::string& outcome = "failed") {
  return "SELECT tally.enqueue('{d}', " + report(object, outcome) + ", '" + key + "')";
}
std::string enqueuedAll(const std::vector<std::pair<std::string, std::string>>& keysAndObjects) {
  std::string reports;
  std::string keys;
  for (const auto& [key, object] : keysAndObjects) {
    reports += (reports.empty() ? "" : ", ") + report(object);
    keys += (keys.empty() ? "'" : ", '") + key + "'";
  }
  return "SELECT (tally.enqueue_all('{d}', ARRAY[" + reports + "]::jsonb[], ARRAY[" + keys + "]))[1]";
}

/// The first owner's session, whatever became of it.
const std::string itsSession = "(SELECT session FROM held WHERE domain = '{d}')";
const std::string newSession = "(SELECT session FROM tally.domain WHERE domain = '{d}')";
std::string worker(int number) {
  return "md5('{d}" + std::to_string(number) + "')::uuid";
}
std::string numberOf(const std::string& key) {
  return "(SELECT report FROM tally.report_key WHERE domain = '{d}' AND key_hash = sha256('" + key + "'))";
}

const std::string retried = "SELECT tally.retry(" + numberOf("first") + ")";
const std::string erased = "SELECT tally.erase('{d}', 'pr_1')";
const std::string beginRepeatableRead = "BEGIN ISOLATION LEVEL REPEATABLE READ";
const std::string snapshotTaken = "SELECT 1";

std::string enrolled(int number) {
  return "SELECT tally.enroll(" + worker(number) + ", '15 s', 'host', " + std::to_string(number) +
         ", 1, '{{d}}')";
}
std::string claimed(int number) {
  return "SELECT tally.claim('{d}', " + worker(number) + ") IS NOT NULL";
}
std::string declaredDead(int number) {
  return "SELECT tally.declare_dead(" + worker(number) + ", 0)";
}
std::string intended(const std::string& session, const std::string& key = "first") {
  return "SELECT 'written' FROM tally.write('{d}', " + session + ", ARRAY[" + numberOf(key) +
         "], '{null}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')";
}
std::string decided(const std::string& session, const std::string& outcome,
                    const std::string& key = "first") {
  return "SELECT 'written' FROM tally.write('{d}', " + session + ", '{}', '{}', ARRAY[" + numberOf(key) +
         "], '{pr_1}', '{" + outcome + "}', '{why}', '{}', '{}', '{}', '{}')";
}
const std::string retention = "SELECT tally.remove_decided('{d}', interval '0')";
std::string carriedOut(const std::string& session) {
  return "SELECT 'carried out' FROM tally.carry_out_all('{d}', " + session +
         ", array(SELECT id FROM tally.request WHERE domain = '{d}' AND answer IS NULL))";
}
std::string mayHaveBeenSent(const std::string& session) {
  return "SELECT may_have_been_sent FROM tally.describe('{d}', " + session + ", ARRAY[" + numberOf("first") +
         "])";
}

/// Worker 1 owns the domain, with a report on `pr_1`; worker 2 stands by.
std::vector<std::string> ownedDomain(std::vector<std::string> more = {}) {
  std::vector<std::string> all{
      enqueued("first"), enrolled(1), enrolled(2), claimed(1),
      "INSERT INTO held SELECT domain, session FROM tally.domain WHERE domain = '{d}'"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// ---- What has to be true

/// Each report names the one before it on its object. What the first one names has been removed.
std::string brokenChain(const Outcome& outcome) {
  return unless(
      outcome.value("SELECT count(*) FROM (SELECT prev, lag(id) OVER (PARTITION BY object ORDER BY id) "
                    "AS last FROM tally.report "
                    "WHERE domain = '{d}') r WHERE prev <> last") == "0",
      "the chain is broken");
}

std::string wrongCount(const Outcome& outcome, int count) {
  return unless(
      outcome.value("SELECT count(*) FROM tally.report WHERE domain = '{d}'") == std::to_string(count),
      "there are not " + std::to_string(count) + " reports");
}

/// The intent was written and the new owner has not seen it.
std::string missedIntent(const Outcome& outcome) {
  const bool isWritten = outcome.a.at(1) == "written";
  return unless(!isWritten || outcome.b.back() == "t", "the new owner has not seen an intent") +
         unless(isWritten == (outcome.value("SELECT count(*) FROM tally.intent WHERE report = " +
                                            numberOf("first")) == "1"),
                "an intent of a dead worker was written");
}

/// What a retry needs has been removed.
std::string orphanedRetry(const Outcome& outcome) {
  return unless(
      outcome.value("SELECT count(*) FROM tally.report r WHERE r.domain = '{d}' AND r.retry_of IS NOT "
                    "NULL AND NOT EXISTS (SELECT FROM tally.intent i WHERE i.report = r.retry_of)") == "0",
      "the report that is retried has been removed");
}

std::string waited(const Outcome& outcome) {
  return unless(!outcome.hasAWaited && !outcome.hasBWaited, "one session has waited for the other one");
}

std::string canceledAndSent(const Outcome& outcome) {
  return unless(outcome.value("SELECT count(*) FROM tally.outcome o JOIN tally.intent i USING (report) WHERE "
                              "o.domain = '{d}' AND o.outcome = 'canceled'") == "0",
                "a canceled report may have been sent");
}

/// An enqueue, and what removes the decided report before it. `count`: of reports, if that one stays.
Race removalRace(std::string name, std::string enqueue, std::string removal, int count) {
  return {std::move(name),
          ownedDomain({decided(itsSession, "applied")}),
          {begin, std::move(enqueue), commit},
          {begin, std::move(removal), commit, enqueued("b")},
          [count](const Outcome& outcome) {
            const bool isRemoved = outcome.b.at(1) == "1";
            return brokenChain(outcome) + wrongCount(outcome, isRemoved ? count - 1 : count);
          }};
}

/// The retry of an unknown report, and what removes that one.
Race retryRace(std::string name, std::vector<std::string> removal) {
  return {std::move(name),
          ownedDomain({intended(itsSession), decided(itsSession, "unknown"), retried}),
          {begin, carriedOut(itsSession), commit},
          std::move(removal),
          orphanedRetry};
}

/// The same if another report is the last one on the object.
Race behindRetryRace(std::string name, std::vector<std::string> removal) {
  Race race = retryRace(std::move(name), std::move(removal));
  race.before.insert(race.before.end() - 1, {enqueued("second"), decided(itsSession, "refused", "second")});
  return race;
}

/// An intent of an owner, and what ends the ownership.
Race handoverRace(std::string name, std::string end) {
  return {std::move(name),
          ownedDomain(),
          {begin, intended(itsSession), commit},
          {std::move(end), claimed(2), mayHaveBeenSent(newSession)},
          missedIntent};
}

std::vector<Race> races() {
  const auto both = [](int count) {
    return [count](const Outcome& outcome) { return brokenChain(outcome) + wrongCount(outcome, count); };
  };
  const std::vector<std::string> tail{enqueued("first")};
  return {
      // Two enqueues on one object.
      {"EnqueuesOnAnEmptyObject",
       {},
       {begin, enqueued("a"), commit},
       {begin, enqueued("b"), commit},
       both(2)},
      {"EnqueuesBehindAReport",
       tail,
       {begin, enqueued("a"), commit},
       {begin, enqueued("b"), commit},
       both(3)},
      {"EnqueueAndOneThatIsRolledBack",
       tail,
       {begin, enqueued("a"), rollBack},
       {begin, enqueued("b"), commit},
       both(2)},
      {"EnqueuesOfTwoReports",
       tail,
       {begin, enqueued("a1"), enqueued("a2"), commit},
       {begin, enqueued("b1"), enqueued("b2"), commit},
       both(5)},
      {"EnqueueAndArray",
       tail,
       {begin, enqueued("a"), commit},
       {begin, enqueuedAll({{"b1", "pr_1"}, {"b2", "pr_2"}}), commit},
       both(4)},
      {"ArraysOfOppositeOrder",
       tail,
       {begin, enqueuedAll({{"a1", "pr_1"}, {"a2", "pr_2"}}), commit},
       {begin, enqueuedAll({{"b2", "pr_2"}, {"b1", "pr_1"}}), commit},
       both(5)},
      {"EnqueuesWithOneKey",
       tail,
       {begin, enqueued("same"), commit},
       {begin, enqueued("same"), commit},
       [](const Outcome& outcome) {
         return brokenChain(outcome) + wrongCount(outcome, 2) +
                unless(outcome.a.at(1) == outcome.b.at(1), "one key has two reports");
       }},
      {"EnqueuesWithOneKeyForTwoReports",
       tail,
       {begin, enqueued("same"), commit},
       {begin, enqueued("same", "pr_1", "canceled"), commit},
       [](const Outcome& outcome) {
         return wrongCount(outcome, 2) + unless((outcome.a.at(1) == "23505") != (outcome.b.at(1) == "23505"),
                                                "not one of the reports is refused");
       }},
      {"EnqueuesUnderRepeatableRead",
       tail,
       {beginRepeatableRead, snapshotTaken, enqueued("a"), commit},
       {begin, enqueued("b"), commit},
       [](const Outcome& outcome) {
         return brokenChain(outcome) + wrongCount(outcome, outcome.a.at(2) == "40001" ? 2 : 3);
       }},
      // An enqueue, and what removes the last report on its object.
      removalRace("EnqueueAndRetention", enqueued("a"), retention, 3),
      removalRace("ArrayAndRetention", enqueuedAll({{"a1", "pr_1"}, {"a2", "pr_1"}}), retention, 4),
      removalRace("EnqueueAndErase", enqueued("a"), erased, 3),
      retryRace("RetryAndErase", {begin, erased, commit}),
      retryRace("RetryAndEraseUnderRepeatableRead", {beginRepeatableRead, snapshotTaken, erased, commit}),
      behindRetryRace("RetryBehindAnotherReportAndErase", {begin, erased, commit}),
      behindRetryRace("RetryBehindAnotherReportAndRetention", {begin, retention, commit}),
      behindRetryRace("RetryAndRetentionUnderRepeatableRead",
                      {beginRepeatableRead, snapshotTaken, retention, commit}),
      {"EraseDuringEnqueue",
       ownedDomain({decided(itsSession, "applied")}),
       {begin, enqueued("a"), commit},
       {begin, erased, commit},
       [](const Outcome& outcome) {
         return unless(!outcome.hasBWaited || outcome.b.at(1) == "55000",
                       "an object with an undecided report was erased");
       }},
      // A takeover, and what the fenced worker had sent.
      handoverRace("TakeoverAndIntent", declaredDead(1)),
      handoverRace("DepartureAndIntent", "SELECT tally.depart(" + worker(1) + ")"),
      handoverRace("SurrenderAndIntent", "SELECT tally.give_up('{d}', " + worker(1) + ")"),
      handoverRace("RemovalOfTheOwnerByHandAndIntent",
                   "UPDATE tally.domain SET owner = NULL, session = NULL WHERE domain = '{d}'"),
      {"TakeoverAndOutcome",
       ownedDomain({intended(itsSession)}),
       {begin, decided(itsSession, "applied"), commit},
       {declaredDead(1), claimed(2), decided(newSession, "refused")},
       [](const Outcome& outcome) {
         return unless((outcome.a.at(1) == "written") != (outcome.b.back() == "written"),
                       "not one outcome is final");
       }},
      {"TwoClaims",
       ownedDomain({declaredDead(1), enrolled(3)}),
       {begin, claimed(2), commit},
       {begin, claimed(3), commit},
       [](const Outcome& outcome) {
         return unless((outcome.a.at(1) == "t") != (outcome.b.at(1) == "t"),
                       "not one worker owns the domain");
       }},
      // A heartbeat, and the deletion of the worker.
      {"HeartbeatAndDeath",
       ownedDomain(),
       {begin, "SELECT tally.beat(" + worker(1) + ") IS NOT NULL", commit},
       {begin, declaredDead(1), commit},
       [](const Outcome& outcome) {
         return unless((outcome.a.at(1) == "t") != (outcome.b.at(1) == "t"), "the worker is dead and alive");
       }},
      {"TwoDeaths",
       ownedDomain(),
       {begin, declaredDead(1), commit},
       {begin, declaredDead(1), commit},
       [](const Outcome& outcome) {
         return unless((outcome.a.at(1) == "t") != (outcome.b.at(1) == "t"), "the worker died twice");
       }},
      {"DeathAndClaim",
       ownedDomain({declaredDead(1)}),
       {begin, claimed(2), commit},
       {begin, declaredDead(2), commit},
       [](const Outcome& outcome) {
         return unless(
             outcome.value(
                 "SELECT count(*) FROM tally.domain d WHERE d.domain = '{d}' AND (d.owner IS NOT "
                 "NULL) AND NOT EXISTS (SELECT FROM tally.worker w WHERE w.incarnation = d.owner)") == "0",
             "a dead worker owns the domain");
       }},
      // What people ask for, and the intent of an owner.
      {"CancelAndIntent",
       ownedDomain(),
       {begin, "SELECT tally.cancel(" + numberOf("first") + ")", commit},
       {carriedOut(itsSession),
        "SELECT 'written' FROM tally.write('{d}', " + itsSession +
            ", array(SELECT id FROM tally.describe('{d}', " + itsSession + ", ARRAY[" + numberOf("first") +
            "]) WHERE NOT is_canceled AND NOT is_recheck), '{null}', '{}', '{}', '{}', '{}', '{}', '{}', "
            "'{}', '{}')",
        carriedOut(itsSession)},
       canceledAndSent},
      {"CancelByTheNextOwnerAndIntent",
       ownedDomain({"SELECT tally.cancel(" + numberOf("first") + ")"}),
       {begin, intended(itsSession), commit},
       {declaredDead(1), claimed(2), carriedOut(newSession)},
       canceledAndSent},
      {"RetryAndEnqueue",
       ownedDomain({decided(itsSession, "refused"), retried}),
       {begin, enqueued("a"), commit},
       {carriedOut(itsSession), carriedOut(itsSession)},
       [](const Outcome& outcome) {
         const bool isCarriedOut =
             outcome.value(
                 "SELECT count(*) FROM tally.request WHERE domain = '{d}' AND answer IS NOT NULL") == "1";
         return brokenChain(outcome) + wrongCount(outcome, isCarriedOut ? 3 : 2);
       }},
      {"RetriesByTwoOwners",
       ownedDomain({decided(itsSession, "refused"), retried}),
       {begin, carriedOut(itsSession), commit},
       {declaredDead(1), claimed(2), carriedOut(newSession)},
       both(2)},
      // What must not wait.
      {"HeartbeatAndWrite",
       ownedDomain(),
       {begin, intended(itsSession), commit},
       {begin, "SELECT tally.beat(" + worker(1) + ") IS NOT NULL", commit},
       waited},
      {"EnqueueAndPoll",
       ownedDomain(),
       {begin, enqueued("a"), commit},
       {"SELECT 'polled' FROM tally.poll('{d}', " + itsSession +
            ", '{3:3:,3:3:}', '{0,0}', '{0,0}', '{10,10}', 10)",
        mayHaveBeenSent(itsSession)},
       waited},
      {"EnqueueAndOutcomeOfTheReportBefore",
       ownedDomain(),
       {begin, enqueued("a"), commit},
       {begin, decided(itsSession, "applied"), commit},
       waited},
      {"EnqueuesOnTwoObjects",
       tail,
       {begin, enqueued("a", "pr_1"), commit},
       {begin, enqueued("b", "pr_2"), commit},
       waited},
      {"RetentionAfterEnqueue",
       ownedDomain({decided(itsSession, "applied")}),
       {begin, enqueued("a"), commit},
       {retention},
       waited},
      {"WritesInTwoDomains",
       ownedDomain(
           {"SELECT tally.enqueue('other {d}', " + report("pr_1") + ", 'o')",
            "UPDATE tally.worker SET keys = keys || 'other {d}'::text WHERE incarnation = " + worker(2),
            "SELECT tally.claim('other {d}', " + worker(2) + ")"}),
       {begin, intended(itsSession), commit},
       {begin,
        "SELECT 'written' FROM tally.write('other {d}', (SELECT session FROM tally.domain WHERE domain = "
        "'other "
        "{d}'), ARRAY[(SELECT report FROM tally.report_key WHERE domain = 'other {d}')], '{null}', '{}', "
        "'{}', "
        "'{}', '{}', '{}', '{}', '{}', '{}')",
        commit},
       [](const Outcome& outcome) {
         return waited(outcome) + unless(outcome.a.at(1) == "written" && outcome.b.at(1) == "written",
                                         "an intent was not written");
       }},
      // A commit whose reply is lost, and what still runs.
      {"LostReplyAndIntent",
       ownedDomain(),
       {begin, intended(itsSession), commit},
       {"SELECT tally.renew('{d}', " + worker(1) + ", NULL) IS NOT NULL", mayHaveBeenSent(newSession)},
       missedIntent},
      {"LostReplyAndSecondRenewal",
       ownedDomain(),
       {begin, "SELECT tally.renew('{d}', " + worker(1) + ", NULL)", commit},
       {begin, "SELECT tally.renew('{d}', " + worker(1) + ", NULL)", commit},
       [](const Outcome& outcome) {
         const std::string now = outcome.value("SELECT session FROM tally.domain WHERE domain = '{d}'");
         return unless((now == outcome.a.at(1)) != (now == outcome.b.at(1)), "not one session counts");
       }},
  };
}

class Isolation : public PostgresTest, public testing::WithParamInterface<Race> {
 protected:
  static void TearDownTestSuite() { interleaving_ = nullptr; }
  void SetUp() override {
    if (interleaving_ == nullptr) {
      open(&PostgresServer::urlOfEmptyOutbox);
      if (!session_) return;
      session_->run("DROP TABLE IF EXISTS held; CREATE TABLE held (domain text PRIMARY KEY, session uuid)");
      interleaving_ = std::make_unique<Interleaving>(url());
    }
  }

  static inline std::unique_ptr<Interleaving>
      interleaving_{};  // of all races: its sessions take long to begin
};

TEST_P(Isolation, HoldsForEveryOrderOfStatements) {
  EXPECT_THAT(interleaving_->faultsOf(GetParam()), IsEmpty());
}

std::string nameOfRace(const testing::TestParamInfo<Race>& race) {
  return race.param.name;
}

INSTANTIATE_TEST_SUITE_P(Races, Isolation, testing::ValuesIn(races()), nameOfRace);

}  // namespace
}  // namespace tally::test
