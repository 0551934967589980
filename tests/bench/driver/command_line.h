#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tally::bench {

/// What ./dev bench is to do.
struct CommandLine {
  std::vector<std::string> rows{};  // names or patterns; empty: all
  std::string json{};               // the file for the results; empty: none
  std::string compare{};            // a file of earlier results; empty: none
  int runs = 1;                     // of each row
  bool help = false;
};

/// Throws std::invalid_argument for an unknown option, a value that is missing or wrong, and a row that
/// matches none of `names`.
[[nodiscard]] CommandLine parseCommandLine(std::span<const std::string_view> arguments,
                                           std::span<const std::string_view> names);

/// Whether the row of that name is to be measured.
[[nodiscard]] bool isWanted(const CommandLine& line, std::string_view name);

[[nodiscard]] std::string usageText(std::span<const std::string_view> names);

}  // namespace tally::bench
