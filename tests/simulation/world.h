#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <tally/fake/service.h>
#include <tally/pacer.h>

#include "simulation/checker/checker.h"
#include "simulation/checker/history.h"
#include "simulation/network/network.h"
#include "simulation/parties/blocking_caller.h"
#include "simulation/parties/bulk_job.h"
#include "simulation/parties/crowd.h"
#include "simulation/parties/outbox_fleet.h"
#include "simulation/parties/shop.h"

namespace tally::simulation {

/// A client's settings, which are chosen at random.
struct Settings {
  int maxNetworkRetries = 0;
  bool retryRateLimited = false;
  bool isQueued = true;
  std::chrono::milliseconds timeout{0};
  double retryTokens = 0;
  std::size_t maxInFlight = 1;
};

/// The service and all of its clients. Each account has a purpose:
/// - callers of the crowd without a pacer share some, and may give up requests that then arrive late;
/// - a crowd with a pacer has one;
/// - blocking callers have one each;
/// - jobs have one each;
/// - domains of the outbox have one each.
class World {
 public:
  explicit World(const Plan& plan);

  /// Runs everything. `director` has a thread of its own, and ends the history.
  void run(const std::function<void()>& director);
  [[nodiscard]] Outcome outcome();

  History& history() { return history_; }
  Network& network() { return network_; }
  fake::Service& service() { return service_; }
  Crowd& openCrowd() { return *openCrowd_; }
  Crowd& pacedCrowd() { return *pacedCrowd_; }
  std::deque<BulkJob>& jobs() { return jobs_; }
  OutboxFleet& fleet() { return *fleet_; }
  std::vector<Shop>& openShops() { return openShops_; }
  /// What is not decided; empty if everything is.
  [[nodiscard]] std::string undecided();

 private:
  static constexpr std::size_t openAccounts = 3;
  static constexpr std::size_t blockingCallers = 2;
  static constexpr std::size_t domains = 2;

  [[nodiscard]] static fake::ServiceOptions serviceOptions(std::uint64_t seed);
  void setLimits();
  void setLimit(const std::string& limit, std::int64_t number);
  [[nodiscard]] Shop makeShop(bool livemode, std::size_t records, std::size_t subscriptions = 2);
  void useReads(const Shop& shop);
  void addCrowds();
  void addJobs();
  [[nodiscard]] Settings anySettings();
  [[nodiscard]] ClientOptions optionsOf(const Settings& settings, Sender& sender, const Shop& shop);
  [[nodiscard]] PacerOptions pacing() const;
  [[nodiscard]] ClientOptions jobOptions(Sender& sender, const Shop& shop);
  void runPart(std::size_t number, const std::function<void()>& director);

  const Plan plan_;
  fake::Service service_;
  History history_;
  Checker checker_{history_, service_};
  Network network_{history_, checker_, service_, plan_.broken};
  std::vector<LimitOverride> limits_{};
  std::vector<Shop> openShops_{};
  std::vector<Shop> pacedShops_{};
  std::vector<Shop> blockingShops_{};
  std::vector<Shop> jobShops_{};
  std::vector<Shop> domainShops_{};
  Settings openSettings_{};
  Settings pacedSettings_{};
  ClientOptions openOptions_{};
  ClientOptions pacedOptions_{};
  std::optional<Crowd> openCrowd_{};
  std::optional<Crowd> pacedCrowd_{};
  std::deque<BlockingCaller> blocking_{};
  std::vector<ClientOptions> blockingOptions_{};
  std::deque<BulkJob> jobs_{};
  std::vector<Sender*> jobSenders_{};
  std::optional<OutboxFleet> fleet_{};
};

}  // namespace tally::simulation
