#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tally/fake/saved_service.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/support/requests.h"
#include "files/file_input.h"
#include "temporary_folder.h"
#include "tenants/host.h"
#include "time/rfc3339.h"

namespace tally::fake::detail {

namespace {

using std::chrono::hours;
using std::chrono::seconds;
using std::chrono::system_clock;

constexpr hours month{30 * 24};

/// A saved service, or several, with clocks that show another time.
std::string withTime(std::string saved, Instant time) {
  constexpr std::string_view name = R"("now":")";
  for (auto found = saved.find(name); found != std::string::npos; found = saved.find(name, found)) {
    found += name.size();
    saved.replace(found, saved.find('"', found) - found, tally::detail::toText(time));
  }
  return saved;
}

/// The time of a running clock changes while a test looks at it.
testing::AssertionResult showsJust(const VirtualClock& clock, Instant least) {
  const Instant now = clock.now();
  if (now >= least && now < least + hours{1}) return testing::AssertionSuccess();
  return testing::AssertionFailure() << tally::detail::toText(now) << " instead of "
                                     << tally::detail::toText(least);
}

/// Moves tenants to the next run of their host, and to another host.
class TenantClock : public testing::Test {
 protected:
  [[nodiscard]] static std::shared_ptr<Tenant> of(const Host& host) {
    return host.find(host.accounts().front().liveKey);
  }
  [[nodiscard]] static int status(Tenant& tenant) {
    return tenant.service.handle(test::get(tenant.account.sandboxKey, "/v1/payouts")).status;
  }

  std::shared_ptr<Tenant> imported(const std::string& saved) {
    const JsonDocument parsed = parseInput(saved);
    JsonInput input{parsed};
    return other.import(input);
  }

  void restart() {
    host->saveState();
    load();
  }
  /// A restart after which the clocks show another time.
  void restartAt(Instant time) {
    host->saveState();
    const std::string saved = contentsOf(file);
    std::ofstream{file} << withTime(saved, time);
    load();
  }

 private:
  void load() {
    host.reset();
    host.emplace(HostOptions{.stateFile = file});
    ASSERT_TRUE(host->loadState());
  }

  test::TemporaryFolder folder{};
  const std::string file = (folder.path() / "state.json").string();

 protected:
  std::optional<Host> host{std::in_place, HostOptions{.stateFile = file}};
  Host other{{.seed = 9}};
};

TEST_F(TenantClock, IsNotBehindRealTimeInANewTenant) {
  const Instant present = system_clock::now();
  const auto made = host->add();
  EXPECT_TRUE(showsJust(*made->service.clock(), present));
}

TEST_F(TenantClock, CatchesUpInTheNextRunIfItWasRunning) {
  host->add();
  const Instant present = system_clock::now();
  restartAt(present - hours{5});
  const auto clock = of(*host)->service.clock();
  EXPECT_TRUE(clock->running());
  EXPECT_TRUE(showsJust(*clock, present));
}

/// After it was advanced, or after the machine's clock was set back.
TEST_F(TenantClock, ContinuesFromItsTimeInTheNextRunIfItWasAhead) {
  host->add()->service.clock()->advance(month);
  const Instant saved = of(*host)->service.clock()->now();
  restart();
  EXPECT_TRUE(of(*host)->service.clock()->running());
  EXPECT_TRUE(showsJust(*of(*host)->service.clock(), saved));
  const Instant centuryAhead = saved + std::chrono::years{100};
  restartAt(centuryAhead);
  EXPECT_TRUE(of(*host)->service.clock()->running());
  EXPECT_TRUE(showsJust(*of(*host)->service.clock(), centuryAhead));
}

TEST_F(TenantClock, StaysFrozenInTheNextRun) {
  host->add()->service.clock()->freeze();
  const Instant frozen = system_clock::now() - hours{5};
  restartAt(frozen);
  const auto tenant = of(*host);
  const auto clock = tenant->service.clock();
  const VirtualClock::Reading expected{.time = frozen, .frozen = true, .running = true};
  EXPECT_EQ(clock->reading(), expected);
  clock->advance(hours{1});
  tenant->reset();
  EXPECT_EQ(clock->reading(), expected);
}

TEST_F(TenantClock, CatchesUpAfterAnImportUnlessItIsAheadOrFrozen) {
  const auto tenant = host->add();
  const std::string saved = exportJson(tenant->service);
  const Instant present = system_clock::now();
  const auto late = imported(withTime(saved, present - hours{5}));
  EXPECT_TRUE(showsJust(*late->service.clock(), present));
  const Service inProgram = importJson(withTime(saved, present - hours{5}));
  EXPECT_TRUE(showsJust(*inProgram.clock(), present));
  const Service ahead = importJson(withTime(saved, present + month));
  EXPECT_TRUE(showsJust(*ahead.clock(), present + month));
  tenant->service.clock()->freeze();
  const Service frozen = importJson(withTime(exportJson(tenant->service), present - hours{5}));
  EXPECT_EQ(frozen.clock()->now(), present - hours{5});
}

TEST_F(TenantClock, IsFrozenAgainWhenAForkIsReset) {
  const auto tenant = host->add();
  const auto clock = tenant->service.clock();
  clock->advance(month);
  clock->freeze();
  const auto fork = host->fork(*tenant, tenant->account.id);
  const VirtualClock::Reading frozen = fork->service.clock()->reading();
  EXPECT_EQ(frozen, clock->reading());
  fork->service.clock()->thaw();
  fork->reset();
  EXPECT_EQ(fork->service.clock()->reading(), frozen);
}

TEST_F(TenantClock, IsTheSameInAForkIfItIsBehindRealTime) {
  const auto tenant = host->add();
  const Snapshot taken = tenant->service.snapshots().take();
  const Instant past = taken.time() - month;
  tenant->service.snapshots().restore({taken.state(), {.time = past, .running = true}});
  const auto fork = host->fork(*tenant, tenant->account.id);
  EXPECT_TRUE(showsJust(*fork->service.clock(), past));
  EXPECT_TRUE(fork->service.clock()->running());
}

/// A service that is reset keeps the counts that it began with. Were its clock behind them, they would count
/// until the clock catches up.
TEST_F(TenantClock, IsNotBehindTheRequestsOfItsServiceAfterAReset) {
  const auto origin = host->add();
  origin->service.limits().set({.limit = "endpoint_rate", .value = 1});
  origin->service.clock()->advance(month);
  ASSERT_EQ(status(*origin), 200);
  const std::string saved = exportJson(origin->service);
  std::vector<std::shared_ptr<Tenant>> continued{host->fork(*origin, origin->account.id), imported(saved)};
  restart();
  continued.push_back(of(*host));
  for (const auto& tenant : continued) {
    tenant->reset();
    EXPECT_NO_THROW((void)importJson(exportJson(tenant->service)));
    tenant->service.clock()->advance(seconds{1});
    EXPECT_EQ(status(*tenant), 200) << "the request a second ago no longer counts";
  }
}

TEST_F(TenantClock, ShowsTheCurrentTimeAfterAResetIfItRanInRealTime) {
  const auto tenant = host->add();
  const Instant present = system_clock::now();
  tenant->service.clock()->advance(month);
  tenant->service.clock()->freeze();
  tenant->reset();
  EXPECT_TRUE(showsJust(*tenant->service.clock(), present));
  EXPECT_TRUE(tenant->service.clock()->running());
  EXPECT_FALSE(tenant->service.clock()->frozen());
}

}  // namespace

}  // namespace tally::fake::detail
