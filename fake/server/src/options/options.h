#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tables/parsed_number.h"
#include "text/suggestion.h"

// The options of tally-fake and of its subcommands. `Line` has what a command line says.

namespace tally::fake::detail {

template <class Line>
struct Option {
  std::string_view name;
  std::string_view value;  // the placeholder in `--help`; empty if the option takes no value
  std::string_view help;
  void (*apply)(Line& line, std::string_view name, std::string_view value);
};

/// Throws std::invalid_argument unless `text` is a number from 0 to `most`.
[[nodiscard]] inline std::uint64_t optionNumber(std::string_view name, std::string_view text,
                                                std::uint64_t most) {
  const auto value = parsedNumber<std::uint64_t>(text);
  if (!value || *value > most)
    throw std::invalid_argument{std::string{name} + " takes a number from 0 to " + std::to_string(most) +
                                ", not '" + std::string{text} + "'"};
  return *value;
}

/// What an option does with its value, if it stores the value in a member.
template <class Line>
struct Store {
  using Text = std::string_view;

  template <auto member, std::uint64_t most = std::numeric_limits<
                             std::remove_cvref_t<decltype(std::declval<Line&>().*member)>>::max()>
  static void number(Line& line, Text name, Text value) {
    using Number = std::remove_cvref_t<decltype(line.*member)>;
    line.*member = static_cast<Number>(optionNumber(name, value, most));
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

  template <auto member, bool value>
  static void flag(Line& line, Text /*name*/, Text /*value*/) {
    line.*member = value;
  }
};

template <class Line>
[[nodiscard]] const Option<Line>& optionNamed(std::span<const Option<Line>> options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &Option<Line>::name);
  if (found != options.end()) return *found;
  std::vector<std::string_view> names;
  for (const Option<Line>& option : options)
    names.push_back(option.name);
  throw std::invalid_argument{"unknown argument '" + std::string{name} + "'" +
                              tally::detail::suggestion(name, names)};
}

/// Applies the arguments in order: `--name value` or `--name=value`. Appends others to `positional`, or
/// refuses them if that is null. Throws std::invalid_argument.
template <class Line>
void applyOptions(std::span<const Option<Line>> options, std::span<const std::string> arguments, Line& line,
                  std::vector<std::string>* positional = nullptr) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (positional != nullptr && !argument.starts_with("-")) {
      positional->emplace_back(argument);
      continue;
    }
    const std::size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    const Option<Line>& option = optionNamed(options, argument.substr(0, equals));
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

/// The lines about the options in the output of `--help`.
template <class Line>
[[nodiscard]] std::string optionsText(std::span<const Option<Line>> options) {
  std::size_t widest = 0;
  for (const Option<Line>& option : options)
    widest = std::max(widest, option.name.size() + 1 + option.value.size());
  std::string text;
  for (const Option<Line>& option : options) {
    std::string entry = "  " + std::string{option.name};
    if (!option.value.empty()) entry += ' ' + std::string{option.value};
    entry.resize(4 + widest, ' ');
    text += entry + std::string{option.help} + '\n';
  }
  return text;
}

}  // namespace tally::fake::detail
