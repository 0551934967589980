#include "fault_injector.h"

#include <tally/error_codes.h>

namespace tally::stress {

namespace {

using namespace std::chrono_literals;
using fake::Fault;

constexpr Fault faults[] = {Fault::connectionRefused,   Fault::reset,       Fault::responseLost,
                            Fault::truncatedBody,       Fault::garbledBody, Fault::emptyPage,
                            Fault::errorAfterProcessing};

constexpr std::string_view operations[] = {
    "payment_records.report_canceled", "payment_records.report_failed", "payment_records.report_guaranteed",
    "payment_records.retrieve",        "payment_records.list",          "payment_records.search",
    "payment_intents.create"};

constexpr std::string_view reasons[] = {"global-rate", "endpoint-rate", "global-concurrency",
                                        "endpoint-concurrency", "resource-specific"};

bool isWalk(std::string_view operation) {
  return operation.ends_with(".list") || operation.ends_with(".search");
}

}  // namespace

const std::vector<std::string>& injectedErrors() {
  static const std::vector<std::string> errors{
      std::string{error_code::lockTimeout}, std::string{error_code::rateLimit},
      std::string{error_code::readAllocationExceeded}, std::string{error_code::apiError},
      std::string{error_code::resourceMissing}};
  return errors;
}

std::vector<std::string> injectedFaults() {
  std::vector<std::string> names;
  for (const Fault fault : faults)
    names.emplace_back(toString(fault));
  return names;
}

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
      (void)world_.service.faults().inject(anyFaultRule());
  }
}

fake::FaultRule FaultInjector::anyFaultRule() {
  fake::FaultRule rule{.operation = std::string{random_.oneOf(operations)},
                       .times = 1 + static_cast<int>(random_.below(3))};
  if (random_.oneIn(2)) {
    rule.fault = random_.oneOf(faults);
    if (rule.fault == Fault::emptyPage && !isWalk(rule.operation)) rule.operation = "payment_records.list";
  } else if (random_.oneIn(2)) {
    rule.error = random_.oneOf(injectedErrors());
    if (rule.error == error_code::rateLimit) rule.rateLimitedReason = std::string{random_.oneOf(reasons)};
    if (random_.oneIn(3)) rule.headers = {{"Retry-After", std::to_string(random_.below(3))}};
  } else {
    rule.latency = random_.upTo(random_.oneIn(4) ? 40s : 200ms);
  }
  return rule;
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
