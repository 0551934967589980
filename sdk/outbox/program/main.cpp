#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tally/version.h>

#include "command_line.h"
#include "commands.h"
#include "platform/core_files.h"
#include "platform/standard_streams.h"
#include "redact/complaint.h"
#include "work.h"

namespace tally::detail {

namespace {

/// A write that can't succeed then fails, and does not end the program: to standard output that nobody reads,
/// or beyond the maximum size of a file.
void surviveFailedWrites() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

/// What the library says about its options, in terms of those of the program.
std::string inOptions(std::string text) {
  constexpr std::string_view member = "OutboxOptions::allowLossOnPowerFailure";
  if (const std::size_t at = text.find(member); at != std::string::npos)
    text.replace(at, member.size(), "--allow-loss-on-power-failure");
  return text;
}

constexpr std::string_view programName = "tally-outbox";

int fail(int status, const std::string& problem) {
  std::cerr << complaint(programName, problem) << '\n';
  return status;
}

int carryOutOrWork(const CommandLine& line) {
  if (line.command != "work") return carryOut(line);
  work(line);
  return 0;
}

bool onlyPrints(const CommandLine& line) {
  constexpr std::array<std::string_view, 4> printing{"status", "failed", "blocked", "requests"};
  return line.help || line.version || std::ranges::find(printing, line.command) != printing.end();
}

/// A command that has changed something has succeeded, even if it can't say so: whoever repeats `enqueue`
/// could enqueue reports twice.
int afterOutput(const CommandLine& line, int status) {
  if (std::cout.flush()) return status;
  const std::string problem = "standard output can't be written";
  if (onlyPrints(line)) return fail(1, problem);
  return fail(status, status == 0 ? problem + ", but the command has been carried out" : problem);
}

int run(const std::vector<std::string>& arguments) {
  surviveFailedWrites();
  try {
    const CommandLine line = parseCommandLine(arguments);
    if (line.help) std::cout << usageText();
    if (line.version) std::cout << "tally-outbox " << version << '\n';
    return afterOutput(line, line.help || line.version ? 0 : carryOutOrWork(line));
  } catch (const std::invalid_argument& problem) {
    std::cerr << seeHelp(programName, problem.what()) << '\n';
    return 2;
  } catch (const std::exception& problem) {
    return fail(1, inOptions(problem.what()));
  }
}

}  // namespace

}  // namespace tally::detail

int main(int count, char** arguments) {
  tally::detail::reserveStandardStreams();
  tally::detail::leaveNoCoreFile();
  return tally::detail::run({arguments + 1, arguments + count});
}
