#include "observability/wire_lines.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "observability/redacted_json.h"
#include "text/ascii.h"
#include "text/find_header.h"
#include "text/readable.h"
#include "text/url.h"
#include "wire.h"

namespace tally::detail {

namespace {

/// The headers whose values are logged; all others may contain secrets.
constexpr std::string_view harmless[] = {"Accept",
                                         "Cache-Control",
                                         "Connection",
                                         "Content-Encoding",
                                         "Content-Length",
                                         "Content-Type",
                                         "Date",
                                         "Retry-After",
                                         "Server",
                                         "Transfer-Encoding",
                                         "User-Agent",
                                         "Via",
                                         "traceparent",
                                         "tracestate",
                                         header::connectedAccount,
                                         header::rateLimitedReason,
                                         header::requestId};

constexpr std::size_t longestHeader = 1'000;
constexpr std::size_t largestRead = 1'024 * 1'024;

bool isHarmless(std::string_view name) {
  return std::ranges::any_of(harmless, [&](std::string_view each) { return equalIgnoringCase(each, name); });
}

std::string sizeOf(std::string_view kind, std::string_view body) {
  return "[" + std::string{kind} + std::to_string(body.size()) + " bytes]";
}

/// Calls `visit` with each part of `text` between separators.
template <class Visit>
void forEachPart(std::string_view text, char separator, const Visit& visit) {
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    visit(text.substr(0, end));
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string WireLines::request(const HttpRequest& request) {
  learn(request.headers);
  (void)url(request.url);  // learns what they contain
  (void)body(request.headers, request.body);
  std::string line = "> " + std::string{toString(request.method)} + ' ';
  appendReadable(line, url(request.url), std::string::npos);
  appendHeaders(line, request.headers);
  appendBody(line, request.headers, request.body);
  return line;
}

std::string WireLines::response(const HttpResponse& response) {
  learn(response.headers);
  (void)body(response.headers, response.body);
  std::string line = "< " + std::to_string(response.status);
  appendHeaders(line, response.headers);
  appendBody(line, response.headers, response.body);
  return line;
}

std::string WireLines::failure(const TransportFailure& failure) const {
  TransportFailure shown = failure;
  shown.message = secrets_.redact(failure.message);
  std::ostringstream line;
  line << "< " << shown;
  return std::move(line).str();
}

/// Of credentials, only what follows the scheme is secret.
void WireLines::learn(const std::vector<Header>& headers) {
  constexpr std::size_t shortest = 6;  // a shorter one, such as a flag, is found by chance
  for (const auto& [name, value] : headers) {
    if (isHarmless(name) || value.size() < shortest) continue;
    const bool hasScheme = equalIgnoringCase(name, "Authorization");
    secrets_.add(std::string_view{value}.substr(hasScheme ? value.find(' ') + 1 : 0));
  }
}

std::string WireLines::url(std::string_view url) {
  const std::size_t query = std::min(url.find('?'), url.size());
  const std::string address = secrets_.redact(withoutCredentials(url.substr(0, query)));
  const std::size_t origin = endOfAuthority(address);
  std::string shown = address.substr(0, origin) + path(std::string_view{address}.substr(origin));
  if (query < url.size()) shown += '?' + form(url.substr(query + 1));
  return shown;
}

std::string WireLines::path(std::string_view path) const {
  std::string shown;
  forEachPart(path, '/', [&](std::string_view segment) {
    if (segment.data() != path.data()) shown += '/';
    const auto decoded = percentDecode(segment);
    shown += decoded && secrets_.redact(*decoded) == *decoded ? segment : redacted;
  });
  return shown;
}

std::string WireLines::form(std::string_view pairs) {
  std::string shown;
  forEachPart(pairs, '&', [&](std::string_view each) {
    if (each.data() != pairs.data()) shown += '&';
    shown += pair(each);
  });
  return shown;
}

std::string WireLines::pair(std::string_view pair) {
  const std::size_t equals = std::min(pair.find('='), pair.size());
  const auto name = formDecode(pair.substr(0, equals));
  if (!name || secrets_.redact(*name) != *name) return std::string{redacted};
  if (equals == pair.size()) return std::string{pair};
  std::string shown{pair.substr(0, equals + 1)};
  const auto value = formDecode(pair.substr(equals + 1));
  if (!value) return shown += redacted;
  const bool isSecret = names_.contains(*name);
  if (isSecret) secrets_.add(*value);
  return shown += isSecret || secrets_.redact(*value) != *value ? redacted : pair.substr(equals + 1);
}

std::string WireLines::json(std::string_view body) {
  std::string shown;
  return appendRedactedJson(shown, body, names_, secrets_) ? shown : sizeOf("malformed JSON, ", body);
}

std::string WireLines::body(const std::vector<Header>& headers, std::string_view body) {
  if (body.empty() || options_.maxBodyBytes == 0) return {};
  if (body.size() > largestRead) return sizeOf("", body);
  const std::string* const header = findHeader(headers, "Content-Type");
  const std::string_view type = header == nullptr ? std::string_view{} : *header;
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  const bool looksLikeJson = first != std::string_view::npos && (body[first] == '{' || body[first] == '[');
  if (looksLikeJson || type.find("json") != std::string_view::npos) return json(body);
  return type.find("x-www-form-urlencoded") != std::string_view::npos ? form(body) : secrets_.redact(body);
}

void WireLines::appendHeaders(std::string& line, const std::vector<Header>& headers) const {
  line += " [";
  for (const auto& [name, value] : headers) {
    if (line.back() != '[') line += ", ";
    appendReadable(line, secrets_.redact(name), longestHeader);
    line += ": ";
    appendReadable(line, isHarmless(name) ? secrets_.redact(value) : std::string{redacted}, longestHeader);
  }
  line += ']';
}

void WireLines::appendBody(std::string& line, const std::vector<Header>& headers, std::string_view text) {
  const std::string shown = body(headers, text);
  if (shown.empty()) return;
  appendReadable(line += ' ', shown, options_.maxBodyBytes);
}

}  // namespace tally::detail
