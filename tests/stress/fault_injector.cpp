#include "fault_injector.h"

#include "fault_rules.h"

namespace tally::stress {

using namespace std::chrono_literals;

void FaultInjector::work(int times, const std::atomic<bool>& over) {
  for (int i = 0; i < times && !over; ++i) {
    (void)world_.clock().sleepUntil(world_.clock().now() + random_.upTo(150ms), {});
    doSomething();
  }
  lock_.release();
  places_.release();
}

void FaultInjector::doSomething() {
  switch (random_.below(8)) {
    case 0:
      return lockARecord();
    case 1:
      return holdConcurrency();
    case 2:
      return stopTokens_.stopOne(random_);
    default:
      (void)world_.service.faults().inject(anyFaultRule(random_));
  }
}

void FaultInjector::lockARecord() {
  const Shop& shop = random_.oneOf(world_.shops);
  lock_ = world_.service.holds().lockObject(shop.key, random_.oneOf(shop.records).str(), random_.upTo(500ms));
}

void FaultInjector::holdConcurrency() {
  const Shop& shop = random_.oneOf(world_.shops);
  places_ = world_.service.holds().takeConcurrency(shop.key, "payment_records.retrieve",
                                                   1 + static_cast<int>(random_.below(5)));
}

}  // namespace tally::stress
