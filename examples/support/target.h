#pragma once

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

#include <tally/fake/service.h>
#include <tally/options.h>

/// What an example calls: a fake in this process, or the service that `--base-url` names.
struct Target {
  tally::fake::Service& fake;
  std::string fakeKey{};
  std::string baseUrl{};

  [[nodiscard]] tally::ClientOptions clientOptions() const {
    if (baseUrl.empty()) return fake.clientOptions(fakeKey);
    const char* key = std::getenv("TALLY_API_KEY");
    return {.apiKey = key ? key : "", .baseUrl = baseUrl};
  }
};

/// The value of the argument `name`, if it is the next one; then it is consumed.
inline std::optional<std::string> takeOption(int& argc, char**& argv, std::string_view name) {
  if (argc < 3 || argv[1] != name) return std::nullopt;
  std::string value{argv[2]};
  argc -= 2;
  argv += 2;
  return value;
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
