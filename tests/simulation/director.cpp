#include "simulation/director.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "stress/fault_rules.h"

namespace tally::simulation {

namespace {

using namespace std::chrono_literals;

/// Everything is decided this long after the last fault. A delayed request takes 40 s, a retry as long,
/// and the outbox defers a report by 20 s.
constexpr std::chrono::seconds decidedWithin{600};

}  // namespace

void Director::run() {
  const Instant end = now() + 2 * plan_.time;
  while (now() < end && !world_.history().isOver() &&
         world_.openCrowd().busy() + world_.pacedCrowd().busy() != 0) {
    pause(random().upTo(200ms));
    turnLinks();
    if (random().oneIn(3)) world_.fleet().enqueueSome();
    if (random().oneIn(2)) disturb();
  }
  calmDown();
  awaitDecisions();
  world_.history().end();
  world_.fleet().end();
}

void Director::pause(std::chrono::nanoseconds duration) {
  (void)world_.service().clock()->sleepUntil(now() + duration, world_.history().over());
}

void Director::disturb() {
  switch (random().below(16)) {
    case 0:
    case 1:
      return lockObject();
    case 2:
      return holdConcurrency();
    case 3:
      return (random().oneIn(4) ? world_.pacedCrowd() : world_.openCrowd()).cancelOne();
    case 4:
      if (random().oneIn(3)) random().oneOf(world_.jobs()).kill();
      return;
    case 5:
      return random().oneOf(world_.jobs()).failJournal();
    case 6:
      if (random().oneIn(3)) world_.fleet().killOne();
      return;
    case 7:
      return world_.fleet().freezeOne();
    case 8:
      return world_.fleet().disturbDatabase();
    case 9:
      if (random().oneIn(3)) world_.network().restartService(random().upTo(2s));
      return;
    case 10:
      return swizzle();
    default:
      return injectFault();
  }
}

void Director::injectFault() {
  const fake::FaultRule rule = stress::anyFaultRule(random());
  const std::uint64_t id = world_.service().faults().inject(rule);
  const bool answers =
      !rule.error.empty() || rule.fault == fake::Fault::connectionRefused || rule.fault == fake::Fault::reset;
  if (answers) world_.network().checker().limits().answersInstead(id);
  world_.history().step("fault injected", id, [&] {
    std::ostringstream text;
    text << rule;
    return std::move(text).str();
  });
}

void Director::lockObject() {
  const Shop& shop = random().oneOf(world_.openShops());
  const std::string id = random().oneOf(shop.records).str();
  world_.history().step("object locked", 0, id);
  holds_.push_back(world_.service().holds().lockObject(shop.key, id, random().upTo(5s)));
}

void Director::holdConcurrency() {
  world_.history().step("concurrency held", 0, "by the test");
  holds_.push_back(world_.service().holds().takeConcurrency(
      random().oneOf(world_.openShops()).key, "payment_records.retrieve",
      1 + static_cast<std::int64_t>(random().below(5))));
  if (holds_.size() > 8) holds_.erase(holds_.begin());
}

/// A random subset of the links stop one by one, and resume in another order.
void Director::swizzle() {
  if (!turns_.empty()) return;
  std::vector<Link*> chosen;
  for (Link& link : world_.network().links())
    if (random().oneIn(3)) chosen.push_back(&link);
  Instant time = now();
  for (const bool cuts : {true, false}) {
    for (std::size_t left = chosen.size(); left > 1; --left)
      std::swap(chosen[left - 1], chosen[random().below(left)]);
    for (Link* const link : chosen)
      turns_.push_back({time += random().upTo(cuts ? 400ms : 1500ms), link, cuts});
  }
}

void Director::turnLinks() {
  while (!turns_.empty() && turns_.front().time <= now()) {
    const Turn turn = turns_.front();
    turns_.erase(turns_.begin());
    turn.cuts ? world_.network().cut(*turn.link) : world_.network().repair(*turn.link);
  }
}

void Director::calmDown() {
  world_.history().step("calm", 0, "all faults end");
  world_.service().faults().clear();
  holds_.clear();
  turns_.clear();
  world_.network().calmDown();
  world_.fleet().calmDown();
  for (Link& link : world_.network().links())
    world_.network().repair(link);
  if (plan_.broken == Broken::leavesLinkCut) world_.network().cut(world_.network().links().back());
}

void Director::awaitDecisions() {
  const Instant latest = now() + decidedWithin;
  while (!world_.history().isOver() && !world_.undecided().empty()) {
    if (now() >= latest)
      return world_.history().violate("liveness", "undecided " + std::to_string(decidedWithin.count()) +
                                                      " s after the last fault: " + world_.undecided());
    pause(1s);
  }
}

}  // namespace tally::simulation
