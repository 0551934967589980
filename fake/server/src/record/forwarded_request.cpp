#include "record/forwarded_request.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "request/request_head.h"
#include "text/ascii.h"

namespace tally::fake::detail {

using tally::detail::equalIgnoringCase;

namespace {

constexpr std::string_view hopByHop[] = {"Connection",
                                         "Content-Length",
                                         "Keep-Alive",
                                         "Proxy-Authenticate",
                                         "Proxy-Connection",
                                         "Proxy-Authorization",
                                         "TE",
                                         "Trailer",
                                         "Transfer-Encoding",
                                         "Upgrade"};
constexpr std::string_view ownOfRequests[] = {"Accept-Encoding", "Expect", "Host"};

bool isOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view each) { return equalIgnoringCase(each, name); });
}

/// Whether `Connection` names the header.
bool isNamedBy(const std::vector<Header>& headers, std::string_view name) {
  return std::ranges::any_of(headers, [&](const Header& header) {
    if (!equalIgnoringCase(header.name, "Connection")) return false;
    std::string_view options = header.value;
    while (!options.empty()) {
      const std::size_t end = std::min(options.find(','), options.size());
      std::string_view option = options.substr(0, end);
      option.remove_prefix(std::min(option.find_first_not_of(' '), option.size()));
      option = option.substr(0, option.find_last_not_of(' ') + 1);
      if (equalIgnoringCase(option, name)) return true;
      options.remove_prefix(std::min(end + 1, options.size()));
    }
    return false;
  });
}

std::string targetAt(const Incoming& incoming, const UpstreamUrl& upstream) {
  const Target target = targetOf(incoming.request.url);
  std::string text = upstream.path + std::string{target.path};
  if (text.empty()) text = "/";
  if (target.query.data() != nullptr) (text += '?') += target.query;
  return text;
}

}  // namespace

std::vector<Header> forwardedHeaders(const Incoming& incoming, const UpstreamUrl& upstream) {
  const std::vector<Header>& given = incoming.request.headers;
  std::vector<Header> headers{{"Host", upstream.authority}};
  for (const Header& header : given)
    if (!isOneOf(header.name, hopByHop) && !isOneOf(header.name, ownOfRequests) &&
        !isNamedBy(given, header.name))
      headers.push_back(header);
  const bool hasBody = !incoming.request.body.empty() || incoming.request.method == Method::post;
  if (hasBody) headers.push_back({"Content-Length", std::to_string(incoming.request.body.size())});
  return headers;
}

std::string forwardedUrl(const Incoming& incoming, const UpstreamUrl& upstream) {
  return upstream.origin() + targetAt(incoming, upstream);
}

UpstreamRequest forwarded(const Incoming& incoming, const std::vector<Header>& headers,
                          const UpstreamUrl& upstream) {
  const std::string_view method = methodOf(incoming);
  std::string bytes{method};
  (bytes += ' ') += targetAt(incoming, upstream);
  bytes += " HTTP/1.1\r\n";
  for (const Header& header : headers)
    bytes.append(header.name).append(": ").append(header.value) += "\r\n";
  bytes += "\r\n";
  bytes += incoming.request.body;
  return {
      .bytes = std::move(bytes), .isRead = method == "GET" || method == "HEAD", .bodiless = method == "HEAD"};
}

void removeConnectionHeaders(std::vector<Header>& headers, bool bodiless) {
  const std::vector<Header> given = headers;
  std::erase_if(headers, [&](const Header& header) {
    if (bodiless && equalIgnoringCase(header.name, "Content-Length")) return false;
    return isOneOf(header.name, hopByHop) || isNamedBy(given, header.name);
  });
}

}  // namespace tally::fake::detail
