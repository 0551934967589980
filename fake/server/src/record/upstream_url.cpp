#include "record/upstream_url.h"

#include <cstdint>
#include <stdexcept>

#include "tables/parsed_number.h"
#include "text/ascii.h"
#include "text/readable.h"
#include "text/url.h"

namespace tally::fake::detail {

namespace {

[[noreturn]] void refuseUrl(std::string_view url, const std::string& why) {
  std::string text = "--upstream takes a URL such as https://api.example.com, not ";
  tally::detail::appendQuoted(text, tally::detail::withoutCredentials(url));
  throw std::invalid_argument{text + ": " + why};
}

bool startsWithScheme(std::string_view url, std::string_view scheme) {
  return tally::detail::equalIgnoringCase(url.substr(0, scheme.size()), scheme);
}

/// The port after the host; empty if there is none.
std::string_view portIn(std::string_view authority) {
  const std::size_t afterHost = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t colon = authority.find(':', afterHost == std::string_view::npos ? 0 : afterHost);
  return colon == std::string_view::npos ? std::string_view{} : authority.substr(colon);
}

}  // namespace

UpstreamUrl parseUpstream(std::string_view url) {
  constexpr std::string_view plain = "http://";
  constexpr std::string_view secure = "https://";
  UpstreamUrl parsed{.secure = startsWithScheme(url, secure)};
  if (!parsed.secure && !startsWithScheme(url, plain)) refuseUrl(url, "it has no http:// or https://");
  const std::size_t begin = parsed.secure ? secure.size() : plain.size();
  const std::size_t end = tally::detail::endOfAuthority(url);
  const std::string_view authority = url.substr(begin, end - begin);
  const std::string_view path = url.substr(end);
  if (authority.find('@') != std::string_view::npos)
    refuseUrl(url, "leave out what precedes the @; clients send the key");
  if (path.find_first_of("?# \r\n") != std::string_view::npos)
    refuseUrl(url, "leave out what follows the path");
  const std::string_view port = portIn(authority);
  std::string_view host = authority.substr(0, authority.size() - port.size());
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty() || host.find_first_of("[] \r\n") != std::string_view::npos)
    refuseUrl(url, "it has no host");
  if (!port.empty() && parsedNumber<std::uint16_t>(port.substr(1)).value_or(0) == 0)
    refuseUrl(url, "its port is not a number from 1 to 65535");
  parsed.host = host;
  parsed.port = port.empty() ? (parsed.secure ? "443" : "80") : port.substr(1);
  parsed.authority = authority;
  parsed.path = path.substr(0, path.find_last_not_of('/') + 1);
  return parsed;
}

}  // namespace tally::fake::detail
