#include "net/response_writer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <boost/beast/http/status.hpp>

#include "text/ascii.h"
#include "text/bodiless.h"

namespace tally::fake::detail {

using tally::detail::forbidsBody;
using tally::detail::notModified;

namespace {

bool isFraming(std::string_view name) {
  constexpr std::array<std::string_view, 4> ours{"Connection", "Content-Length", "Keep-Alive",
                                                 "Transfer-Encoding"};
  return std::ranges::any_of(
      ours, [&](std::string_view each) { return tally::detail::equalIgnoringCase(name, each); });
}

/// Replaces line breaks by spaces, since they would start another header.
void appendLine(std::string& out, std::string_view name, std::string_view value) {
  const std::size_t begin = out.size();
  out += name;
  out += ": ";
  out += value;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
      [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  out += "\r\n";
}

void appendStatus(std::string& out, int status) {
  const auto reason =
      boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(static_cast<unsigned>(status)));
  out += "HTTP/1.1 ";
  out += std::to_string(status);
  out += ' ';
  out.append(reason.data(), reason.size());
  out += "\r\n";
}

/// The status line and the headers of a response, except those for its framing.
void appendHead(std::string& out, const HttpResponse& response) {
  appendStatus(out, response.status);
  for (const Header& header : response.headers)
    if (!isFraming(header.name)) appendLine(out, header.name, header.value);
}

/// Of the body that a response has. A response to HEAD, and status 304, may name the length it would have.
void appendLength(std::string& out, const HttpResponse& response, const Framing& framing) {
  const bool mayHaveBody = !forbidsBody(response.status);
  if (mayHaveBody && (!framing.bodiless || !response.body.empty()))
    return appendLine(out, "Content-Length", std::to_string(response.body.size()));
  if (!mayHaveBody && response.status != notModified) return;
  if (const std::string* const length = response.header("Content-Length"))
    appendLine(out, "Content-Length", *length);
}

}  // namespace

std::string write(const HttpResponse& response, const Framing& framing) {
  std::string out;
  out.reserve(256 + response.body.size());
  appendHead(out, response);
  appendLength(out, response, framing);
  if (framing.close) appendLine(out, "Connection", "close");
  out += "\r\n";
  if (!forbidsBody(response.status) && !framing.bodiless) out += response.body;
  return out;
}

std::string writeStreamHead(const HttpResponse& response, bool chunked) {
  std::string out;
  appendHead(out, response);
  if (chunked) appendLine(out, "Transfer-Encoding", "chunked");
  appendLine(out, "Connection", "close");
  return out + "\r\n";
}

std::string asChunk(std::string_view bytes) {
  std::array<char, 16> size{};
  const auto digits = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16);
  std::string chunk{size.data(), digits.ptr};
  chunk += "\r\n";
  chunk += bytes;
  return chunk + "\r\n";
}

}  // namespace tally::fake::detail
