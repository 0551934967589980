#include "program/command_line.h"

#include <array>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "control/host_names.h"
#include "options/options.h"
#include "program/subcommands.h"
#include "tenants/insertion.h"
#include "tenants/tenant_options.h"

namespace tally::fake::detail {

namespace {

constexpr std::size_t largestRequestLogMib = 1'048'576;  // 1 TiB
constexpr std::uint64_t longestIdle = 3'155'760'000;     // 100 years

using Line = CommandLine;
using Text = std::string_view;

using Stores = Store<Line>;

void storeHost(Line& line, Text name, Text value) {
  if (!HostNames::isName(value))
    throw std::invalid_argument{std::string{name} + " takes a host name without scheme and port, not '" +
                                std::string{value} + "'"};
  line.hosts.emplace_back(value);
}

void storeIdleTime(Line& line, Text name, Text value) {
  line.dropIdle = std::chrono::seconds{optionNumber(name, value, longestIdle)};
  if (line.dropIdle->count() == 0)
    throw std::invalid_argument{std::string{name} + " takes at least 1 second"};
}

/// The ready file is removed, which must not happen to the state.
bool isSameFile(const std::string& one, const std::string& other) {
  const auto whole = [](const std::string& name) {
    std::error_code none;
    const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
    return path.empty() ? std::filesystem::path{name} : path;
  };
  return whole(one) == whole(other);
}

constexpr std::array knownOptions{
    Option<Line>{"--address", "ADDRESS", "listen address (default: 127.0.0.1)", Stores::text<&Line::address>},
    Option<Line>{"--port", "PORT", "listen port (default: 7878); 0 selects any free port",
                 Stores::number<&Line::port>},
    Option<Line>{"--threads", "N", "I/O threads (default: 1)", Stores::number<&Line::threads, 64>},
    Option<Line>{"--seed", "N", "seed of all identifiers and keys (default: 1)", Stores::number<&Line::seed>},
    Option<Line>{"--records", "N", "create N sandbox payment records at startup (maximum: 1000000)",
                 Stores::number<&Line::records, mostRecords>},
    Option<Line>{"--scenario", "FILE", "load accounts, records, limits and faults from a JSON file",
                 Stores::text<&Line::scenario>},
    Option<Line>{"--fault-script", "SCRIPT",
                 "play a fault script in each new account: a file, or a name such as outage",
                 Stores::file<&Line::faultScript>},
    Option<Line>{"--fault-header", "", "let requests inject faults with the header Tally-Fake-Fault",
                 Stores::flag<&Line::faultHeader, true>},
    Option<Line>{"--state", "FILE", "load the state from a file if it exists, and save it at exit",
                 Stores::file<&Line::state>},
    Option<Line>{"--request-log", "N", "requests kept in each service's log (default: 10000)",
                 Stores::number<&Line::requestLog, longestRequestLog>},
    Option<Line>{"--request-log-mib", "N", "memory of each service's log, in MiB (default: 64)",
                 Stores::number<&Line::requestLogMib, largestRequestLogMib>},
    Option<Line>{"--allow-host", "NAME", "answer to this host name in the control API, too; may be repeated",
                 storeHost},
    Option<Line>{"--tls-cert", "FILE", "serve HTTPS with this certificate and its chain, in PEM",
                 Stores::file<&Line::tlsCertificate>},
    Option<Line>{"--tls-key", "FILE", "the key of that certificate, in PEM", Stores::file<&Line::tlsKey>},
    Option<Line>{"--ready-file", "FILE", "write address and keys to FILE once ready; remove it at exit",
                 Stores::file<&Line::readyFile>},
    Option<Line>{"--delete-idle-accounts", "SECONDS",
                 "delete accounts without a request for this long (default: never)", storeIdleTime},
    Option<Line>{"--virtual-clock", "", "use a manual clock (default: real time)",
                 Stores::flag<&Line::virtualClock, true>},
    Option<Line>{"--no-limits", "", "disable rate limits, concurrency limits and the read allocation",
                 Stores::flag<&Line::limits, false>},
    Option<Line>{"--no-control", "", "disable the control API under /_fake/",
                 Stores::flag<&Line::control, false>},
    Option<Line>{"--help", "", "show this help", Stores::flag<&Line::help, true>},
    Option<Line>{"--version", "", "show the version", Stores::flag<&Line::version, true>}};

constexpr std::span<const Option<Line>> serverOptions{knownOptions};

}  // namespace

CommandLine parseCommandLine(std::span<const std::string> arguments) {
  CommandLine line;
  applyOptions(serverOptions, arguments, line);
  if (line.tlsCertificate.empty() != line.tlsKey.empty())
    throw std::invalid_argument{line.tlsKey.empty() ? "--tls-cert needs --tls-key"
                                                    : "--tls-key needs --tls-cert"};
  if (line.state && !line.readyFile.empty() && isSameFile(*line.state, line.readyFile))
    throw std::invalid_argument{"--state and --ready-file name the same file"};
  return line;
}

std::string usageText() {
  std::string text =
      "usage: tally-fake [OPTION]...\n"
      "       tally-fake SUBCOMMAND [OPTION]...\n"
      "Serves a fake of the payments API on this machine: accounts, objects, limits and faults.\n\n";
  text += optionsText(serverOptions);
  text += "\nSubcommands, each with a --help of its own:\n";
  for (const Subcommand& subcommand : subcommands)
    text += "  tally-fake " + std::string{subcommand.name} + "  " + std::string{subcommand.help} + '\n';
  text +=
      "\nOnce it serves requests, it prints one line with its address and the keys of its first account.\n"
      "Open /_fake/ there, such as http://127.0.0.1:7878/_fake/, in a browser: that page shows every request "
      "and\n"
      "why it was refused, limits, objects and faults. It injects faults, holds locks and moves the clock.\n"
      "The page at / of that address explains the rest. SIGTERM, SIGINT and SIGHUP end it.\n\n"
      "Exit status: 0 after these signals, --help or --version; 1 if a file, the certificate or the "
      "port\n"
      "can't be used; 2 for an invalid argument.\n";
  return text;
}

}  // namespace tally::fake::detail
