#include "program/command_line.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "control/host_names.h"
#include "tables/parsed_number.h"
#include "tenants/insertion.h"
#include "tenants/tenant_options.h"
#include "text/suggestion.h"

namespace tally::fake::detail {

namespace {

constexpr std::size_t largestRequestLogMib = 1'048'576;  // 1 TiB
constexpr std::uint64_t longestIdle = 3'155'760'000;     // 100 years

std::uint64_t number(std::string_view name, std::string_view text, std::uint64_t most) {
  const auto value = parsedNumber<std::uint64_t>(text);
  if (!value || *value > most)
    throw std::invalid_argument{std::string{name} + " takes a number from 0 to " + std::to_string(most) +
                                ", not '" + std::string{text} + "'"};
  return *value;
}

using Line = CommandLine;
using Text = std::string_view;

// What an option does with its value, which most store in a member.

template <auto member, std::uint64_t most = std::numeric_limits<
                           std::remove_cvref_t<decltype(std::declval<Line&>().*member)>>::max()>
void storeNumber(Line& line, Text name, Text value) {
  using Number = std::remove_cvref_t<decltype(line.*member)>;
  line.*member = static_cast<Number>(number(name, value, most));
}

template <auto member>
void storeText(Line& line, Text /*name*/, Text value) {
  line.*member = std::string{value};
}

template <auto member>
void storeFile(Line& line, Text name, Text value) {
  if (value.empty()) throw std::invalid_argument{std::string{name} + " takes the name of a file, not ''"};
  storeText<member>(line, name, value);
}

template <auto member, bool value>
void store(Line& line, Text /*name*/, Text /*value*/) {
  line.*member = value;
}

void storeHost(Line& line, Text name, Text value) {
  if (!HostNames::isName(value))
    throw std::invalid_argument{std::string{name} + " takes a host name without scheme and port, not '" +
                                std::string{value} + "'"};
  line.hosts.emplace_back(value);
}

void storeIdleTime(Line& line, Text name, Text value) {
  line.dropIdle = std::chrono::seconds{number(name, value, longestIdle)};
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

struct Option {
  Text name;
  Text value;  // the placeholder in `--help`; empty if the option takes no value
  Text help;
  void (*apply)(Line& line, Text name, Text value);
};

constexpr std::array knownOptions{
    Option{"--address", "ADDRESS", "listen address (default: 127.0.0.1)", storeText<&Line::address>},
    Option{"--port", "PORT", "listen port (default: 7878); 0 selects any free port",
           storeNumber<&Line::port>},
    Option{"--threads", "N", "I/O threads (default: 1)", storeNumber<&Line::threads, 64>},
    Option{"--seed", "N", "seed of all identifiers and keys (default: 1)", storeNumber<&Line::seed>},
    Option{"--records", "N", "create N sandbox payment records at startup (maximum: 1000000)",
           storeNumber<&Line::records, mostRecords>},
    Option{"--scenario", "FILE", "load accounts, records, limits and faults from a JSON file",
           storeText<&Line::scenario>},
    Option{"--state", "FILE", "load the state from a file if it exists, and save it at exit",
           storeFile<&Line::state>},
    Option{"--request-log", "N", "requests kept in each service's log (default: 10000)",
           storeNumber<&Line::requestLog, longestRequestLog>},
    Option{"--request-log-mib", "N", "memory of each service's log, in MiB (default: 64)",
           storeNumber<&Line::requestLogMib, largestRequestLogMib>},
    Option{"--allow-host", "NAME", "answer to this host name in the control API, too; may be repeated",
           storeHost},
    Option{"--tls-cert", "FILE", "serve HTTPS with this certificate and its chain, in PEM",
           storeFile<&Line::tlsCertificate>},
    Option{"--tls-key", "FILE", "the key of that certificate, in PEM", storeFile<&Line::tlsKey>},
    Option{"--ready-file", "FILE", "write address and keys to FILE once ready; remove it at exit",
           storeFile<&Line::readyFile>},
    Option{"--delete-idle-accounts", "SECONDS",
           "delete accounts without a request for this long (default: never)", storeIdleTime},
    Option{"--virtual-clock", "", "use a manual clock (default: real time)",
           store<&Line::virtualClock, true>},
    Option{"--no-limits", "", "disable rate limits, concurrency limits and the read allocation",
           store<&Line::limits, false>},
    Option{"--no-control", "", "disable the control API under /_fake/", store<&Line::control, false>},
    Option{"--help", "", "show this help", store<&Line::help, true>},
    Option{"--version", "", "show the version", store<&Line::version, true>}};

const Option& find(std::string_view name) {
  for (const Option& option : knownOptions)
    if (option.name == name) return option;
  throw std::invalid_argument{
      "unknown argument '" + std::string{name} + "'" +
      tally::detail::suggestion(name, knownOptions | std::views::transform(&Option::name))};
}

}  // namespace

CommandLine parseCommandLine(std::span<const std::string> arguments) {
  CommandLine line;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    const Option& option = find(argument.substr(0, equals));
    std::string_view value;
    if (equals != std::string_view::npos) {
      if (option.value.empty()) throw std::invalid_argument{std::string{option.name} + " takes no value"};
      value = argument.substr(equals + 1);
    } else if (!option.value.empty()) {
      if (i + 1 == arguments.size()) throw std::invalid_argument{std::string{option.name} + " needs a value"};
      value = arguments[++i];
    }
    option.apply(line, option.name, value);
  }
  if (line.tlsCertificate.empty() != line.tlsKey.empty())
    throw std::invalid_argument{line.tlsKey.empty() ? "--tls-cert needs --tls-key"
                                                    : "--tls-key needs --tls-cert"};
  if (line.state && !line.readyFile.empty() && isSameFile(*line.state, line.readyFile))
    throw std::invalid_argument{"--state and --ready-file name the same file"};
  return line;
}

std::string usageText() {
  const auto width = [](const Option& option) { return option.name.size() + 1 + option.value.size(); };
  const std::size_t helpColumn = 4 + std::ranges::max(knownOptions | std::views::transform(width));
  std::string text =
      "usage: tally-fake [OPTION]...\n"
      "Serves a fake of the payments API on this machine: accounts, objects, limits and faults.\n\n";
  for (const Option& option : knownOptions) {
    std::string entry = "  " + std::string{option.name};
    if (!option.value.empty()) entry += ' ' + std::string{option.value};
    entry.resize(helpColumn, ' ');
    text += entry + std::string{option.help} + '\n';
  }
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
