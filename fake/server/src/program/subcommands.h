#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace tally::fake::detail {

/// What `tally-fake NAME …` does instead of serving. `run` gets the arguments after the name, and returns the
/// exit status of the program.
struct Subcommand {
  std::string_view name;
  std::string_view help;
  int (*run)(std::span<const std::string> arguments);
};

inline constexpr std::array<Subcommand, 0> subcommands{};

}  // namespace tally::fake::detail
