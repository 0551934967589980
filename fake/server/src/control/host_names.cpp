#include "control/host_names.h"

#include <algorithm>

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

#include "format/json_input.h"
#include "request/request_head.h"
#include "tables/parsed_number.h"
#include "tables/rules.h"
#include "text/ascii.h"
#include "text/find_header.h"

namespace tally::fake::detail {

using tally::detail::equalIgnoringCase;
using tally::detail::findHeader;

namespace {

constexpr ErrorResponse refusalWith(std::string_view code, std::string_view message) {
  return {.name = code,
          .status = 403,
          .type = "invalid_request_error",
          .code = code,
          .message = message,
          .requestId = false};
}

constexpr ErrorResponse hostUnknown = refusalWith(
    "host_unknown",
    "The control API does not accept the host name '{value}', which a web site may have pointed at this "
    "machine. If the name is yours, start tally-fake with --allow-host {value}.");

constexpr ErrorResponse hostInvalid = refusalWith(
    "host_unknown",
    "The control API does not accept the host '{value}': expected a name or an IP address, with or "
    "without a port, as in localhost:7878 or [::1]:7878.");

constexpr ErrorResponse originRefused = refusalWith(
    "origin_refused",
    "The control API refuses requests from the web origin '{value}', because any web site could send them. "
    "Use the page at /_fake/ of this server, or send the request without a browser.");

/// An IPv6 address in its shortest spelling; nothing if `text` is none.
std::optional<std::string> shortest(std::string_view text) {
  if (!HostNames::isName(text)) return std::nullopt;
  boost::system::error_code failed;
  const auto address = boost::asio::ip::make_address_v6(text, failed);
  return failed ? std::nullopt : std::optional{address.to_string()};
}

bool isIpv4(std::string_view text) {
  boost::system::error_code failed;
  (void)boost::asio::ip::make_address_v4(text, failed);
  return !failed;
}

/// Names that differ only in spelling become equal: in case, in the zeros of an address, or in the dot at the
/// end that stands for the root of DNS.
std::string canonical(std::string_view name) {
  if (auto address = shortest(name)) return *std::move(address);
  const std::string_view withoutDot = name.substr(0, name.size() - 1);
  if (name.size() > 1 && name.ends_with('.') && !isIpv4(withoutDot)) name = withoutDot;
  std::string lower{name};
  std::ranges::transform(lower, lower.begin(), tally::detail::asciiLower);
  return lower;
}

/// Whether `text` is empty or a port with its colon. The number may be missing (RFC 3986, 3.2.3).
bool isPort(std::string_view text) {
  constexpr std::uint64_t greatest = 65'535;
  if (text.empty() || text == ":") return true;
  const auto number = text.starts_with(':') ? parsedNumber<std::uint64_t>(text.substr(1)) : std::nullopt;
  return number && *number <= greatest;
}

/// The name in `name`, `name:port` or `[IPv6 address]:port`, as canonical() spells it. Nothing if `host` is
/// anything else.
std::optional<std::string> nameIn(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos || !isPort(host.substr(end + 1))) return std::nullopt;
    return shortest(host.substr(1, end - 1));
  }
  const std::string_view name = host.substr(0, host.find(':'));
  if (!HostNames::isName(name) || !isPort(host.substr(name.size()))) return std::nullopt;
  return canonical(name);
}

/// What follows the scheme of an origin; the origin `null` has none.
std::string_view hostIn(std::string_view origin) {
  const std::size_t end = origin.find("://");
  return end == std::string_view::npos ? std::string_view{} : origin.substr(end + 3);
}

}  // namespace

HostNames::HostNames(std::string_view address, std::span<const std::string> more)
    : names_{"localhost", "127.0.0.1", "::1", canonical(address)} {
  std::ranges::transform(more, std::back_inserter(names_), canonical);
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

Fault HostNames::refusalOf(std::string_view host) const {
  const auto name = nameIn(host);
  if (!name) return Refusal{.response = &hostInvalid, .value = std::string{host}};
  if (std::ranges::find(names_, *name) != names_.end()) return std::nullopt;
  return Refusal{.response = &hostUnknown, .value = *name};
}

/// A target such as `http://name/path` overrides the header (RFC 9112, 3.2.2).
Fault HostNames::refusal(const HttpRequest& request) const {
  const std::string* host = findHeader(request.headers, "Host");
  const std::string* origin = findHeader(request.headers, "Origin");
  const std::string_view target = authorityOf(request.url);
  if (!target.empty())
    if (auto refused = refusalOf(target)) return refused;
  if (host != nullptr)
    if (auto refused = refusalOf(*host)) return refused;
  if (origin != nullptr && (host == nullptr || !equalIgnoringCase(hostIn(*origin), *host)))
    return Refusal{.response = &originRefused, .value = *origin};
  return std::nullopt;
}

}  // namespace tally::fake::detail
