#include "engine/guarded_state.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

#include <tally/fake/service.h>

#include <gtest/gtest.h>

#include "tables/catalog.h"

namespace tally::fake::detail {

namespace {

// Nothing that a reading leads to can be changed.
using Read = decltype(*std::declval<GuardedState::Reading>());
static_assert(std::is_same_v<Read, const ServiceState&>);
static_assert(std::is_same_v<decltype(std::declval<Read>().accounts.stateOf("")), const AccountState&>);
static_assert(std::is_same_v<decltype(*std::declval<Read>().accounts.at(0)), const AccountState&>);
static_assert(
    std::is_same_v<decltype(*(*std::declval<Read>().accounts.all().begin()).second), const AccountState&>);
static_assert(std::is_same_v<decltype(std::declval<Read>().accounts.ownerOf("").mode()), const ModeState&>);
static_assert(
    std::is_same_v<decltype(std::declval<Read>().accounts.ownerOf("").payerMode()), const ModeState&>);
static_assert(
    std::is_same_v<decltype(std::declval<Read>().accounts.ownerOf("").collection(0)), const Collection&>);

class GuardedStateTest : public testing::Test {
 protected:
  static std::shared_ptr<ServiceState> make() {
    return std::make_shared<ServiceState>(ServiceOptions{}, Description{});
  }

  ChangeSignal changes{};
  GuardedState state{make(), changes};
};

TEST_F(GuardedStateTest, SignalsAChangeOnceItHasEnded) {
  {
    const GuardedState::Change change = state.change();
    change->log.clear();
    EXPECT_EQ(changes.count(), 0U);
  }
  EXPECT_EQ(changes.count(), 1U);
  (void)state.read()->log.size();
  EXPECT_EQ(changes.count(), 1U);
}

TEST_F(GuardedStateTest, SignalsAChangeWithoutHoldingTheLock) {
  std::size_t read = 5;
  const auto listening = changes.onChange([&] { read = state.read()->log.size(); });
  state.change()->log.clear();
  EXPECT_EQ(read, 0U);
}

TEST_F(GuardedStateTest, SignalsAChangeEvenIfItThrows) {
  EXPECT_THROW(state.change()->accounts.stateOf("acct_none").settings.clear(), std::invalid_argument);
  EXPECT_EQ(changes.count(), 1U);
  EXPECT_THROW(state.change().withoutLock([] { throw std::logic_error{"x"}; }), std::logic_error);
  EXPECT_EQ(changes.count(), 2U);
  (void)state.read()->log.size();
}

TEST_F(GuardedStateTest, AllowsReplacingTheStateDuringAChange) {
  std::shared_ptr<ServiceState> other = make();
  const ServiceState* const replaced = other.get();
  {
    GuardedState::Change change = state.change();
    const std::shared_ptr<ServiceState> kept = change.shared();
    change.withoutLock([&] { state.change().replace(other); });
    EXPECT_EQ(&*change, replaced);
    EXPECT_EQ(other, kept);
  }
  EXPECT_EQ(&*state.read(), replaced);
}

TEST_F(GuardedStateTest, WakesOnlyWaitingRequests) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::stop_source waits;
  std::stop_source hasEnded;
  state.change().beginWait(first, waits);
  state.change().beginWait(second, hasEnded);
  state.change().endWait(second);
  state.change().wakeAll();
  EXPECT_TRUE(waits.stop_requested());
  EXPECT_FALSE(hasEnded.stop_requested());
}

TEST_F(GuardedStateTest, WakesRequestsInTheOrderInWhichTheyBeganToWait) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::stop_source former;
  std::stop_source latter;
  std::string order;
  const std::stop_callback noteFormer{former.get_token(), [&order] { order += "former "; }};
  const std::stop_callback noteLatter{latter.get_token(), [&order] { order += "latter "; }};
  state.change().beginWait(first, std::stop_source{});
  state.change().beginWait(second, latter);
  state.change().endWait(first);
  state.change().beginWait(first, former);
  state.change().wakeAll();
  EXPECT_EQ(order, "former latter ");
}

}  // namespace

}  // namespace tally::fake::detail
