#pragma once

#include <tally/fake/fault_rule.h>

#include "fuzz.h"

namespace tally::fuzz {

/// A fault of any kind, or an error of the service, for up to three requests.
inline fake::FaultRule anyFault(Choices& choices) {
  using fake::Fault;
  constexpr Fault faults[] = {
      Fault::none,        Fault::connectionRefused,   Fault::reset, Fault::responseLost, Fault::truncatedBody,
      Fault::garbledBody, Fault::errorAfterProcessing};
  constexpr const char* errors[] = {"lock_timeout", "rate_limit", "api_error", "resource_missing"};
  fake::FaultRule rule{.times = 1 + static_cast<int>(choices.below(3)), .fault = choices.oneOf(faults)};
  if (rule.fault == Fault::none && choices.oneIn(2)) rule.error = choices.oneOf(errors);
  return rule;
}

}  // namespace tally::fuzz
