#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tally::test {

/// The samples of a text in the exposition format, by name and labels, such as `calls_total{operation="x"}`.
/// Throws std::runtime_error for anything that a strict scraper refuses or the format's conventions forbid.
[[nodiscard]] std::map<std::string, double> readMetrics(std::string_view text);

}  // namespace tally::test
