#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

/// The value that follows the argument `name`, if both are there; then they are consumed.
inline std::optional<std::string> takeOption(int& argc, char** argv, std::string_view name) {
  const std::span arguments{argv, static_cast<std::size_t>(argc)};
  const auto found = std::find(arguments.begin() + 1, arguments.end(), name);
  if (arguments.end() - found < 2) return std::nullopt;
  std::string value{found[1]};
  std::rotate(found, found + 2, arguments.end());
  argc -= 2;
  return value;
}

/// Sets `number` to the value of the option, if that is there. Ends the program with status 2 if it is no
/// number.
inline void takeNumber(int& argc, char** argv, std::string_view name, std::uint64_t& number) {
  const auto value = takeOption(argc, argv, name);
  if (!value) return;
  const char* const end = value->data() + value->size();
  const auto [stopped, error] = std::from_chars(value->data(), end, number);
  if (error == std::errc{} && stopped == end) return;
  std::cerr << name << " takes a number, not '" << *value << "'; see --help\n";
  std::exit(2);
}

/// Ends the program if arguments are left: with status 0 for `--help`, with status 2 for any other.
inline void expectNoMore(int argc, char** argv, std::string_view help) {
  if (argc < 2) return;
  if (std::string_view{argv[1]} == "--help") {
    std::cout << help;
    std::exit(0);
  }
  std::cerr << "unexpected argument or missing value: '" << argv[1] << "'; see --help\n";
  std::exit(2);
}
