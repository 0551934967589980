#include "fault_rules.h"

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

fake::FaultRule anyFaultRule(RandomSource& random) {
  fake::FaultRule rule{.operation = std::string{random.oneOf(operations)},
                       .times = 1 + static_cast<int>(random.below(3))};
  if (random.oneIn(2)) {
    rule.fault = random.oneOf(faults);
    if (rule.fault == Fault::emptyPage && !isWalk(rule.operation)) rule.operation = "payment_records.list";
  } else if (random.oneIn(2)) {
    rule.error = random.oneOf(injectedErrors());
    if (rule.error == error_code::rateLimit) rule.rateLimitedReason = std::string{random.oneOf(reasons)};
    if (random.oneIn(3)) rule.headers = {{"Retry-After", std::to_string(random.below(3))}};
  } else {
    rule.latency = random.upTo(random.oneIn(4) ? 40s : 200ms);
  }
  return rule;
}

}  // namespace tally::stress
