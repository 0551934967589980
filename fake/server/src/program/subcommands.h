#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "compare/compare_program.h"
#include "derived/fault_script_program.h"

namespace tally::fake::detail {

/// What `tally-fake NAME …` does instead of serving. `run` gets the arguments after the name, and returns the
/// exit status of the program.
struct Subcommand {
  std::string_view name;
  std::string_view help;
  int (*run)(std::span<const std::string> arguments);
};

inline constexpr std::array subcommands{
    Subcommand{"compare", "compare the fake with a recording of the service", runCompare},
    Subcommand{"fault-script", "print a fault script: a ready-made one, or one derived from a recording",
               runFaultScript},
};

}  // namespace tally::fake::detail
