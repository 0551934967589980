#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tally/transport.h>

namespace tally::fake::detail {

/// The path and query of a URL.
struct Target {
  std::string_view path{};
  std::string_view query{};
};

/// Never fails. Also accepts a URL without scheme and host.
[[nodiscard]] Target targetOf(std::string_view url);

/// The host and port of a URL; empty if it has none.
[[nodiscard]] std::string_view authorityOf(std::string_view url);

/// The request headers that the service reads. Pointers into the request; null if absent.
struct RequestHead {
  const std::string* authorization = nullptr;
  const std::string* connectedAccount = nullptr;
  const Header* foreignAccount = nullptr;  // names an account as the header of another service does
  const std::string* contentType = nullptr;
  const std::string* call = nullptr;
};

/// The first of several headers with the same name wins.
[[nodiscard]] RequestHead headOf(const HttpRequest& request);

/// The key or token of an `Authorization` header. Nothing if the scheme is neither Bearer nor Basic or has no
/// credentials; an empty key if Basic credentials are malformed or contain a password.
[[nodiscard]] std::optional<std::string> keyOf(std::string_view authorization);

}  // namespace tally::fake::detail
