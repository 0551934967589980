#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tables/parsed_number.h"
#include "text/suggestion.h"

// The options of a command. `Line` has a member for each.

namespace tally::fake::detail {

template <class Line>
struct CommandOption {
  using Text = std::string_view;

  Text name;
  Text value;  // the placeholder in `--help`; empty if the option takes no value
  Text help;
  void (*apply)(Line& line, Text name, Text value);
};

/// Throws std::invalid_argument.
inline std::uint64_t numberOption(std::string_view name, std::string_view text, std::uint64_t most) {
  const auto value = parsedNumber<std::uint64_t>(text);
  if (!value || *value > most)
    throw std::invalid_argument{std::string{name} + " takes a number from 0 to " + std::to_string(most) +
                                ", not '" + std::string{text} + "'"};
  return *value;
}

/// What an option does with its value, which most store in a member.
template <class Line>
struct Store {
  using Text = std::string_view;

  template <auto member, std::uint64_t most = std::numeric_limits<
                             std::remove_cvref_t<decltype(std::declval<Line&>().*member)>>::max()>
  static void number(Line& line, Text name, Text value) {
    using Number = std::remove_cvref_t<decltype(line.*member)>;
    line.*member = static_cast<Number>(numberOption(name, value, most));
  }

  template <auto member>
  static void text(Line& line, Text /*name*/, Text value) {
    line.*member = std::string{value};
  }

  template <auto member>
  static void file(Line& line, Text name, Text value) {
    if (value.empty()) throw std::invalid_argument{std::string{name} + " takes the name of a file, not ''"};
    text<member>(line, name, value);
  }

  /// For an option that may be repeated.
  template <auto member>
  static void further(Line& line, Text /*name*/, Text value) {
    (line.*member).emplace_back(value);
  }

  template <auto member, bool given>
  static void flag(Line& line, Text /*name*/, Text /*value*/) {
    line.*member = given;
  }
};

template <class Line>
const CommandOption<Line>& findOption(std::span<const CommandOption<Line>> options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &CommandOption<Line>::name);
  if (found != options.end()) return *found;
  throw std::invalid_argument{
      "unknown argument '" + std::string{name} + "'" +
      tally::detail::suggestion(name, options | std::views::transform(&CommandOption<Line>::name))};
}

/// Applies `--name value` and `--name=value`. An argument that is no option goes to `operand`, which returns
/// whether there is room for it. Throws std::invalid_argument for an unknown option or an invalid value.
template <class Line, class Operand>
void parseOptions(std::span<const CommandOption<Line>> options, std::span<const std::string> arguments,
                  Line& line, const Operand& operand) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with('-') && operand(argument)) continue;
    const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    const CommandOption<Line>& option = findOption(options, argument.substr(0, equals));
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
}

/// A line of `--help` for each option.
template <class Line>
std::string optionsText(std::span<const CommandOption<Line>> options) {
  const auto width = [](const CommandOption<Line>& option) {
    return option.name.size() + 1 + option.value.size();
  };
  const std::size_t helpColumn = 4 + std::ranges::max(options | std::views::transform(width));
  std::string text;
  for (const CommandOption<Line>& option : options) {
    std::string entry = "  " + std::string{option.name};
    if (!option.value.empty()) entry += ' ' + std::string{option.value};
    entry.resize(helpColumn, ' ');
    text += entry + std::string{option.help} + '\n';
  }
  return text;
}

}  // namespace tally::fake::detail
