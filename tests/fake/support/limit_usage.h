#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tally/fake/service.h>

#include <gtest/gtest.h>

namespace tally::test {

/// The usage of a limit in the sandbox, or an empty one.
inline fake::LimitUsage usageOf(const std::vector<fake::LimitUsage>& lines, std::string_view limit,
                                std::string_view operation = {}, std::string_view object = {}) {
  const auto found = std::ranges::find_if(lines, [&](const fake::LimitUsage& line) {
    return line.limit == limit && line.operation == operation && line.object == object && !line.livemode;
  });
  return found == lines.end() ? fake::LimitUsage{} : *found;
}

/// The message of the std::invalid_argument that a call throws.
template <class Call>
std::string wrongWith(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& wrong) {
    return wrong.what();
  }
  return "nothing";
}

}  // namespace tally::test
