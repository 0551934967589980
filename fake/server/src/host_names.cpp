#include "host_names.h"

#include <algorithm>

#include "tables/rules.h"
#include "text/ascii.h"
#include "text/find_header.h"

namespace tally::fake::detail {

using tally::detail::equalIgnoringCase;
using tally::detail::findHeader;

namespace {

constexpr ErrorResponse hostUnknown{
    .name = "host_unknown",
    .status = 403,
    .type = "invalid_request_error",
    .code = "host_unknown",
    .message =
        "The control API does not answer to the host name '{value}', which a web site may have pointed at "
        "this machine. If the name is yours, start tally-fake with --allow-host {value}.",
    .requestId = false};

constexpr ErrorResponse originRefused{
    .name = "origin_refused",
    .status = 403,
    .type = "invalid_request_error",
    .code = "origin_refused",
    .message =
        "The control API refuses requests from the web origin '{value}', because any web site could send "
        "them. Use the page at /_fake/ of this server, or send the request without a browser.",
    .requestId = false};

/// The name in `name:port` or `[address]:port`, without brackets.
std::string_view nameIn(std::string_view host) {
  const std::size_t bracket = host.find(']');
  if (host.starts_with('[') && bracket != std::string_view::npos) return host.substr(1, bracket - 1);
  return host.substr(0, host.find(':'));
}

/// What follows the scheme of an origin; the origin `null` has none.
std::string_view hostIn(std::string_view origin) {
  const std::size_t end = origin.find("://");
  return end == std::string_view::npos ? std::string_view{} : origin.substr(end + 3);
}

}  // namespace

HostNames::HostNames(std::string_view address, std::span<const std::string> more)
    : names_{"localhost", "127.0.0.1", "::1", std::string{address}} {
  names_.insert(names_.end(), more.begin(), more.end());
}

bool HostNames::isName(std::string_view text) {
  const auto belongs = [](char c) {
    return (c >= '0' && c <= '9') ||
           (tally::detail::asciiLower(c) >= 'a' && tally::detail::asciiLower(c) <= 'z') || c == '-' ||
           c == '_' || c == '.' || c == ':';
  };
  // A single colon would separate a port.
  return !text.empty() && std::ranges::all_of(text, belongs) && std::ranges::count(text, ':') != 1;
}

bool HostNames::has(std::string_view host) const {
  return std::ranges::any_of(names_,
                             [&](const std::string& name) { return equalIgnoringCase(name, nameIn(host)); });
}

Fault HostNames::refusal(const HttpRequest& request) const {
  const std::string* host = findHeader(request.headers, "Host");
  const std::string* origin = findHeader(request.headers, "Origin");
  if (host != nullptr && !has(*host))
    return Refusal{.response = &hostUnknown, .value = std::string{nameIn(*host)}};
  if (origin != nullptr && (host == nullptr || !equalIgnoringCase(hostIn(*origin), *host)))
    return Refusal{.response = &originRefused, .value = *origin};
  return std::nullopt;
}

}  // namespace tally::fake::detail
