#include "program/command_line.h"

#include <array>
#include <stdexcept>
#include <string_view>

#include "control/host_names.h"
#include "program/command_options.h"
#include "program/ready_file.h"
#include "tenants/insertion.h"
#include "tenants/tenant_options.h"

namespace tally::fake::detail {

namespace {

constexpr std::size_t largestRequestLogMib = 1'048'576;  // 1 TiB
constexpr std::uint64_t longestIdle = 3'155'760'000;     // 100 years

using Line = CommandLine;
using Text = std::string_view;
using Stored = Store<Line>;

void storeHost(Line& line, Text name, Text value) {
  if (!HostNames::isName(value))
    throw std::invalid_argument{std::string{name} + " takes a host name without a scheme or port, not '" +
                                std::string{value} + "'"};
  line.hosts.emplace_back(value);
}

void storeIdleTime(Line& line, Text name, Text value) {
  line.dropIdle = std::chrono::seconds{numberOption(name, value, longestIdle)};
  if (line.dropIdle->count() == 0)
    throw std::invalid_argument{std::string{name} + " takes at least 1 second"};
}

using Option = CommandOption<Line>;

constexpr std::array knownOptions{
    Option{"--address", "ADDRESS", "listen address (default: 127.0.0.1)", Stored::text<&Line::address>},
    Option{"--port", "PORT", "listen port (default: 7878); 0 selects any free port",
           Stored::number<&Line::port>},
    Option{"--threads", "N", "I/O threads (default: 1)", Stored::number<&Line::threads, 64>},
    Option{"--seed", "N", "seed of all identifiers and keys (default: 1)", Stored::number<&Line::seed>},
    Option{"--records", "N", "create N sandbox payment records at startup (maximum: 1000000)",
           Stored::number<&Line::records, mostRecords>},
    Option{"--scenario", "FILE", "load accounts, records, limits and faults from a JSON file",
           Stored::text<&Line::scenario>},
    Option{"--fault-script", "SCRIPT",
           "play a fault script in each new account: a file, or a name such as outage",
           Stored::file<&Line::faultScript>},
    Option{"--fault-header", "", "let requests inject faults with the Tally-Fake-Fault header",
           Stored::flag<&Line::faultHeader, true>},
    Option{"--state", "FILE", "load the state from a file if it exists, and save it at exit",
           Stored::file<&Line::state>},
    Option{"--request-log", "N", "requests kept in each service's log (default: 10000)",
           Stored::number<&Line::requestLog, longestRequestLog>},
    Option{"--request-log-mib", "N", "memory of each service's log, in MiB (default: 64)",
           Stored::number<&Line::requestLogMib, largestRequestLogMib>},
    Option{"--allow-host", "NAME", "accept this host name in the control API, too; may be repeated",
           storeHost},
    Option{"--tls-cert", "FILE", "serve HTTPS with this certificate and its chain, in PEM",
           Stored::file<&Line::tlsCertificate>},
    Option{"--tls-key", "FILE", "the key of that certificate, in PEM", Stored::file<&Line::tlsKey>},
    Option{"--ready-file", "FILE", "write the address and keys to FILE once ready; remove it at exit",
           Stored::file<&Line::readyFile>},
    Option{"--delete-idle-accounts", "SECONDS",
           "delete accounts added later that have had no request for this long (default: never)",
           storeIdleTime},
    Option{"--virtual-clock", "", "use a manual clock (default: real time)",
           Stored::flag<&Line::virtualClock, true>},
    Option{"--no-limits", "", "disable rate limits, concurrency limits and the read allocation",
           Stored::flag<&Line::limits, false>},
    Option{"--no-control", "", "disable the control API under /_fake/", Stored::flag<&Line::control, false>},
    Option{"--help", "", "show this help", Stored::flag<&Line::help, true>},
    Option{"--version", "", "show the version", Stored::flag<&Line::version, true>}};

}  // namespace

CommandLine parseCommandLine(std::span<const std::string> arguments) {
  CommandLine line;
  parseOptions<Line>(knownOptions, arguments, line, [](Text) { return false; });
  if (line.tlsCertificate.empty() != line.tlsKey.empty())
    throw std::invalid_argument{line.tlsKey.empty() ? "--tls-cert needs --tls-key"
                                                    : "--tls-key needs --tls-cert"};
  requireDistinct(line.readyFile, {{"--state", line.state.value_or("")},
                                   {"--scenario", line.scenario.value_or("")},
                                   {"--fault-script", line.faultScript},
                                   {"--tls-cert", line.tlsCertificate},
                                   {"--tls-key", line.tlsKey}});
  return line;
}

std::string usageText() {
  std::string text =
      "usage: tally-fake [OPTION]...\n"
      "       tally-fake record --upstream URL --out FILE [OPTION]...\n"
      "       tally-fake replay FILE [OPTION]...\n"
      "       tally-fake compare FILE [OPTION]...\n"
      "       tally-fake fault-script NAME|FILE\n"
      "Serves a fake of the payments API on this machine: accounts, objects, limits and faults.\n"
      "'record' records the requests to a real service, 'replay' responds as that service did, 'compare' "
      "shows\n"
      "how the fake differs, and 'fault-script' prints a fault script: see their --help.\n\n" +
      optionsText<Line>(knownOptions);
  text +=
      "\nOnce ready, tally-fake prints one line with its address and the keys of its first account.\n"
      "In a browser, open /_fake/ at that address, such as http://127.0.0.1:7878/_fake/. The page shows "
      "every\n"
      "request with the reason for a refusal, and the limits, objects and faults. It can inject faults, "
      "hold\n"
      "locks and move the clock. The page at / explains the rest. SIGTERM, SIGINT and SIGHUP end "
      "tally-fake.\n\n"
      "Exit status: 0 after these signals, --help or --version; 1 if a file, the certificate or the "
      "port\n"
      "can't be used; 2 for an invalid argument.\n";
  return text;
}

}  // namespace tally::fake::detail
