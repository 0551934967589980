#include "mischief.h"

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

void Mischief::work(int times, const std::atomic<bool>& over) {
  for (int i = 0; i < times && !over; ++i) {
    (void)world_.clock().sleepUntil(world_.clock().now() + dice_.upTo(150ms), {});
    doSomething();
  }
  lock_.release();
  places_.release();
}

void Mischief::doSomething() {
  switch (dice_.below(8)) {
    case 0:
      return lockARecord();
    case 1:
      return holdConcurrency();
    case 2:
      return stops_.stopOne(dice_);
    default:
      return world_.service.injectFault(anyFaultRule());
  }
}

fake::FaultRule Mischief::anyFaultRule() {
  fake::FaultRule rule{.operation = std::string{dice_.oneOf(operations)},
                       .times = 1 + static_cast<int>(dice_.below(3))};
  if (dice_.oneIn(2)) {
    rule.fault = dice_.oneOf(faults);
    if (rule.fault == Fault::emptyPage && !isWalk(rule.operation)) rule.operation = "payment_records.list";
  } else if (dice_.oneIn(2)) {
    rule.error = dice_.oneOf(injectedErrors());
    if (rule.error == error_code::rateLimit) rule.rateLimitedReason = std::string{dice_.oneOf(reasons)};
    if (dice_.oneIn(3)) rule.headers = {{"Retry-After", std::to_string(dice_.below(3))}};
  } else {
    rule.latency = dice_.upTo(dice_.oneIn(4) ? 40s : 200ms);
  }
  return rule;
}

void Mischief::lockARecord() {
  const Shop& shop = dice_.oneOf(world_.shops);
  lock_ = world_.service.lockObject(shop.key, dice_.oneOf(shop.records).str(), dice_.upTo(500ms));
}

void Mischief::holdConcurrency() {
  const Shop& shop = dice_.oneOf(world_.shops);
  places_ = world_.service.holdConcurrency(shop.key, "payment_records.retrieve",
                                           1 + static_cast<int>(dice_.below(5)));
}

}  // namespace tally::stress
