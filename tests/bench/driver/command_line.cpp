#include "bench/driver/command_line.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include <fnmatch.h>

namespace tally::bench {

namespace {

constexpr int usualRunsOfResults = 3;  // the fewest that have a spread and a median
constexpr int mostRuns = 100;

int runsIn(std::string_view text) {
  int runs = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, runs);
  if (read.ec != std::errc{} || read.ptr != end || runs < 1 || runs > mostRuns)
    throw std::invalid_argument{"--runs takes a number from 1 to " + std::to_string(mostRuns) + ", not '" +
                                std::string{text} + '\''};
  return runs;
}

bool matches(const std::string& pattern, std::string_view name) {
  return fnmatch(pattern.c_str(), std::string{name}.c_str(), 0) == 0;
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  std::string_view last;
  for (const std::string_view name : names) {
    if (name != last) text.append(" ").append(name);
    last = name;
  }
  return text;
}

}  // namespace

CommandLine parseCommandLine(std::span<const std::string_view> arguments,
                             std::span<const std::string_view> names) {
  CommandLine line;
  std::optional<int> runs;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const auto value = [&] {
      if (i + 1 == arguments.size()) throw std::invalid_argument{std::string{argument} + " takes a value"};
      return arguments[++i];
    };
    if (argument == "--help") {
      line.help = true;
    } else if (argument == "--json") {
      line.json = value();
    } else if (argument == "--compare") {
      line.compare = value();
    } else if (argument == "--runs") {
      runs = runsIn(value());
    } else if (argument.starts_with('-')) {
      throw std::invalid_argument{"unknown option " + std::string{argument} + "; see ./dev bench --help"};
    } else if (std::ranges::none_of(names, [&](auto name) { return matches(std::string{argument}, name); })) {
      throw std::invalid_argument{"no row is named '" + std::string{argument} +
                                  "'; there are:" + listed(names)};
    } else {
      line.rows.emplace_back(argument);
    }
  }
  line.runs = runs.value_or(line.json.empty() && line.compare.empty() ? 1 : usualRunsOfResults);
  return line;
}

bool isWanted(const CommandLine& line, std::string_view name) {
  return line.rows.empty() ||
         std::ranges::any_of(line.rows, [&](const std::string& pattern) { return matches(pattern, name); });
}

std::string usageText(std::span<const std::string_view> names) {
  return "usage: ./dev bench [OPTION]... [ROW]...\n"
         "Measures the named rows, or all, and prints each beside a reference of the same run.\n"
         "Fails if a result is wrong or a goal is missed.\n\n"
         "  --runs N        measure each row N times (default: 1; 3 with --json or --compare), and show the "
         "median run\n"
         "  --json FILE     write the results to FILE\n"
         "  --compare FILE  compare the results with those in FILE, with the spread of both\n"
         "  --help          show this help\n\n"
         "A ROW is a name or a pattern such as 'outbox*'. Rows:" +
         listed(names) + '\n';
}

}  // namespace tally::bench
