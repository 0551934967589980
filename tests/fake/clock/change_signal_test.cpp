// Which calls of a service are changes, and when a listener learns of them.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/fake/change_signal.h>
#include <tally/fake/service.h>
#include <tally/payment_records.h>

#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "support/memory_growth.h"

namespace tally::test {

namespace {

using fake::ChangeSignal;
using namespace std::chrono_literals;

TEST(ChangeSignalTest, CallsListenersUntilTheyAreRemoved) {
  ChangeSignal signal;
  int first = 0;
  int second = 0;
  const auto kept = signal.onChange([&] { ++first; });
  auto ended = signal.onChange([&] { ++second; });
  signal.note();
  ended.reset();
  signal.note();
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(signal.count(), 2U);
}

TEST(ChangeSignalTest, AllowsAListenerToRemoveItself) {
  ChangeSignal signal;
  std::shared_ptr<const void> listening;
  int calls = 0;
  listening = signal.onChange([&] {
    ++calls;
    listening.reset();
  });
  signal.note();
  signal.note();
  EXPECT_EQ(calls, 1);
}

TEST(ChangeSignalTest, ReleasesTheMemoryOfRemovedListeners) {
  ChangeSignal signal;
  const MemoryGrowth memory;
  for (int i = 0; i < 100'000; ++i)
    EXPECT_NE(signal.onChange([] {}), nullptr);
  EXPECT_LT(memory.peak().value_or(0), 1'000'000);
}

class Changes : public testing::Test {
 protected:
  /// How often the listener was called during `action`.
  int heard(const std::function<void()>& action) {
    const std::uint64_t before = service.changeCount();
    calls = 0;
    action();
    EXPECT_EQ(service.changeCount() - before, static_cast<std::uint64_t>(calls));
    return calls;
  }

  fake::Service service{};
  fake::Account account = service.addAccount();
  fake::Account other = service.addAccount();
  std::string key = account.sandboxKey;
  int calls = 0;
  /// Reads the service, which would block if the listener were called with a lock.
  std::shared_ptr<const void> listening = service.onChange([this] {
    ++calls;
    (void)service.requests().list();
    (void)service.clock()->now();
  });
};

TEST_F(Changes, AreReportedOnceForEachAction) {
  const std::vector<std::function<void()>> actions{
      [&] { (void)service.handle(get(key, "/v1/payouts")); },
      [&] { (void)service.begin(get(key, "/v1/payouts")); },
      [&] { service.addAccount(); },
      [&] { (void)service.tokens().add(account, false); },
      [&] { service.insert<PaymentRecord>(key); },
      [&] { service.faults().inject({.error = "api_error"}); },
      [&] { service.durations().set("payouts.list", 1s); },
      [&] { service.limits().set({.limit = "global_rate", .value = 1}); },
      [&] { service.limits().set(account, {.limit = "global_rate", .value = 1}); },
      [&] { service.limits().reset(account, "global_rate"); },
      [&] { service.limits().reset(); },
      [&] { service.durations().reset("payouts.list"); },
      [&] { service.durations().reset(); },
      [&] { service.connections().connect(account, other); },
      [&] { (void)service.tokens().add(account, other, false); },
      [&] { service.accounts().remove(other); },
      [&] { (void)service.clientOptions(key); },
      [&] { service.faults().clear(); },
      [&] { service.faults().remove(1); },
      [&] { service.requests().clear(); },
      [&] { service.transactions().record(key); },
      [&] { service.clock()->advance(1s); },
      [&] { service.clock()->freeze(); },
      [&] { service.clock()->thaw(); },
      [&] { service.clock()->advanceTo(service.clock()->now() + 1h); },
      [&] { service.clock()->run(); },
      [&] { service.clock()->catchUp(service.clock()->now() + 1h); },
      [&] { service.snapshots().restore(service.snapshots().take()); }};
  for (std::size_t i = 0; i < actions.size(); ++i)
    EXPECT_EQ(heard(actions[i]), 1) << "action " << i;
}

TEST_F(Changes, IncludeTheEndOfAHold) {
  EXPECT_EQ(heard([&] { const fake::Hold lock = service.holds().lockObject(key, "pr_1"); }), 2);
  EXPECT_EQ(heard([&] { const fake::Hold units = service.holds().takeConcurrency(key, "payouts.list"); }), 2);
}

TEST_F(Changes, IncludeAFailedInsertion) {
  EXPECT_EQ(heard([&] { EXPECT_THROW(service.insert(key, "payout", R"({"id":5})"), std::invalid_argument); }),
            1)
      << "it has taken identifiers";
}

TEST_F(Changes, AreNotReportedForReads) {
  EXPECT_EQ(heard([&] {
              (void)service.usage().list(account);
              (void)service.usage().of(key, "global_rate");
              (void)service.usage().forecast(key);
              (void)service.accounts().get(account.id);
              (void)service.accounts().list();
              (void)service.requests().list();
              (void)service.faults().list();
              (void)service.faults().pending();
              (void)service.objects().stateOf(key, "pr_1");
              (void)service.objects().get(key, "pr_1");
              (void)service.objects().list(key);
              (void)service.requests().verify({}, fake::Count::exactly(0));
              (void)service.snapshots().take();
              (void)service.fork();
              service.clock()->sleepUntil(service.clock()->now() + 1s, {});
            }),
            0);
}

TEST_F(Changes, AreCountedBeforeTheListenerIsCalled) {
  std::uint64_t seen = 0;
  const auto counting = service.onChange([&] { seen = service.changeCount(); });
  service.addAccount();
  EXPECT_EQ(seen, service.changeCount());
}

}  // namespace

}  // namespace tally::test
