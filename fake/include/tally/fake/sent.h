#pragma once

#include <string>
#include <vector>

#include <tally/transport.h>

// What a request says, decoded: for tests of what an application sends.

namespace tally::fake {

/// One parameter, as `metadata[order]` with its value.
struct SentParam {
  std::string name{};
  std::string value{};

  bool operator==(const SentParam&) const = default;
};

/// The parameters of the request's query, then those of its body if that is a form, as they follow each
/// other. What is not well encoded is left as it was sent.
[[nodiscard]] std::vector<SentParam> sentParams(const HttpRequest& request);

/// The path of its URL, as it was sent: encoded, and without scheme, host and query.
[[nodiscard]] std::string sentPath(const HttpRequest& request);

}  // namespace tally::fake
