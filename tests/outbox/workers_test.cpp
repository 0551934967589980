#include <algorithm>
#include <string>
#include <vector>

#include "store_contract.h"

namespace tally::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

detail::Heartbeat beatOf(detail::WorkerStore& worker) {
  return worker.beat().value();
}

TEST_P(Workers, FindTheirOwnDomainsInAHeartbeat) {
  const auto heartbeat = beatOf(*worker_);
  EXPECT_THAT(heartbeat.owned, ElementsAre("shop"));
  EXPECT_THAT(heartbeat.unowned, IsEmpty());
  EXPECT_THAT(heartbeat.peers, IsEmpty());
  EXPECT_NE(worker_->incarnation(), "");
  EXPECT_EQ(worker_->claim("shop"), nullptr);  // it has an owner
}

TEST_P(Workers, FindUnownedDomainsInAHeartbeat) {
  worker_->giveUp("shop");
  const auto heartbeat = beatOf(*worker_);
  EXPECT_THAT(heartbeat.owned, IsEmpty());
  EXPECT_THAT(heartbeat.unowned, ElementsAre("shop"));
}

TEST_P(Workers, CanReclaimADomainThatTheyGaveUp) {
  const auto head = enqueue("pr_1");
  EXPECT_THAT(read(), ElementsAre(head));
  const auto old = std::move(domain_);
  worker_->giveUp("shop");
  domain_ = worker_->claim("shop");
  ASSERT_NE(domain_, nullptr);
  EXPECT_THAT(read(), ElementsAre(head));
  EXPECT_THROW((void)old->write({}), detail::SessionOver);
}

TEST_P(Workers, CanUseADomainAfterTheWorkerStoreIsDestroyed) {
  const auto head = enqueue("pr_1");
  worker_.reset();
  EXPECT_THAT(read(), ElementsAre(head));
  EXPECT_THAT(decide(head, "pr_1"), IsEmpty());
}

TEST_P(ManyWorkers, SeeEachOtherInHeartbeats) {
  (void)beatOf(*other_);
  const auto mine = beatOf(*worker_);
  ASSERT_EQ(mine.peers.size(), 1U);
  EXPECT_EQ(mine.peers[0].incarnation, other_->incarnation());
  EXPECT_EQ(mine.peers[0].lease, std::chrono::seconds{30});
  EXPECT_THAT(mine.peers[0].domains, ElementsAre("shop"));
  (void)beatOf(*other_);
  EXPECT_EQ(beatOf(*worker_).peers[0].beat, mine.peers[0].beat + 1);
  EXPECT_NE(worker_->incarnation(), other_->incarnation());
  EXPECT_THAT(beatOf(*other_).owned, IsEmpty());
  EXPECT_THAT(beatOf(*other_).unowned, IsEmpty());
}

TEST_P(ManyWorkers, CannotClaimAnOwnedDomain) {
  EXPECT_EQ(other_->claim("shop"), nullptr);
  EXPECT_EQ(other_->claim("another"), nullptr);
  other_->giveUp("shop");  // which is not its own
  EXPECT_EQ(other_->claim("shop"), nullptr);
  worker_->giveUp("shop");
  EXPECT_NE(other_->claim("shop"), nullptr);
}

TEST_P(ManyWorkers, CanClaimTheDomainOfADepartedWorker) {
  worker_->depart();
  EXPECT_THAT(beatOf(*other_).peers, IsEmpty());
  EXPECT_THAT(beatOf(*other_).unowned, ElementsAre("shop"));
  EXPECT_NE(other_->claim("shop"), nullptr);
  EXPECT_EQ(worker_->beat(), std::nullopt);
}

TEST_P(ManyWorkers, CanDeclareOnlyASilentWorkerDead) {
  const auto seen = beatOf(*other_).peers.at(0);
  (void)beatOf(*worker_);
  EXPECT_FALSE(other_->declareDead(seen));
  EXPECT_TRUE(worker_->beat().has_value());
  EXPECT_TRUE(other_->declareDead(beatOf(*other_).peers.at(0)));
  EXPECT_FALSE(other_->declareDead(seen));
  EXPECT_EQ(worker_->beat(), std::nullopt);
  EXPECT_EQ(worker_->claim("shop"), nullptr);
  EXPECT_NE(other_->claim("shop"), nullptr);
}

TEST_P(ManyWorkers, CannotUseADomainOnceDeclaredDead) {
  const auto head = enqueue("pr_1");
  const auto dead = std::move(domain_);
  const std::vector requests{store().ask("cancel", head, {})};
  for (const bool hasSuccessor : {false, true}) {
    if (hasSuccessor) {
      domain_ = other_->claim("shop");
    } else {
      ASSERT_TRUE(other_->declareDead(beatOf(*other_).peers.at(0)));
    }
    EXPECT_THROW((void)dead->read(1, 1), detail::SessionOver);
    EXPECT_THROW((void)dead->write({.intents = {{.report = head}}}), detail::SessionOver);
    EXPECT_THROW((void)dead->carryOut(requests), detail::SessionOver);
    EXPECT_THROW(dead->answer(requests[0], "done"), detail::SessionOver);
    EXPECT_THROW(dead->pause("audit"), detail::SessionOver);
    EXPECT_THROW(dead->maintain(), detail::SessionOver);
  }
  const auto news = domain_->read(10, 10);
  ASSERT_EQ(news.heads.size(), 1U);
  EXPECT_FALSE(news.heads[0].mayHaveBeenSent);
  EXPECT_EQ(news.paused, std::nullopt);
  EXPECT_EQ(tested_->answerTo(requests[0]), "");
}

TEST_P(ManyWorkers, FindReportsThatTheLastOwnerMayHaveSent) {
  const auto head = enqueue("pr_1");
  (void)read();
  intend(head, R"({"id":"pr_1"})");
  takeOver();
  const auto found = readOne();
  EXPECT_EQ(found.id, head);
  EXPECT_TRUE(found.mayHaveBeenSent);
  EXPECT_THAT(found.before, testing::HasSubstr("pr_1"));
}

TEST_P(ManyWorkers, CountTheDeathsOfWorkersThatMayHaveSentAHead) {
  const auto head = enqueue("pr_1");
  for (std::uint32_t deaths = 0; deaths < 3; ++deaths) {
    EXPECT_EQ(readOne().deaths, deaths);
    intend(head);
    takeOver();
  }
  (void)domain_->write({.parkings = {{.report = head, .reason = "three workers died"}}});
  EXPECT_THAT(read(), IsEmpty());
  EXPECT_EQ(carriedOut("release", head), "released");
  EXPECT_EQ(readOne().deaths, 0U);
}

TEST_P(ManyWorkers, CanWriteOnlyLateFindingsOnceFenced) {
  const auto report = enqueue("pr_1");
  const auto fenced = std::move(domain_);
  takeOver();
  EXPECT_THROW((void)fenced->write({}), detail::SessionOver);
  fenced->writeLate(std::vector{detail::LateFinding{.report = report, .finding = "applied"}});
  EXPECT_THAT(tested_->lateFindings(), ElementsAre(std::to_string(report) + ": applied"));
}

}  // namespace
}  // namespace tally::test
