#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tally/version.h>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <unistd.h>

#include "control/control.h"
#include "files/file_input.h"
#include "format/json_input.h"
#include "net/listener.h"
#include "platform/core_files.h"
#include "platform/standard_streams.h"
#include "program/command_line.h"
#include "program/compare_command.h"
#include "program/endings.h"
#include "program/fault_script_command.h"
#include "program/printed.h"
#include "program/ready_file.h"
#include "program/record_command.h"
#include "program/replay_command.h"
#include "redact/complaint.h"
#include "tenants/host.h"
#include "tenants/insertion.h"
#include "tenants/scenario.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

namespace {

/// Creates the initial accounts, which are never idle. Seeding may take long, so a signal interrupts it.
void create(Host& host, const CommandLine& line, const Endings& endings) {
  const auto came = [&] { return endings.came(); };
  try {
    if (line.scenario) load(contentsOf(*line.scenario), host, came);
  } catch (const BadInput& problem) {
    throw BadInput{*line.scenario + ": " + problem.what()};
  }
  if (!line.scenario) host.add();
  host.keepAll();
  const std::shared_ptr<Tenant> first = host.find(host.accounts().front().sandboxKey);
  insertRecords(first->service, first->account.sandboxKey, line.records, came);
  if (!came()) first->begin();
}

/// Loads the saved accounts, or creates the initial ones, and returns the first.
std::shared_ptr<Tenant> fill(Host& host, const CommandLine& line, const Endings& endings) {
  const bool isLoaded = line.state && host.loadState();
  if (!isLoaded) create(host, line, endings);
  if (isLoaded && host.accounts().empty()) {
    host.add();
    host.keepAll();
  }
  return host.find(host.accounts().front().sandboxKey);
}

/// The contents of a file that may have been meant as one of `names`.
std::string textOf(const std::string& file, const auto& names) {
  try {
    return contentsOf(file);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error{problem.what() + tally::detail::suggestion(file, names)};
  }
}

/// A ready-made one comes before a file of that name.
std::optional<FaultScript> scriptOf(const CommandLine& line) {
  const std::string& given = line.faultScript;
  if (given.empty()) return std::nullopt;
  const auto names = FaultScript::readyMade() | std::views::transform(&FaultScript::name);
  if (std::ranges::find(names, given) != names.end()) return FaultScript::named(given);
  try {
    FaultScript script = FaultScript::parse(textOf(given, names));
    (void)Service{}.faults().play(script);  // which checks it
    return script;
  } catch (const std::invalid_argument& problem) {
    throw BadInput{given + ": " + problem.what()};
  }
}

std::string readiness(const Listener& listener, const Account& account) {
  const boost::json::value written{{"url", listener.url()},
                                   {"account", account.id},
                                   {"live_key", account.liveKey},
                                   {"sandbox_key", account.sandboxKey},
                                   {"pid", getpid()}};
  return boost::json::serialize(written) + '\n';
}

void serve(const CommandLine& line) {
  const Endings endings;
  surviveFailedWrites();
  Host host{{.seed = line.seed,
             .requestLog = line.requestLog,
             .requestLogBytes = line.requestLogMib * mebibyte,
             .virtualClock = line.virtualClock,
             .limits = line.limits,
             .faultHeader = line.faultHeader,
             .faultScript = scriptOf(line),
             .dropIdle = line.dropIdle,
             .stateFile = line.state}};
  ReadyFile ready{line.readyFile};  // not before it is clear that no other server has the state
  const Account first = fill(host, line, endings)->account;
  if (endings.came()) return;
  Control control{host,
                  {.hosts = HostNames{line.address, line.hosts},
                   .scheme = line.tlsCertificate.empty() ? "http" : "https"}};
  Listener listener{line.control ? static_cast<Handler&>(control) : host,
                    {.address = line.address,
                     .port = line.port,
                     .threads = line.threads,
                     .bodyLimit = line.control ? largestInput : HttpServerOptions{}.bodyLimit,
                     .tlsCertificate = line.tlsCertificate,
                     .tlsKey = line.tlsKey},
                    host.traffic};
  ready.write(readiness(listener, first));
  announce("tally-fake listening on " + listener.url() + " account=" + first.id +
               " live_key=" + first.liveKey + " sandbox_key=" + first.sandboxKey,
           listener.url());
  while (!endings.await(line.dropIdle))
    host.dropIdle(std::chrono::steady_clock::now());
  listener.stop();
  if (line.state) host.saveState();
}

int serveFake(std::span<const std::string> arguments) {
  CommandLine line;
  try {
    line = parseCommandLine(arguments);
  } catch (const std::invalid_argument& problem) {
    std::cerr << tally::detail::seeHelp("tally-fake", problem.what()) << '\n';
    return 2;
  }
  const std::string versionText = "tally-fake " + std::string{version} + '\n';
  if (line.help || line.version)
    return printed("tally-fake", (line.help ? usageText() : "") + (line.version ? versionText : ""));
  try {
    serve(line);
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << tally::detail::complaint("tally-fake", problem.what()) << '\n';
    return 1;
  }
}

/// What the first argument selects.
struct Command {
  std::string_view name;
  int (*run)(std::span<const std::string> arguments);
};

constexpr std::array commands{Command{"compare", runCompare}, Command{"fault-script", runFaultScript},
                              Command{"record", runRecord}, Command{"replay", runReplay}};

/// An argument that may have been meant as a command; empty if there is none that is similar.
std::string suggestedCommand(const std::string& argument) {
  if (argument.starts_with('-')) return {};
  return tally::detail::suggestion(argument, commands | std::views::transform(&Command::name));
}

int run(const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? std::string{} : arguments[0];
  const auto found = std::ranges::find(commands, first, &Command::name);
  if (found != commands.end()) return found->run(std::span{arguments}.subspan(1));
  const std::string suggested = suggestedCommand(first);
  if (suggested.empty()) return serveFake(arguments);
  std::cerr << tally::detail::seeHelp("tally-fake", "unknown command '" + first + "'" + suggested) << '\n';
  return 2;
}

}  // namespace

}  // namespace tally::fake::detail

int main(int count, char** arguments) {
  tally::detail::reserveStandardStreams();
  tally::detail::leaveNoCoreFile();
  return tally::fake::detail::run({arguments + 1, arguments + count});
}
