#pragma once

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include <tally/fake/service.h>
#include <tally/options.h>

#include "arguments.h"

/// What an example calls: a fake in this process, or the service that `--base-url` names.
struct Target {
  tally::fake::Service& fake;
  std::string fakeKey{};
  std::string baseUrl{};

  /// Ends the program if the key is missing.
  [[nodiscard]] tally::ClientOptions clientOptions() const try {
    if (baseUrl.empty()) return fake.clientOptions(fakeKey);
    return tally::ClientOptions::fromEnvironment({.baseUrl = baseUrl});
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << '\n';
    std::exit(2);
  }
};
