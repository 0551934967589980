#include "har/har_text.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <tally/version.h>

#include "json/json_writer.h"
#include "text/base64.h"
#include "text/decimal.h"
#include "text/find_header.h"
#include "text/url.h"
#include "text/utf8_sequence.h"
#include "time/rfc3339.h"

namespace tally::detail {

namespace {

/// In an object: the text itself if it is UTF-8, or else base64 with a member that says so.
void appendBytes(std::string& out, std::string_view name, std::string_view bytes, std::string_view encoding) {
  out.append(1, '"').append(name) += "\":";
  if (isUtf8(bytes)) return writeJsonString(out, bytes);
  writeJsonString(out, encodeBase64(bytes));
  out.append(",\"").append(encoding) += R"(":"base64")";
}

/// Text that is always UTF-8, unless a peer breaks the rules.
void appendText(std::string& out, std::string_view text) {
  if (isUtf8(text)) return writeJsonString(out, text);
  std::string encoded;
  percentEncode(encoded, text);
  writeJsonString(out, encoded);
}

/// Bytes that are not ASCII are percent-encoded if the URL is not UTF-8.
void appendUrl(std::string& out, std::string_view url) {
  if (isUtf8(url)) return writeJsonString(out, url);
  std::string encoded;
  for (const char& c : url) {
    const bool isAscii = static_cast<unsigned char>(c) < 0x80;
    isAscii ? encoded += c : (percentEncode(encoded, {&c, 1}), encoded);
  }
  writeJsonString(out, encoded);
}

void appendHeaders(std::string& out, const std::vector<Header>& headers) {
  out += R"("headers":[)";
  for (const Header& header : headers) {
    if (&header != headers.data()) out += ',';
    out += R"({"name":)";
    appendText(out, header.name);
    out += ',';
    appendBytes(out, "value", header.value, "_encoding");
    out += '}';
  }
  out += ']';
}

void appendMediaType(std::string& out, const std::vector<Header>& headers) {
  const std::string* const type = findHeader(headers, "Content-Type");
  out += R"("mimeType":)";
  appendText(out, type == nullptr ? std::string_view{"application/octet-stream"} : *type);
}

std::string decoded(std::string_view part) {
  auto text = formDecode(part);
  return text && isUtf8(*text) ? *std::move(text) : std::string{part};
}

void appendQuery(std::string& out, std::string_view url) {
  out += R"("queryString":[)";
  const std::size_t question = url.find('?');
  std::string_view pairs = question == std::string_view::npos ? std::string_view{} : url.substr(question + 1);
  pairs = pairs.substr(0, pairs.find('#'));
  while (!pairs.empty()) {
    const std::string_view pair = pairs.substr(0, pairs.find('&'));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (out.back() != '[') out += ',';
    out += R"({"name":)";
    appendText(out, decoded(pair.substr(0, equals)));
    out += R"(,"value":)";
    appendText(out, decoded(pair.substr(std::min(equals + 1, pair.size()))));
    out += '}';
    pairs.remove_prefix(std::min(pair.size() + 1, pairs.size()));
  }
  out += ']';
}

void appendSize(std::string& out, std::string_view name, std::size_t size) {
  out.append(1, '"').append(name) += "\":";
  appendDecimal(out, static_cast<std::int64_t>(size));
}

void appendRequest(std::string& out, const Exchange& exchange) {
  out += R"("request":{"method":)";
  appendText(out, exchange.method);
  out += R"(,"url":)";
  appendUrl(out, exchange.url);
  out += R"(,"httpVersion":"HTTP/1.1","cookies":[],)";
  appendHeaders(out, exchange.requestHeaders);
  out += ',';
  appendQuery(out, exchange.url);
  if (!exchange.requestBody.empty()) {
    out += R"(,"postData":{)";
    appendMediaType(out, exchange.requestHeaders);
    out += ',';
    appendBytes(out, "text", exchange.requestBody, "_encoding");
    out += '}';
  }
  out += R"(,"headersSize":-1,)";
  appendSize(out, "bodySize", exchange.requestBody.size());
  out += '}';
}

/// Without the bracket that ends it.
void appendResponse(std::string& out, int status, const std::vector<Header>& headers, std::string_view body) {
  const std::string* const location = findHeader(headers, "Location");
  out += R"("response":{"status":)";
  appendDecimal(out, status);
  out += R"(,"statusText":"","httpVersion":"HTTP/1.1","cookies":[],)";
  appendHeaders(out, headers);
  out += R"(,"content":{)";
  appendSize(out, "size", body.size());
  out += ',';
  appendMediaType(out, headers);
  if (!body.empty()) {
    out += ',';
    appendBytes(out, "text", body, "encoding");
  }
  out += R"(},"redirectURL":)";
  appendUrl(out, location == nullptr ? std::string_view{} : *location);
  out += R"(,"headersSize":-1,)";
  appendSize(out, "bodySize", body.size());
}

/// Milliseconds, with a fraction if need be.
void appendDuration(std::string& out, std::chrono::nanoseconds duration) {
  constexpr std::int64_t nanos = 1'000'000;
  const std::int64_t count = std::max<std::int64_t>(duration.count(), 0);
  appendDecimal(out, count / nanos);
  if (count % nanos == 0) return;
  std::string fraction = std::to_string(nanos + count % nanos);
  fraction.front() = '.';
  out += fraction.substr(0, fraction.find_last_not_of('0') + 1);
}

}  // namespace

std::string harBegin(std::span<const std::string> names) {
  std::string out = R"({"log":{"version":"1.2","creator":{"name":"tally","version":)";
  writeJsonString(out, version);
  out += R"(},"_redacted":[)";
  for (const std::string& name : names) {
    if (&name != names.data()) out += ',';
    appendText(out, name);
  }
  return out += R"(],"entries":[)"
                "\n";
}

void appendHarEntry(std::string& out, const Exchange& exchange) {
  out += R"({"startedDateTime":")";
  out += toText(exchange.startedAt);
  out += R"(","time":)";
  appendDuration(out, exchange.duration);
  out += ',';
  appendRequest(out, exchange);
  out += ',';
  appendResponse(out, exchange.status, exchange.responseHeaders, exchange.responseBody);
  if (!exchange.failure.empty()) appendText(out += R"(,"_error":)", exchange.failure);
  out += R"(},"cache":{},"timings":{"send":0,"wait":)";
  appendDuration(out, exchange.duration);
  out += R"(,"receive":0})";
  if (!exchange.fault.empty() || exchange.upstream) {
    out += R"(,"_fault":{"name":)";
    appendText(out, exchange.fault);
    if (exchange.upstream) {
      out += ',';
      appendResponse(out, exchange.upstream->status, exchange.upstream->headers, exchange.upstream->body);
      out += '}';
    }
    out += '}';
  }
  out += '}';
}

}  // namespace tally::detail
