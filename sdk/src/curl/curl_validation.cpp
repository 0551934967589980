#include "curl/curl_validation.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <curl/curl.h>

#include "form/validation.h"
#include "text/ascii.h"
#include "text/url.h"

namespace tally::detail {

namespace {

bool startsWithScheme(std::string_view url, std::string_view scheme) {
  return url.size() >= scheme.size() && equalIgnoringCase(url.substr(0, scheme.size()), scheme);
}

/// Whether the host of a plain URL is this machine.
bool isLoopback(std::string_view url) {
  constexpr std::size_t begin = std::string_view{"http://"}.size();
  const std::string_view authority = url.substr(begin, endOfAuthority(url) - begin);
  if (authority.find('@') != std::string_view::npos) return false;
  const std::string_view host = authority.starts_with('[') ? authority.substr(0, authority.find(']') + 1)
                                                           : authority.substr(0, authority.find(':'));
  return host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

std::string_view objection(std::string_view url, const CurlTransportOptions& options) {
  constexpr std::size_t longestUrl = 8'000'000;  // libcurl ignores longer ones and uses the previous URL
  if (url.size() > longestUrl) return "the URL exceeds 8,000,000 bytes";
  if (!isUrlText(url)) return "the URL contains a space or a control character";
  if (startsWithScheme(url, "https://")) return {};
  if (!isPlain(url)) return "the URL must start with https:// or http://";
  if (isLoopback(url) || options.allowPlainHttp) return {};
  return "plain http:// would expose the API key; use https://, or set "
         "CurlTransportOptions::allowPlainHttp";
}

/// For people; empty if there is none.
std::string objection(const HttpRequest& request, const CurlTransportOptions& options) {
  if (const std::string_view why = objection(request.url, options); !why.empty()) return std::string{why};
  for (const Header& header : request.headers) {
    if (!isHeaderName(header.name)) return "a header name is invalid";
    if (!isHeaderText(header.value))
      return "the value of the header " + header.name + " contains a control character";
  }
  return {};
}

[[noreturn]] void refuse(const char* option, const char* why) {
  throw std::invalid_argument{std::string{"CurlTransportOptions::"} + option + ' ' + why};
}

void checkText(const std::string& text, const char* option) {
  if (!isHeaderText(text)) refuse(option, "contains a line break or a control character");
}

void checkPositive(std::chrono::milliseconds duration, const char* option) {
  if (duration <= duration.zero()) refuse(option, "must be positive");
}

void checkExclusive(const std::string& a, const std::string& b, const char* option, const char* why) {
  if (!a.empty() && !b.empty()) refuse(option, why);
}

/// Only that there is such a block; libcurl reads it for the first connection.
void checkPem(const std::string& pem, std::string_view label, const char* option, const char* why) {
  if (pem.empty()) return;
  const std::size_t begin = pem.find("-----BEGIN ");
  const std::size_t labeled = pem.find(std::string{label} + "-----", begin);
  if (begin == std::string::npos || labeled == std::string::npos ||
      pem.find("-----END ", labeled) == std::string::npos)
    refuse(option, why);
}

void checkIdentity(const CurlTransportOptions& options) {
  checkExclusive(options.clientCertificateFile, options.clientCertificatePem, "clientCertificatePem",
                 "can't be set together with clientCertificateFile");
  if (!options.clientKeyFile.empty() && options.clientCertificateFile.empty())
    refuse("clientKeyFile", "needs clientCertificateFile");
  if (!options.clientKeyPem.empty() && options.clientCertificatePem.empty())
    refuse("clientKeyPem", "needs clientCertificatePem");
  checkPem(options.clientCertificatePem, "CERTIFICATE", "clientCertificatePem",
           "contains no certificate in PEM");
  const bool separate = !options.clientKeyPem.empty();
  checkPem(separate ? options.clientKeyPem : options.clientCertificatePem, "PRIVATE KEY",
           separate ? "clientKeyPem" : "clientCertificatePem",
           separate ? "contains no private key in PEM"
                    : "contains no private key in PEM, and clientKeyPem is empty");
}

/// GnuTLS and NSS ignore texts.
void checkSupport(const CurlTransportOptions& options) {
  const char* library = curl_version_info(CURLVERSION_NOW)->ssl_version;
  const std::string_view name = library == nullptr ? std::string_view{} : std::string_view{library};
  if (name.find("SSL") != std::string_view::npos || name.find("AWS-LC") != std::string_view::npos) return;
  constexpr const char* why = "needs a libcurl with OpenSSL; use a file";
  if (!options.caPem.empty()) refuse("caPem", why);
  if (!options.clientCertificatePem.empty()) refuse("clientCertificatePem", why);
}

}  // namespace

bool isPlain(std::string_view url) {
  return startsWithScheme(url, "http://");
}

bool isPlainLoopback(std::string_view url) {
  return isPlain(url) && isLoopback(url);
}

std::optional<TransportFailure> refusal(const HttpRequest& request, const CurlTransportOptions& options,
                                        std::chrono::nanoseconds remaining) {
  if (std::string why = objection(request, options); !why.empty())
    return TransportFailure{TransportFailure::Kind::forbidden, false, std::move(why)};
  if (remaining <= remaining.zero())
    return TransportFailure{TransportFailure::Kind::timeout, false, "no time left to send the request"};
  return std::nullopt;
}

void check(const CurlTransportOptions& options) {
  checkText(options.caFile, "caFile");
  checkExclusive(options.caFile, options.caPem, "caPem", "can't be set together with caFile");
  checkPem(options.caPem, "CERTIFICATE", "caPem", "contains no certificate in PEM");
  checkText(options.clientCertificateFile, "clientCertificateFile");
  checkText(options.clientKeyFile, "clientKeyFile");
  checkText(options.clientKeyPassword, "clientKeyPassword");
  checkIdentity(options);
  checkSupport(options);
  if (options.proxy) checkText(*options.proxy, "proxy");
  checkText(options.noProxy, "noProxy");
  checkPositive(options.connectTimeout, "connectTimeout");
  checkPositive(options.maxIdleTime, "maxIdleTime");
}

}  // namespace tally::detail
