#pragma once

#include <string>

#include "fake/server/support/program.h"

namespace tally::bench {

/// Requests per second, measured by wrk over `connections` persistent connections. Throws std::runtime_error
/// if a response is no success.
[[nodiscard]] double requestsPerSecond(const std::string& url, const std::string& key, int connections);

/// The same on one connection, on which wrk sends 16 requests at a time.
[[nodiscard]] double pipelinedRequestsPerSecond(const std::string& url, const std::string& key);

/// The path of a record of that server. Throws std::runtime_error if it has none.
[[nodiscard]] std::string recordPath(const test::Greeting& greeting);

}  // namespace tally::bench
