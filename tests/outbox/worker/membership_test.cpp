#include "worker/membership.h"

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tally/fake/virtual_clock.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/memory_store.h"

namespace tally::test {
namespace {

using namespace std::chrono_literals;
using detail::MemoryFault;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

constexpr std::chrono::milliseconds leaseOfMembers = 10s;

/// A worker with a clock of its own.
class Member {
 public:
  Member(detail::OutboxStore& store, std::vector<std::string> domains)
      : self(store.enroll({.host = "host", .domains = domains, .lease = leaseOfMembers})),
        membership(*self, lease, leaseOfMembers, std::move(domains)) {}

  detail::Membership::Plan beat() { return membership.beat(); }
  /// Claims what it plans to.
  std::vector<std::string> follow(const detail::Membership::Plan& plan) {
    for (const std::string& domain : plan.claims)
      if (auto claimed = self->claim(domain)) owned.push_back(domain);
    return plan.claims;
  }

  Instant now = Instant{1'000s};
  detail::Lease lease{[this] { return now; }};
  std::unique_ptr<detail::WorkerStore> self;
  detail::Membership membership;
  std::vector<std::string> owned{};
};

class MembershipTest : public testing::Test {
 protected:
  std::unique_ptr<Member> member(std::vector<std::string> domains = {"shop"}) {
    return std::make_unique<Member>(store_, std::move(domains));
  }

  std::string failing_;
  std::shared_ptr<fake::VirtualClock> clock_ = std::make_shared<fake::VirtualClock>(Instant{});
  std::shared_ptr<detail::MemoryDatabase> database_ =
      std::make_shared<detail::MemoryDatabase>(clock_, [this](const detail::MemoryOperation& operation) {
        return operation.name == failing_ ? MemoryFault::unavailable : MemoryFault::none;
      });
  detail::MemoryStore store_{database_};
};

TEST_F(MembershipTest, ExtendsTheLeaseFromTheSendTimeOfAHeartbeat) {
  const auto me = member();
  EXPECT_FALSE(me->lease.covers(0s));
  (void)me->beat();
  EXPECT_TRUE(me->lease.covers(10s));
  EXPECT_FALSE(me->lease.covers(10s + 1ns));
  EXPECT_EQ(me->membership.due(), me->now + 2s);
}

TEST_F(MembershipTest, DoesNotExtendTheLeaseIfAHeartbeatIsNotAnswered) {
  const auto me = member();
  (void)me->beat();
  me->now += 4s;
  failing_ = "beat";
  EXPECT_THROW((void)me->beat(), OutboxError);
  EXPECT_TRUE(me->lease.covers(6s));
  EXPECT_FALSE(me->lease.covers(7s));
  EXPECT_EQ(me->membership.due(), me->now + 2s);
}

TEST_F(MembershipTest, EndsTheLeaseWhenFenced) {
  const auto me = member();
  (void)me->beat();
  const auto other = member();
  ASSERT_TRUE(other->self->declareDead(other->self->beat().value().peers.at(0)));
  EXPECT_TRUE(me->beat().isFenced);
  EXPECT_FALSE(me->lease.covers(0s));
}

TEST_F(MembershipTest, DeclaresAPeerDeadAfter101PercentOfItsLease) {
  const auto me = member();
  const auto other = member();
  (void)other->beat();
  (void)me->beat();
  for (int beats = 0; beats < 5; ++beats) {
    me->now += 2s;
    EXPECT_THAT(me->beat().died, IsEmpty());
  }
  me->now += 100ms;
  EXPECT_THAT(me->beat().died, IsEmpty());
  me->now += 1ms;
  EXPECT_THAT(me->beat().died, testing::SizeIs(1));
  EXPECT_TRUE(other->beat().isFenced);
}

TEST_F(MembershipTest, ClaimsTheDomainsOfADeadWorkerImmediately) {
  const auto other = member();
  other->follow(other->beat());
  const auto me = member();
  for (int beats = 0; beats < 5; ++beats) {
    EXPECT_THAT(me->beat().claims, IsEmpty());
    me->now += 2s;
  }
  me->now += 200ms;
  EXPECT_THAT(me->beat().died, testing::SizeIs(1));
  EXPECT_EQ(me->membership.due(), me->now);
  EXPECT_THAT(me->beat().claims, ElementsAre("shop"));
}

TEST_F(MembershipTest, NeverDeclaresAPeerDeadWhileItsHeartbeatsArrive) {
  const auto me = member();
  const auto other = member();
  other->now += 1h;
  for (int beats = 0; beats < 20; ++beats) {
    me->now += 2s;
    other->now += 1ns;
    (void)other->beat();
    EXPECT_THAT(me->beat().died, IsEmpty());
  }
}

TEST_F(MembershipTest, DeclaresNoPeerDeadAfterAGapInItsOwnHeartbeats) {
  const auto me = member();
  const auto other = member();
  (void)other->beat();
  (void)me->beat();
  failing_ = "beat";
  for (int beats = 0; beats < 8; ++beats) {
    me->now += 2s;
    EXPECT_THROW((void)me->beat(), OutboxError);
  }
  failing_.clear();
  EXPECT_THAT(me->beat().died, IsEmpty());
  EXPECT_FALSE(other->beat().isFenced);
}

TEST_F(MembershipTest, DividesUnownedDomainsAmongTheWorkers) {
  const std::vector<std::string> domains{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  const std::vector<std::unique_ptr<Member>> members = [&] {
    std::vector<std::unique_ptr<Member>> made;
    for (int one = 0; one < 3; ++one)
      made.push_back(member(domains));
    return made;
  }();
  std::vector<std::string> claimed;
  for (const auto& one : members) {
    const auto plan = one->beat();
    EXPECT_THAT(plan.claims, testing::Not(IsEmpty()));
    claimed.insert(claimed.end(), plan.claims.begin(), plan.claims.end());
  }
  EXPECT_THAT(claimed, UnorderedElementsAreArray(domains));
}

TEST_F(MembershipTest, ClaimsADomainAfterHalfALeaseIfThePreferredOwnerDoesNot) {
  const auto first = member();
  const auto second = member();
  auto& later = first->beat().claims.empty() ? *first : *second;
  ASSERT_THAT(later.beat().claims, IsEmpty());
  for (int beats = 0; beats < 2; ++beats) {
    later.now += 2s;
    EXPECT_THAT(later.beat().claims, IsEmpty());
  }
  later.now += 1s;
  EXPECT_THAT(later.beat().claims, ElementsAre("shop"));
}

TEST_F(MembershipTest, ReleasesAtMostOneDomainPerLeaseToItsPreferredOwner) {
  const std::vector<std::string> domains{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  const auto me = member(domains);
  me->follow(me->beat());
  ASSERT_EQ(me->owned.size(), domains.size());
  EXPECT_EQ(me->beat().release, std::nullopt);
  const auto other = member(domains);
  const auto released = me->beat().release;
  ASSERT_TRUE(released.has_value());
  me->self->giveUp(*released);
  EXPECT_THAT(other->beat().claims, ElementsAre(*released));
  other->follow(other->beat());
  me->now += 3s;
  EXPECT_EQ(me->beat().release, std::nullopt);
  for (int beats = 0; beats < 3; ++beats) {
    me->now += 3s;
    (void)other->beat();
  }
  EXPECT_TRUE(me->beat().release.has_value());
}

TEST(LeaseTest, CoversNothingBeforeItsStartOrAfterItsEnd) {
  Instant now{100s};
  detail::Lease lease{[&] { return now; }};
  EXPECT_FALSE(lease.covers(0s));
  lease.extend(now + 5s);
  EXPECT_TRUE(lease.covers(5s));
  lease.extend(now + 3s);  // a reply that comes late
  EXPECT_TRUE(lease.covers(5s));
  now += 1s;
  EXPECT_FALSE(lease.covers(5s));
  lease.end();
  EXPECT_FALSE(lease.covers(0s));
}

}  // namespace
}  // namespace tally::test
