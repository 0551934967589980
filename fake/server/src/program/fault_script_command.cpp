#include "program/fault_script_command.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <fstream>
#include <iostream>
#include <ranges>
#include <stdexcept>
#include <system_error>

#include <tally/fake/fault_script.h>

#include "derived/derived_script.h"
#include "program/printed.h"
#include "redact/complaint.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

namespace {

constexpr std::string_view scriptCommandName = "tally-fake fault-script";

std::string scriptHelpText() {
  std::string text =
      "usage: tally-fake fault-script NAME|FILE\n"
      "Prints a fault script: a ready-made script as a starting point for your own, or a script with the "
      "errors,\n"
      "refusals, lost connections and latencies of a recording in HAR. Play the script with tally-fake\n"
      "--fault-script.\n\n";
  for (const FaultScript& script : FaultScript::readyMade())
    text += "  " + script.name + std::string(18 - script.name.size(), ' ') + script.description + '\n';
  return text +
         "\nExit status: 0 on success; 1 if the file can't be read, is not a recording, or has nothing to "
         "play; 2\n"
         "for invalid arguments.\n";
}

FaultScript scriptFrom(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  if (!in) {
    const std::string why = std::generic_category().message(errno);
    const auto names = FaultScript::readyMade() | std::views::transform(&FaultScript::name);
    throw std::runtime_error{"can't read " + file + ": " + why + tally::detail::suggestion(file, names)};
  }
  try {
    tally::detail::HarReader recording{in};
    FaultScript script = deriveScript(recording);
    if (recording.cutOff())
      std::cerr << tally::detail::complaint(scriptCommandName,
                                            file + " is truncated; only its complete entries were used")
                << '\n';
    return script;
  } catch (const std::exception& problem) {
    throw std::runtime_error{file + ": " + problem.what()};
  }
}

/// What is wrong with the arguments; empty if they are one name.
std::string problemOf(std::span<const std::string> arguments) {
  if (arguments.empty()) return "expected the name of a script, or the file of a recording";
  const bool isOption = arguments.front().starts_with("-");
  if (arguments.size() == 1 && !isOption) return {};
  return "unexpected argument '" + arguments[isOption ? 0 : 1] + "'";
}

}  // namespace

int runFaultScript(std::span<const std::string> arguments) {
  if (arguments.size() == 1 && arguments.front() == "--help")
    return printed(scriptCommandName, scriptHelpText());
  if (const std::string problem = problemOf(arguments); !problem.empty()) {
    std::cerr << tally::detail::seeHelp(scriptCommandName, problem) << '\n';
    return 2;
  }
  try {
    const auto ready = std::ranges::find(FaultScript::readyMade(), arguments.front(), &FaultScript::name);
    const bool isReady = ready != FaultScript::readyMade().end();
    return printed(scriptCommandName, (isReady ? *ready : scriptFrom(arguments.front())).toJson());
  } catch (const std::exception& problem) {
    std::cerr << tally::detail::complaint(scriptCommandName, problem.what()) << '\n';
    return 1;
  }
}

}  // namespace tally::fake::detail
