#include "simulation/world.h"

#include <algorithm>
#include <utility>

#include "simulation/network/line.h"

namespace tally::simulation {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t ofService = 0x5e7'1ce5;
constexpr std::size_t recordsOfShop = 24;
constexpr std::int64_t readsBefore = 9'900;
// A paced call waits until the limits admit it, so no subscription may get near its limit of new invoices in
// a day.
constexpr std::size_t callersOfSubscription = 64;

}  // namespace

fake::ServiceOptions World::serviceOptions(std::uint64_t seed) {
  stress::RandomSource random{seed ^ ofService};
  constexpr std::chrono::nanoseconds lockWaits[] = {0ms, 200ms, 3s};
  return {.seed = random.number(),
          .duration = random.upTo(100ms),
          .lockWait = random.oneOf(lockWaits),
          .requestLog = 64};
}

World::World(const Plan& plan)
    : plan_(plan), service_(serviceOptions(plan.seed)), history_(plan, *service_.clock()) {
  setLimits();
  addCrowds();
  for (std::size_t number = 0; number < blockingCallers; ++number)
    blockingShops_.push_back(makeShop(number == 0, recordsOfShop));
  for (Shop& shop : blockingShops_) {
    Settings settings = anySettings();
    settings.timeout = 10s;
    Sender& sender = network_.addSender("blocking caller " + std::to_string(blocking_.size()));
    blockingOptions_.push_back(optionsOf(settings, sender, shop));
    blocking_.emplace_back(network_, sender, shop, plan_.callsOfEach * 8);
  }
  addJobs();
  for (std::size_t number = 0; number < domains; ++number)
    domainShops_.push_back(makeShop(true, 3));
  fleet_.emplace(network_, domainShops_, pacing(), plan_.workers, plan_.spares);
  if (plan_.broken != Broken::admitsTooMany) return;
  service_.limits().set({.limit = "endpoint_rate", .value = 1'000});
}

/// Documented, increased or low limits, and concurrency limits, which have no documented number.
void World::setLimits() {
  const std::size_t choice = history_.random().below(3);
  if (choice == 1) {
    setLimit("global_rate", 200);
    setLimit("endpoint_rate", 100);
  } else if (choice == 2) {
    setLimit("global_rate", 12);
    setLimit("endpoint_rate", 6);
    for (const char* const resource :
         {"new_invoices_per_minute", "payout_creation", "file_writes", "account_creation"})
      setLimit(resource, 1);
  }
  if (history_.random().oneIn(2)) setLimit("global_concurrency", 40);
  if (history_.random().oneIn(2)) setLimit("endpoint_concurrency", 15);
  if (history_.random().oneIn(2)) setLimit("card_creation", 2);
}

void World::setLimit(const std::string& limit, std::int64_t number) {
  limits_.push_back({.limit = limit, .value = number});
  service_.limits().set(limits_.back());
  checker_.limits().set(limit, number);
}

Shop World::makeShop(bool livemode, std::size_t records, std::size_t subscriptions) {
  const fake::Account account = service_.addAccount();
  Shop shop{.key = livemode ? account.liveKey : account.sandboxKey};
  while (shop.records.size() < records)
    shop.records.push_back(checker_.insertRecord(shop.key).id);
  while (shop.subscriptions.size() < subscriptions) {
    if (shop.intents.size() < 2) shop.intents.push_back(service_.insert<PaymentIntent>(shop.key).id);
    shop.subscriptions.push_back(service_.insert<Subscription>(shop.key).id);
  }
  return shop;
}

/// Uses up most of the read allocation of an account.
void World::useReads(const Shop& shop) {
  fake::Limits limits = service_.limits();
  for (const char* const name :
       {"global_rate", "endpoint_rate", "global_concurrency", "endpoint_concurrency"})
    limits.set({.limit = name});
  const HttpRequest request{.url = "https://service.test/v1/payment_records/" + shop.records.front().str(),
                            .headers = {{"Authorization", "Bearer " + shop.key}}};
  for (std::int64_t read = 0; read < readsBefore; ++read)
    (void)service_.handle(request);
  checker_.skipLog();
  checker_.limits().addReads(shop.key, readsBefore);
  limits.reset();
  for (const LimitOverride& limit : limits_)
    limits.set(limit);
  service_.clock()->advance(10s);
}

Settings World::anySettings() {
  stress::RandomSource& random = history_.random();
  return {.maxNetworkRetries = static_cast<int>(random.below(4)),
          .retryRateLimited = random.oneIn(2),
          .isQueued = !random.oneIn(4),
          .timeout = random.oneIn(2) ? 30s : 1s,
          .retryTokens = random.oneIn(3) ? 5.0 : 1'000.0,
          .maxInFlight = random.oneIn(2) ? 1'000U : 30U};
}

ClientOptions World::optionsOf(const Settings& settings, Sender& sender, const Shop& shop) {
  ClientOptions options = service_.clientOptions(shop.key);
  options.transport = makeLine(network_, sender);
  options.maxNetworkRetries = settings.maxNetworkRetries;
  options.retryRateLimited = settings.retryRateLimited;
  options.timeout = settings.timeout;
  options.retryBudget.maxTokens = settings.retryTokens;
  options.mutationQueue.enabled = settings.isQueued && plan_.broken != Broken::letsTwoThrough;
  sender.isQueued = settings.isQueued;
  return options;
}

PacerOptions World::pacing() const {
  PacerOptions options{.limits = limits_, .windowMargin = longestTravel, .assumeUsed = 1s};
  if (plan_.broken == Broken::pacerOveradmits)
    options.limits = {{.limit = "global_rate", .value = 2'000}, {.limit = "endpoint_rate", .value = 1'000}};
  return options;
}

void World::addCrowds() {
  stress::RandomSource& random = history_.random();
  for (std::size_t number = 0; number < openAccounts; ++number)
    openShops_.push_back(makeShop(number != 1, recordsOfShop * 2));
  if (plan_.callers >= 1'000 && random.oneIn(4)) useReads(openShops_.front());
  pacedShops_.push_back(makeShop(random.oneIn(2), recordsOfShop,
                                 std::max<std::size_t>(2, plan_.callers / callersOfSubscription)));
  const auto pause = 2 * std::chrono::milliseconds{plan_.time} / static_cast<std::int64_t>(plan_.callsOfEach);

  openSettings_ = anySettings();
  Sender& open = network_.addSender("the open crowd");
  open.mayBeLate = true;
  openOptions_ = optionsOf(openSettings_, open, openShops_.front());
  openCrowd_.emplace(
      network_, open, openShops_,
      CrowdPlan{
          .callers = plan_.callers - plan_.callers / 4, .callsOfEach = plan_.callsOfEach, .pause = pause});

  pacedSettings_ = anySettings();
  pacedSettings_.timeout = 10s;
  Sender& paced = network_.addSender("the paced crowd");
  paced.isPaced = true;
  pacedOptions_ = optionsOf(pacedSettings_, paced, pacedShops_.front());
  pacedOptions_.pacer = std::make_shared<Pacer>(pacing());
  pacedCrowd_.emplace(network_, paced, pacedShops_,
                      CrowdPlan{.callers = plan_.callers / 4,
                                .callsOfEach = plan_.callsOfEach,
                                .pause = 1s,
                                .rush = 1s,
                                .resolves = true});
}

void World::addJobs() {
  for (std::size_t number = 0; number < plan_.jobs; ++number) {
    jobShops_.push_back(makeShop(true, 2 + plan_.rows / 8));
    Sender& sender = network_.addSender("job " + std::to_string(number));
    sender.isPaced = true;
    jobSenders_.push_back(&sender);
    jobs_.emplace_back(network_, sender, jobShops_.back(), plan_.rows);
  }
}

/// The options of a client in a new process.
ClientOptions World::jobOptions(Sender& sender, const Shop& shop) {
  ClientOptions options = service_.clientOptions(shop.key);
  options.transport = makeLine(network_, sender);
  options.timeout = 10s;
  options.maxNetworkRetries = 2;
  options.pacer = std::make_shared<Pacer>(pacing());
  return options;
}

/// The threads: the director, both crowds, late requests, the blocking callers, the jobs and the workers.
void World::runPart(std::size_t number, const std::function<void()>& director) {
  switch (number) {
    case 0:
      return director();
    case 1:
      return openCrowd_->run(openOptions_, {.maxInFlight = openSettings_.maxInFlight});
    case 2:
      return pacedCrowd_->run(pacedOptions_, {.maxInFlight = pacedSettings_.maxInFlight});
    case 3:
      return network_.deliverOrphans();
    default:
      break;
  }
  number -= 4;
  if (number < blocking_.size()) return blocking_[number].run(blockingOptions_[number]);
  number -= blocking_.size();
  if (number < jobs_.size())
    return jobs_[number].run([&] { return jobOptions(*jobSenders_[number], jobShops_[number]); });
  fleet_->run(number - jobs_.size());
}

void World::run(const std::function<void()>& director) {
  service_.clock()->runThreads(4 + blocking_.size() + jobs_.size() + fleet_->size(),
                               [&](std::size_t number) { runPart(number, director); });
  fleet_->tell();
  checker_.compareStore();
}

std::string World::undecided() {
  std::string text;
  const auto add = [&](bool isUndecided, const std::string& what) {
    if (isUndecided) text += (text.empty() ? "" : ", ") + what;
  };
  add(openCrowd_->busy() != 0, std::to_string(openCrowd_->busy()) + " callers of the open crowd");
  add(pacedCrowd_->busy() != 0, std::to_string(pacedCrowd_->busy()) + " callers of the paced crowd");
  for (const BlockingCaller& caller : blocking_)
    add(caller.isBusy(), "a blocking caller");
  for (const BulkJob& job : jobs_)
    add(!job.isComplete(), "a job");
  add(!fleet_->isDecided(), "reports of the outbox");
  add(network_.hasOrphans(), "late requests");
  return text;
}

Outcome World::outcome() {
  Outcome outcome = history_.outcome();
  outcome.requests = checker_.requests();
  outcome.calls = openCrowd_->calls() + pacedCrowd_->calls() + fleet_->reports();
  for (const BlockingCaller& caller : blocking_)
    outcome.calls += caller.calls();
  for (const BulkJob& job : jobs_)
    outcome.calls += job.rows();
  return outcome;
}

}  // namespace tally::simulation
