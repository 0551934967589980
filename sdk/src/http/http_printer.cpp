#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>

#include <tally/curl_transport.h>
#include <tally/open_enum.h>
#include <tally/transport.h>

#include "print/value_line.h"
#include "text/ascii.h"
#include "text/readable.h"
#include "text/url.h"
#include "wire.h"

// Printed text may end up in a log, so keys, bodies, queries and the values of headers not listed here are
// omitted.

namespace [[gnu::visibility("default")]] tally {

namespace {

/// The headers whose values are printed; all others may contain secrets.
constexpr std::string_view harmless[] = {"Content-Type",
                                         "Content-Length",
                                         "Retry-After",
                                         detail::header::rateLimitedReason,
                                         detail::header::requestId,
                                         detail::header::connectedAccount};

void append(std::string& out, const Header& header) {
  detail::appendReadable(out, header.name);
  const bool shown = std::ranges::any_of(
      harmless, [&](std::string_view name) { return detail::equalIgnoringCase(name, header.name); });
  if (shown) detail::appendReadable(out += ": ", header.value);
}

void append(std::string& out, const std::vector<Header>& headers, const std::string& body) {
  out += " [";
  for (const Header& header : headers) {
    if (out.back() != '[') out += ", ";
    append(out, header);
  }
  out += "] " + std::to_string(body.size()) + " bytes";
}

void appendUrl(std::string& out, std::string_view url) {
  const std::size_t query = url.find('?');
  detail::appendReadable(out, detail::withoutCredentials(url.substr(0, query)));
  if (query != std::string_view::npos) out += "?...";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Method method) {
  return out << toString(method);
}

std::ostream& operator<<(std::ostream& out, TransportFailure::Kind kind) {
  return out << toString(kind);
}

std::ostream& operator<<(std::ostream& out, const Header& header) {
  std::string line;
  append(line, header);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const HttpRequest& request) {
  std::string line{toString(request.method)};
  appendUrl(line += ' ', request.url);
  append(line, request.headers, request.body);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const HttpResponse& response) {
  std::string line = std::to_string(response.status);
  append(line, response.headers, response.body);
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const TransportFailure& failure) {
  // The messages of a CurlTransport start with the kind.
  const std::string_view kind = toString(failure.kind);
  std::string line{failure.message.starts_with(kind) ? "" : kind};
  if (!line.empty() && !failure.message.empty()) line += ": ";
  detail::appendReadable(line, failure.message);
  line += failure.mayHaveBeenSent ? " [may have been sent]" : " [not sent]";
  return out << line;
}

std::ostream& operator<<(std::ostream& out, const SendLimits& value) {
  return out << detail::ValueLine{"SendLimits"}
                    .add("deadline", value.deadline)
                    .addSet("stop", value.stop.stop_possible())
                    .add("startedAt", value.startedAt);
}

std::ostream& operator<<(std::ostream& out, TlsVersion value) {
  constexpr std::array<std::string_view, 2> texts{"TLS 1.2", "TLS 1.3"};
  return detail::printEnumerator(out, texts, static_cast<std::size_t>(value));
}

std::ostream& operator<<(std::ostream& out, const CurlTransportOptions& value) {
  detail::ValueLine line{"CurlTransportOptions"};
  line.add("caFile", value.caFile)
      .addSet("caPem", !value.caPem.empty())
      .add("clientCertificateFile", value.clientCertificateFile)
      .add("clientKeyFile", value.clientKeyFile)
      .addSet("clientCertificatePem", !value.clientCertificatePem.empty())
      .addSet("clientKeyPem", !value.clientKeyPem.empty())
      .addSet("clientKeyPassword", !value.clientKeyPassword.empty())
      .add("minTlsVersion", value.minTlsVersion);
  if (value.proxy) value.proxy->empty() ? line.add("proxy", "none") : line.addAddress("proxy", *value.proxy);
  return out << line.add("noProxy", value.noProxy)
                    .add("connectTimeout", value.connectTimeout)
                    .add("maxIdleConnections", value.maxIdleConnections)
                    .add("maxIdleTime", value.maxIdleTime)
                    .add("maxResponseBytes", value.maxResponseBytes)
                    .add("allowPlainHttp", value.allowPlainHttp)
                    .addSet("fence", value.fence != nullptr);
}

}  // namespace tally
