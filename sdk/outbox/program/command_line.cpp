#include "command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <ranges>
#include <stdexcept>

#include <arpa/inet.h>

#include "text/suggestion.h"
#include "text/url.h"

namespace tally::detail {

namespace {

using Line = CommandLine;
using View = std::string_view;

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument{what};
}

std::uint64_t number(View name, View text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    refuse(std::string{name} + " takes a number from " + std::to_string(least) + " to " +
           std::to_string(most) + ", not '" + std::string{text} + "'");
  return value;
}

// ---- What an option does with its value, which most store in a member

template <auto member>
void storeText(Line& line, View name, View value) {
  if (value.empty()) refuse(std::string{name} + " must not be empty");
  line.*member = std::string{value};
}

template <auto member, std::uint64_t least, std::uint64_t most>
void storeNumber(Line& line, View name, View value) {
  using Member = std::remove_cvref_t<decltype(line.*member)>;
  line.*member = static_cast<Member>(number(name, value, least, most));
}

template <auto member, class Duration, std::uint64_t least, std::uint64_t most>
void storeDuration(Line& line, View name, View value) {
  line.*member = Duration{number(name, value, least, most)};
}

template <auto member>
void set(Line& line, View /*name*/, View /*value*/) {
  line.*member = true;
}

/// Names of other forms are refused, since they may be keys, which nobody is to see in the process list.
bool isVariable(View name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void storeDomain(Line& line, View name, View value) {
  const std::size_t equals = value.find('=');
  if (equals == View::npos || equals == 0)
    refuse(std::string{name} + " takes NAME=VARIABLE or NAME=@FILE, such as shop=SHOP_KEY");
  const std::string domain{value.substr(0, equals)};
  const View source = value.substr(equals + 1);
  KeySource made{.domain = domain};
  if (source.starts_with('@') && source.size() > 1) {
    made.file = source.substr(1);
  } else if (isVariable(source)) {
    made.variable = source;
  } else {
    refuse(
        std::string{name} + ' ' + domain +
        "=… takes the environment variable that holds the key (capital letters, digits and '_'), or @FILE; "
        "the key itself must not be on the command line, where others can read it");
  }
  if (std::ranges::find(line.domains, domain, &KeySource::domain) != line.domains.end())
    refuse(std::string{name} + " names '" + domain + "' twice");
  line.domains.push_back(std::move(made));
}

/// `127.0.0.1:9464` or `[::1]:9464`.
void storeMetrics(Line& line, View name, View value) {
  const std::size_t colon = value.rfind(':');
  std::string address{value.substr(0, colon == View::npos ? 0 : colon)};
  const bool isBracketed = address.starts_with('[') && address.ends_with(']');
  if (isBracketed) address = address.substr(1, address.size() - 2);
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  if (inet_pton(isBracketed ? AF_INET6 : AF_INET, address.c_str(), ignored.data()) != 1)
    refuse(std::string{name} +
           " takes an IP address and a port, such as 127.0.0.1:9464 or [::1]:9464, not '" +
           std::string{value} + "'");
  const std::string of = "the port of " + std::string{name};
  line.metrics = {.address = std::move(address),
                  .port = static_cast<std::uint16_t>(number(of, value.substr(colon + 1), 0, 65'535))};
}

void storePriority(Line& line, View name, View value) {
  for (const auto priority : {ReportPriority::normal, ReportPriority::low})
    if (toString(priority) == value) {
      line.enqueue.priority = priority;
      return;
    }
  refuse(std::string{name} + " takes normal or low, not '" + std::string{value} + "'");
}

void storeNotBefore(Line& line, View name, View value) {
  constexpr std::uint64_t year9999 = 253'402'300'799;
  line.enqueue.notBefore =
      Timestamp{std::chrono::seconds{static_cast<std::int64_t>(number(name, value, 0, year9999))}};
}

// ---- The tables

struct Command {
  View name;
  View arguments;  // the placeholders in `--help`
  std::size_t least;
  std::size_t most;
  View help;
};

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

constexpr std::array commands{
    Command{"migrate", "", 0, 0, "create the schema in the database, or bring it up to date"},
    Command{"work", "", 0, 0, "send the reports of the given domains until a signal arrives"},
    Command{"status", "", 0, 0, "print how many reports wait, are blocked or have failed in each domain"},
    Command{"failed", "", 0, 0, "list the refused and unknown reports that have not been retried"},
    Command{"blocked", "", 0, 0,
            "list the reports that are next on their objects and can't be sent at present"},
    Command{"requests", "", 0, 0, "list the requests of retry, cancel and release, with their answers"},
    Command{"enqueue", "DOMAIN FILE", 2, 2,
            "enqueue the reports of a file, one JSON object per line; - is stdin"},
    Command{"retry", "NUMBER...", 1, any, "send refused or unknown reports again"},
    Command{"cancel", "NUMBER...", 1, any, "cancel reports that have not been sent"},
    Command{"release", "NUMBER...", 1, any, "send reports that are parked, or whose time has not come"},
    Command{"pause", "DOMAIN REASON", 2, 2, "send nothing more in a domain"},
    Command{"resume", "DOMAIN", 1, 1, "resume sending in a paused domain"},
    Command{"limit-waiting", "DOMAIN COUNT", 2, 2,
            "refuse new reports while about this many wait in a domain; none: no limit"},
    Command{"erase", "DOMAIN OBJECT", 2, 2,
            "remove the reports on an object, once all are decided; hashes of their keys stay"},
    Command{"help", "", 0, 0, "show this help"}};

struct Option {
  View name;
  View value;     // the placeholder in `--help`; empty if the option takes no value
  View commands;  // those that it is for, with a space around each; empty: all
  View help;
  void (*apply)(Line& line, View name, View value);
};

constexpr std::array knownOptions{
    Option{"--database", "URL", "", "the database (default: $TALLY_OUTBOX_DATABASE)",
           storeText<&Line::database>},
    Option{"--limit", "N", " failed blocked requests ", "how many to list (default: 100)",
           storeNumber<&Line::limit, 1, 1'000'000>},
    Option{"--note", "TEXT", " retry cancel release resume erase ", "the reason, for the audit",
           storeText<&Line::note>},
    Option{"--priority", "normal|low", " enqueue ", "low: after all normal reports, for a backfill",
           storePriority},
    Option{"--not-before", "SECONDS", " enqueue ",
           "do not send before this time, in seconds since the Unix epoch", storeNotBefore},
    Option{"--domain", "NAME=VARIABLE", " work ",
           "send the reports of a domain; VARIABLE is the environment variable\n"
           "that holds the key; NAME=@FILE names a file instead; may be repeated",
           storeDomain},
    Option{"--base-url", "URL", " work ", "the address of the service (default: $TALLY_BASE_URL)",
           storeText<&Line::baseUrl>},
    Option{"--allow-plain-http", "", " work ",
           "send keys over http:// to other machines too, for example in a closed network",
           set<&Line::allowPlainHttp>},
    Option{"--lease", "SECONDS", " work ",
           "how long a worker may be silent before others take over (default: 15)",
           storeDuration<&Line::lease, std::chrono::seconds, 1, 3'600>},
    Option{"--timeout", "SECONDS", " work ",
           "time limit of an attempt (default and maximum: half of the lease)",
           storeDuration<&Line::timeout, std::chrono::seconds, 1, 1'800>},
    Option{"--window", "N", " work ", "reports held in memory per domain (default: 1000)",
           storeNumber<&Line::window, 1, 1'000'000>},
    Option{"--max-in-flight", "N", " work ", "requests in flight per domain (default: 64)",
           storeNumber<&Line::maxInFlight, 1, 10'000>},
    Option{"--retention", "DAYS", " work ",
           "remove reports this long after they were decided (default: never)",
           storeDuration<&Line::retention, std::chrono::days, 0, 36'500>},
    Option{"--allow-loss-on-power-failure", "", " work ",
           "work with a database that may lose commits when the power fails",
           set<&Line::allowLossOnPowerFailure>},
    Option{"--metrics", "ADDRESS:PORT", " work ",
           "serve /metrics for Prometheus, and /health; port 0 selects any free port", storeMetrics},
    Option{"--help", "", "", "show this help", set<&Line::help>},
    Option{"--version", "", "", "show the version", set<&Line::version>}};

const Option& findOption(View name) {
  const auto* const found = std::ranges::find(knownOptions, name, &Option::name);
  if (found == knownOptions.end())
    refuse("unknown option '" + std::string{name} + "'" +
           suggestion(name, knownOptions | std::views::transform(&Option::name)));
  return *found;
}

const Command& findCommand(View name) {
  const auto* const found = std::ranges::find(commands, name, &Command::name);
  if (found == commands.end())
    refuse("unknown command '" + std::string{name} + "'" +
           suggestionOrList(name, commands | std::views::transform(&Command::name)));
  return *found;
}

// ---- What belongs together

void check(const Command& command, std::size_t arguments) {
  if (arguments >= command.least && arguments <= command.most) return;
  refuse(std::string{command.name} + " takes " +
         (command.arguments.empty() ? "no arguments" : std::string{command.arguments}));
}

void check(const Command& command, const std::vector<const Option*>& given) {
  for (const Option* const option : given)
    if (!option->commands.empty() &&
        option->commands.find(' ' + std::string{command.name} + ' ') == View::npos)
      refuse(std::string{option->name} + " is not an option of " + std::string{command.name});
}

std::string fromEnvironment(const std::string& given, const char* variable) {
  const char* const value = given.empty() ? std::getenv(variable) : nullptr;
  return value == nullptr ? given : value;
}

/// The host and port of a URL. A user before them could look like one.
bool isThisMachine(View authority) {
  if (authority.find('@') != View::npos) return false;
  const View host =
      authority.substr(0, authority.find(':', authority.find(']') == View::npos ? 0 : authority.find(']')));
  return host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

/// With an address that no client can use, nothing could be sent.
void checkAddress(View url, bool allowPlainHttp) {
  const std::size_t scheme = url.find("://");
  const View authority = url.substr(0, endOfAuthority(url)).substr(std::min(scheme + 3, url.size()));
  const bool isPlain = url.starts_with("http://");
  if (!isServiceAddress(url))
    refuse(
        "--base-url takes the address of the service, such as https://api.example.com, without '?', '#' or "
        "spaces");
  if (isPlain && !allowPlainHttp && !isThisMachine(authority))
    refuse(
        "--base-url with plain http:// would expose the key to the network: use https://, or set "
        "--allow-plain-http");
}

void checkWork(const Line& line) {
  if (line.domains.empty())
    refuse("work needs --domain NAME=VARIABLE for each domain whose reports it sends");
  if (line.baseUrl.empty()) refuse("work needs --base-url URL, or TALLY_BASE_URL in the environment");
  checkAddress(line.baseUrl, line.allowPlainHttp);
  if (line.attemptTimeout() > std::chrono::milliseconds{line.lease} / 2)
    refuse("--timeout must be at most half of --lease, so that an attempt ends within the lease");
}

void complete(Line& line, const std::vector<const Option*>& given) {
  const Command& command = findCommand(line.command);
  check(command, line.arguments.size());
  check(command, given);
  line.help = command.name == "help";
  if (line.help) return;
  line.database = fromEnvironment(line.database, "TALLY_OUTBOX_DATABASE");
  if (line.database.empty())
    refuse(
        std::string{command.name} +
        " needs --database URL, or TALLY_OUTBOX_DATABASE in the environment, such as postgresql://host/name");
  if (command.name == "work") {
    line.baseUrl = fromEnvironment(line.baseUrl, "TALLY_BASE_URL");
    checkWork(line);
  }
}

/// An entry of `--help`, whose text may have several lines.
std::string entry(std::string head, std::size_t column, View help) {
  std::string text;
  for (const auto part : std::views::split(help, '\n')) {
    head.resize(std::max(column, head.size()), ' ');
    text += head + std::string{part.begin(), part.end()} + '\n';
    head.clear();
  }
  return text;
}

std::string headOf(View name, View value) {
  return "  " + std::string{name} + (value.empty() ? "" : " ") + std::string{value};
}

/// One column for each table.
template <class Table, class Head>
void appendTable(std::string& text, const Table& table, Head head) {
  const std::size_t column =
      2 + std::ranges::max(table | std::views::transform([&](const auto& row) { return head(row).size(); }));
  for (const auto& row : table)
    text += entry(head(row), column, row.help);
}

}  // namespace

CommandLine parseCommandLine(std::span<const std::string> arguments) {
  CommandLine line;
  std::vector<std::string> words;
  std::vector<const Option*> given;
  bool mayBeOption = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const View argument = arguments[i];
    if (mayBeOption && argument == "--") {
      mayBeOption = false;
      continue;
    }
    if (!mayBeOption || !argument.starts_with("--")) {
      words.emplace_back(argument);
      continue;
    }
    const std::size_t equals = argument.find('=');
    const Option& option = findOption(argument.substr(0, equals));
    View value;
    if (equals != View::npos) {
      if (option.value.empty()) refuse(std::string{option.name} + " takes no value");
      value = argument.substr(equals + 1);
    } else if (!option.value.empty()) {
      if (i + 1 == arguments.size()) refuse(std::string{option.name} + " needs a value");
      value = arguments[++i];
    }
    option.apply(line, option.name, value);
    given.push_back(&option);
  }
  if (line.help || line.version) return line;
  if (words.empty()) refuse("a command is missing");
  line.command = findCommand(words.front()).name;
  line.arguments.assign(words.begin() + 1, words.end());
  complete(line, given);
  return line;
}

std::uint64_t reportNumber(std::string_view text) {
  return number("the number of a report", text, 1, std::numeric_limits<std::int64_t>::max());
}

std::optional<std::uint64_t> waitingLimit(std::string_view text) {
  if (text == "none") return std::nullopt;
  return number("COUNT (or none)", text, 0, std::numeric_limits<std::int64_t>::max());
}

std::string usageText() {
  std::string text =
      "usage: tally-outbox COMMAND [OPTION]... [ARGUMENT]...\n"
      "Sends the reports that wait in a database's outbox, and shows and changes them.\n\n"
      "Commands:\n";
  appendTable(text, commands, [](const Command& row) { return headOf(row.name, row.arguments); });
  text += "\nOptions:\n";
  appendTable(text, knownOptions, [](const Option& row) { return headOf(row.name, row.value); });
  text +=
      "\nwork prints one line on standard error for each event. The first SIGTERM, SIGINT or SIGHUP ends it "
      "once\n"
      "the reports in flight are decided; the second ends it immediately, and other workers resolve the "
      "rest.\n"
      "A key file is read again when it changes. The database password belongs in the environment or in\n"
      "~/.pgpass, not in --database.\n\n"
      "Each line of FILE is a report, such as "
      "{\"id\":\"pr_1\",\"outcome\":\"failed\",\"time\":1767225600,\"key\":\"order-42\"},\n"
      "with the optional members key and connected_account. Lines with a key are not enqueued twice.\n\n"
      "Exit status: 0 on success, and if a first signal ends work; 1 if the database, a file or the address "
      "can't be\n"
      "used, the database refuses the request, or a signal ends enqueue, which says what is enqueued; 2 for "
      "an "
      "invalid\n"
      "argument; 128 plus the signal number after a second signal.\n";
  return text;
}

}  // namespace tally::detail
