#pragma once

#include <string>

#include <tally/fake/service.h>
#include <tally/options.h>

#include "api_key.h"
#include "arguments.h"

/// What an example calls: a fake in this process, or the service that `--base-url` names.
struct Target {
  tally::fake::Service& fake;
  std::string fakeKey{};
  std::string baseUrl{};

  [[nodiscard]] tally::ClientOptions clientOptions() const {
    if (baseUrl.empty()) return fake.clientOptions(fakeKey);
    return {.apiKey = apiKey(), .baseUrl = baseUrl};
  }
};
