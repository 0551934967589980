#include "simulation/parties/outbox_fleet.h"

#include <algorithm>
#include <utility>

#include <tally/fake/sent_request.h>

#include "outbox/simulation/parked.h"
#include "simulation/network/line.h"
#include "worker/worker.h"

namespace tally::simulation {

namespace {

using namespace std::chrono_literals;
using detail::MemoryFault;
using detail::MemoryOperation;
using test::Machine;

Said saidBy(const std::string& outcome) {
  if (outcome == "applied") return Said::happened;
  return outcome == "unknown" ? Said::mayHave : Said::didNot;
}

}  // namespace

/// The path from a worker's machine to the service. A request whose deadline passed while the machine was
/// frozen is not sent.
class OutboxFleet::MachineLine final : public Transport {
 public:
  MachineLine(Network& network, Sender& sender, Machine& machine)
      : machine_(machine), line_(makeLine(network, sender)) {}

  TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
    if (machine_.isDead || machine_.isOver())
      return TransportFailure{TransportFailure::Kind::couldNotConnect, false, "the process is dead"};
    const auto left = limits.deadline - machine_.clock()->now();
    if (left <= 0ns) return TransportFailure{TransportFailure::Kind::timeout, false, "the time is up"};
    SendLimits own = limits;
    own.deadline = machine_.time().now() + left;
    TransportResult result = line_->send(request, own);
    machine_.pass();
    return result;
  }
  [[nodiscard]] bool inProcess() const noexcept override { return true; }

 private:
  Machine& machine_;
  std::shared_ptr<Transport> line_;
};

OutboxFleet::OutboxFleet(Network& network, std::vector<Shop>& shops, const PacerOptions& pacing,
                         std::size_t workers, std::size_t spares)
    : network_(network),
      pacing_(pacing),
      started_(workers),
      database_(std::make_shared<detail::MemoryDatabase>(
          network.service().clock(),
          [this](const MemoryOperation& operation) { return faultOf(operation); })),
      store_(database_),
      rules_(rules()),
      workersStore_(database_, rules_) {
  for (Shop& shop : shops)
    domains_.push_back({.name = "shop" + std::to_string(domains_.size()), .shop = &shop});
  for (std::size_t number = 0; number < workers + spares; ++number)
    addMember(number);
}

test::BrokenRules OutboxFleet::rules() const {
  test::BrokenRules rules;
  if (network_.broken() == Broken::takesOverUnfenced) rules.isFenced = false;
  if (network_.broken() == Broken::resolvesNothing)
    rules.read = [](detail::Head& head) { head.mayHaveBeenSent = false; };
  return rules;
}

void OutboxFleet::addMember(std::size_t number) {
  const std::string name = "worker " + std::to_string(number);
  Member& member =
      members_.emplace_back(Member{.machine = {network_.service().clock(), network_.history().over()},
                                   .store = &network_.addLink(name + " to the store")});
  member.machine.skew = random().oneIn(4) ? 1h : std::chrono::nanoseconds{random().upTo(100ms)};
  member.machine.drift = static_cast<std::int64_t>(random().below(2'000)) - 1'000;
  member.machine.stopsWhileFrozen = network_.broken() == Broken::takesOverUnfenced;
  for (Domain& domain : domains_)
    domain.senders.push_back(&network_.addSender(name + " for " + domain.name));
  member.options = optionsOf(member, number);
  if (number < started_) member.start.request_stop();
}

OutboxOptions OutboxFleet::optionsOf(Member& member, std::size_t number) {
  OutboxOptions made;
  made.clock = member.machine.clock();
  made.lease = 5s;
  made.gracePeriod = 1s;
  made.retryTimeout = 20s;
  made.onEvent = [this](const OutboxEvent& event) { receive(event); };
  for (Domain& domain : domains_) {
    OutboxDomain one{.name = domain.name, .client = network_.service().clientOptions(domain.shop->key)};
    one.client.transport = std::make_shared<MachineLine>(network_, *domain.senders[number], member.machine);
    one.client.clock = made.clock;
    one.client.timeout = 2s;
    one.pacing = pacing_;
    made.domains.push_back(std::move(one));
  }
  return made;
}

void OutboxFleet::receive(const OutboxEvent& event) {
  network_.history().step("outbox", event.report, [&] {
    return std::string{toString(event.kind)} + ' ' + event.domain + ' ' + event.object + ' ' + event.reason;
  });
}

MemoryFault OutboxFleet::faultOf(const MemoryOperation& operation) {
  Machine* const machine = Machine::current();
  if (machine == nullptr) return MemoryFault::none;
  machine->pass();
  if (machine->isDead) return MemoryFault::unavailable;
  const auto member =
      std::ranges::find_if(members_, [&](const Member& one) { return &one.machine == machine; });
  if (member->store->isCut) return MemoryFault::unavailable;
  if (!isChaotic_) return MemoryFault::none;
  if (operation.writes && network_.service().clock()->now() < refusesWritesUntil_)
    return MemoryFault::unavailable;
  const MemoryFault faults[] = {MemoryFault::requestLost, MemoryFault::replyLost, MemoryFault::late};
  const std::size_t choice = random().below(60);
  return choice < std::size(faults) ? faults[choice] : MemoryFault::none;
}

void OutboxFleet::run(std::size_t number) {
  Member& member = members_[number];
  fake::VirtualClock& clock = *network_.service().clock();
  const StopToken over = network_.history().over();
  const StopCallback atEnd{over, [&member] {
                             member.start.request_stop();
                             member.stop.request_stop();
                           }};
  (void)clock.waitUntil(Instant::max(), member.start.get_token());
  Machine::current() = &member.machine;
  while (!network_.history().isOver()) {
    try {
      detail::Worker{workersStore_, member.options}.run(member.stop.get_token());
    } catch (const OutboxError&) {
      (void)clock.sleepUntil(clock.now() + 1s, over);  // a supervisor starts it again
    }
  }
  Machine::current() = nullptr;
}

void OutboxFleet::enqueueSome() {
  const Domain& domain = random().oneOf(domains_);
  std::vector<OutboxReport> reports;
  std::vector<std::uint64_t> numbers;
  for (std::size_t left = 1 + random().below(3); left > 0; --left) {
    const std::string id = random().oneOf(domain.shop->records).str();
    const std::uint64_t number = network_.checker().announce(id, 1);
    numbers.push_back(number);
    const test::AnyReport report{random().oneIn(2) ? test::Outcome::failed : test::Outcome::canceled,
                                 anyMetadata(random(), number),
                                 std::chrono::sys_seconds{std::chrono::seconds{number}}};
    reports.push_back({.report = {.id = id,
                                  .outcome = test::nameOf(report.outcome),
                                  .time = report.at,
                                  .metadata = report.metadata},
                       .key = std::to_string(number)});
  }
  const bool isRolledBack = random().oneIn(8);
  if (isRolledBack) reports.push_back({});
  network_.history().step("enqueued", reports.size(), domain.name);
  const auto priority = random().oneIn(3) ? ReportPriority::low : ReportPriority::normal;
  for (int times = random().oneIn(5) ? 2 : 1; times > 0; --times)  // repeated, as after a lost reply
    (void)store_.enqueueAll(domain.name, reports, {.priority = priority});
  if (!isRolledBack) return;
  for (const std::uint64_t number : numbers)
    network_.checker().told(number, Said::didNot, "the outbox");
}

void OutboxFleet::killOne() {
  if (started_ == members_.size()) return;
  const std::size_t victim = random().below(started_);
  network_.history().step("worker killed", victim,
                          [&] { return "worker " + std::to_string(victim) + " is killed"; });
  members_[victim].machine.isDead = true;
  members_[started_++].start.request_stop();
}

void OutboxFleet::freezeOne() {
  const std::size_t victim = random().below(started_);
  network_.history().step("worker frozen", victim,
                          [&] { return "worker " + std::to_string(victim) + " freezes"; });
  members_[victim].machine.freeze = random().upTo(12s);
}

void OutboxFleet::disturbDatabase() {
  network_.history().step("database", 0, [] { return "the database is disturbed"; });
  switch (random().below(3)) {
    case 0:
      return database_->deliver();
    case 1:
      return database_->restart();
    default:
      refusesWritesUntil_ = network_.service().clock()->now() + random().upTo(3s);
  }
}

void OutboxFleet::calmDown() {
  isChaotic_ = false;
  database_->deliver();
}

bool OutboxFleet::isDecided() {
  return test::isDecided(*database_, store_);
}

void OutboxFleet::tell() {
  database_->look([&](const detail::MemoryState& state) {
    reports_ = state.reports().size();
    for (const auto& [id, report] : state.reports())
      if (report.end)
        network_.checker().told(std::stoull(report.key), saidBy(report.end->outcome), "the outbox");
  });
}

void OutboxFleet::end() {
  for (Member& member : members_) {
    member.stop.request_stop();
    member.start.request_stop();
  }
}

}  // namespace tally::simulation
