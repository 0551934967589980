#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/fault_rule.h>
#include <tally/limit_types.h>

#include "format/members.h"

namespace tally::fake::detail {

/// A name as the control API writes it, such as `response_lost`.
[[nodiscard]] std::string inSnakeCase(std::string_view words);
[[nodiscard]] std::string nameOf(fake::Fault fault);
[[nodiscard]] std::vector<std::string> faultNames();

void members(Members& m, FaultRule& rule);
void members(Members& m, LimitOverride& setting);

/// Those of a rule without `times`, `after_ms` and `period_ms`.
void timelessMembers(Members& m, FaultRule& rule);

/// A number from 1, or `unlimited`.
struct Times {
  static bool read(JsonInput& input, std::string_view name, int& value);
  static boost::json::value write(int value);
};

}  // namespace tally::fake::detail
