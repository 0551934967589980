#pragma once

#include <cstdlib>
#include <string>

/// The key in the environment; empty if there is none.
inline std::string apiKey() {
  const char* key = std::getenv("TALLY_API_KEY");
  return key ? key : "";
}
