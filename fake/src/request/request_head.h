#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tally/transport.h>

namespace tally::fake::detail {

/// A URL without its scheme and host, cut in two.
struct Target {
  std::string_view path{};
  std::string_view query{};
};

/// Empty parts for what is no URL.
[[nodiscard]] Target targetOf(std::string_view url);

/// What of a request's headers the service looks at. Views of the request; null for what it does not have.
struct RequestHead {
  const std::string* authorization = nullptr;
  const std::string* connectedAccount = nullptr;
  const std::string* contentType = nullptr;
};

/// Of several headers of one name the first counts.
[[nodiscard]] RequestHead headOf(const HttpRequest& request);

/// The key or token of an `Authorization` header; nothing where it carries none. A scheme that is neither
/// Bearer nor Basic carries none; what is malformed, or has a password, gives an empty key.
[[nodiscard]] std::optional<std::string> keyOf(std::string_view authorization);

}  // namespace tally::fake::detail
