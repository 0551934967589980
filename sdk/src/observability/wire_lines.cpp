#include "observability/wire_lines.h"

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "text/ascii.h"
#include "text/base64.h"
#include "text/readable.h"
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

constexpr std::size_t shortestSecret = 6;  // a shorter one, such as a flag, is found by chance
constexpr std::size_t longestHeader = 1'000;
constexpr std::size_t largestRead = std::size_t{1'024} * 1'024;

bool isHarmless(std::string_view name) {
  return std::ranges::any_of(harmless, [&](std::string_view each) { return equalIgnoringCase(each, name); });
}

std::string sizeOf(std::string_view kind, std::string_view body) {
  return "[" + std::string{kind} + std::to_string(body.size()) + " bytes]";
}

}  // namespace

std::string WireLines::request(const HttpRequest& request) {
  learn(request.headers);
  (void)parts_.url(request.url);  // learns what they contain
  (void)body(request.headers, request.body);
  std::string line = "> " + std::string{toString(request.method)} + ' ';
  appendReadable(line, parts_.url(request.url), std::string::npos);
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

/// Of credentials, only what follows the scheme is secret. Recipients, who may repeat a value, ignore the
/// blanks around it.
void WireLines::learn(const std::vector<Header>& headers) {
  for (const auto& [name, value] : headers) {
    if (isHarmless(name) || value.size() < shortestSecret) continue;
    const bool hasScheme = equalIgnoringCase(name, "Authorization");
    const std::string_view secret =
        trimmed(std::string_view{value}.substr(hasScheme ? value.find(' ') + 1 : 0));
    secrets_.add(secret);
    if (hasScheme && startsIgnoringCase(value, "Basic ")) learnPair(decodeBase64(secret).value_or(""));
  }
}

/// Recipients know the user and the password of HTTP Basic.
void WireLines::learnPair(std::string_view pair) {
  const std::size_t colon = std::min(pair.find(':'), pair.size());
  for (const std::string_view part : {pair.substr(0, colon), pair.substr(std::min(colon + 1, pair.size()))})
    if (part.size() >= shortestSecret) secrets_.add(part);
}

std::string WireLines::body(const std::vector<Header>& headers, std::string_view body) {
  if (body.empty() || options_.maxBodyBytes == 0) return {};
  if (body.size() > largestRead) return sizeOf("", body);
  if (isMultipartBody(headers))
    return parts_.multipart(typeIn(headers), body).value_or(sizeOf("malformed multipart, ", body));
  if (isJsonBody(headers, body)) return parts_.json(body).value_or(sizeOf("malformed JSON, ", body));
  return isFormBody(headers) ? parts_.form(body) : secrets_.redact(body);
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
