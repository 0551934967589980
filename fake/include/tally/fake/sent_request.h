#pragma once

#include <string>
#include <vector>

#include <tally/transport.h>

// The decoded contents of a request, for tests of what an application sends.

namespace tally::fake {

/// A parameter, such as `metadata[order]`, and its value.
struct SentParam {
  std::string name{};
  std::string value{};

  bool operator==(const SentParam&) const = default;
};

/// The parameters of the query and then, if the body is a form, of the body, in the order sent. Text with
/// invalid encoding is returned as sent.
[[nodiscard]] std::vector<SentParam> sentParams(const HttpRequest& request);

/// The path of the URL as sent: encoded, without scheme, host and query.
[[nodiscard]] std::string sentPath(const HttpRequest& request);

}  // namespace tally::fake
