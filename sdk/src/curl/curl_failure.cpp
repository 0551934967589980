#include "curl/curl_failure.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "text/ascii.h"

namespace tally::detail {

namespace {

using FailureKind = TransportFailure::Kind;

bool tells(const CurlEnd& end, std::string_view words) {
  return end.detail.find(words) != std::string::npos;
}

/// Whether both sides found no version of TLS in common. libcurl has no code for it.
bool isOfVersion(const CurlEnd& end) {
  return end.code == CURLE_SSL_CONNECT_ERROR &&
         (tells(end, "alert protocol version") || tells(end, "unsupported protocol"));
}

/// Whether the service has refused what the client offers. So it does before TLS 1.3 if it requires a client
/// certificate.
bool isOfOffer(const CurlEnd& end) {
  return end.code == CURLE_SSL_CONNECT_ERROR && tells(end, "alert handshake failure");
}

/// Whether the service has refused the client certificate, or its absence, in the handshake. With TLS 1.3,
/// the client learns of this after it has sent the request, which the service then never decrypts.
bool isOfIdentity(const CurlEnd& end) {
  if (!end.connected || end.repeated || end.status != 0) return false;
  static constexpr std::string_view alerts[] = {
      "alert certificate required", "alert bad certificate",     "alert unsupported certificate",
      "alert certificate revoked",  "alert certificate expired", "alert certificate unknown",
      "alert unknown ca",           "alert access denied"};
  return std::ranges::any_of(alerts, [&](std::string_view alert) { return tells(end, alert); });
}

/// The kind of a connection that ended early.
FailureKind kindOfBreak(const CurlEnd& end) {
  if (!end.sent) return FailureKind::couldNotConnect;
  return end.status != 0 ? FailureKind::truncated : FailureKind::connection;
}

FailureKind kindOf(const CurlEnd& end) {
  if (end.repeated) return kindOfBreak(end);
  if (isOfVersion(end) || isOfOffer(end) || isOfIdentity(end)) return FailureKind::tls;
  switch (end.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return FailureKind::couldNotResolve;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CLIENTCERT:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_USE_SSL_FAILED:
      return FailureKind::tls;
    case CURLE_OPERATION_TIMEDOUT:
      return FailureKind::timeout;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WEIRD_SERVER_REPLY:
      return FailureKind::malformed;
    case CURLE_UNSUPPORTED_PROTOCOL:  // of the URL or, once sent, of the response
      return end.sent ? FailureKind::malformed : FailureKind::forbidden;
    case CURLE_URL_MALFORMAT:
      return FailureKind::forbidden;
    default:
      // Includes interrupted TLS handshakes, which may succeed next time, unlike an untrusted certificate,
      // and CURLE_OK, which libcurl reports for a connection that ends within the head of a response.
      return kindOfBreak(end);
  }
}

/// Which options are to blame, before libcurl's message.
std::string about(const CurlEnd& end) {
  if (*end.options != '\0') return std::string{"CurlTransportOptions::"} + end.options + ": ";
  if (isOfVersion(end)) return "the service offers no version of TLS that minTlsVersion allows: ";
  if (isOfOffer(end)) return "the service may require a client certificate: ";
  return isOfIdentity(end) ? "the service refused the client certificate, or requires one: " : "";
}

/// What to check about TLS, after libcurl's message.
std::string_view adviceAboutTls(const CurlEnd& end) {
  if (tells(end, "wrong version number") || tells(end, "packet length too long"))
    return "; does the server speak plain HTTP? If so, its URL starts with http://";
  const bool isUntrusted = tells(end, "self-signed certificate") || tells(end, "local issuer certificate");
  return isUntrusted ? "; if this authority is yours, name it in CurlTransportOptions::caFile" : "";
}

constexpr std::string_view checkProxy = "; check CurlTransportOptions::proxy and the https_proxy variable";

/// The host and port in libcurl's message about a connection that was not made: the service's or a proxy's.
/// They are the only part of such messages in which there is no password.
std::optional<std::string> unreachedPeer(std::string_view detail) {
  constexpr std::string_view before = "Failed to connect to ";
  constexpr std::string_view between = " port ";
  const std::size_t port = detail.find(between);
  if (!detail.starts_with(before) || port == std::string_view::npos) return std::nullopt;
  const std::string_view host = detail.substr(before.size(), port - before.size());
  const std::string_view rest = detail.substr(port + between.size());
  const std::string_view number = rest.substr(0, rest.find_first_not_of("0123456789"));
  if (host.find_first_of("@/ ") != std::string_view::npos || number.empty()) return std::nullopt;
  const bool isIpv6 = host.find(':') != std::string_view::npos;
  return (isIpv6 ? '[' + std::string{host} + ']' : std::string{host}) + ':' + std::string{number};
}

std::string notConnected(const CurlEnd& end) {
  const std::string peer = unreachedPeer(end.detail).value_or(end.service);
  const bool isProxy = peer != end.service;
  std::string text{toString(FailureKind::couldNotConnect)};
  if (!peer.empty()) text += (isProxy ? " to the proxy " : " to ") + peer;
  if (end.systemError != 0) text += ": " + std::generic_category().message(end.systemError);
  return text.append(isProxy ? checkProxy : "; check baseUrl, and whether the service is running there");
}

std::string notResolved(const CurlEnd& end) {
  std::string text{toString(FailureKind::couldNotResolve)};
  if (end.code == CURLE_COULDNT_RESOLVE_PROXY) return text.append(" the proxy").append(checkProxy);
  return text + ' ' + end.service + "; check baseUrl, and whether this machine can resolve names";
}

/// Details of a failure of that kind.
std::string reason(const CurlEnd& end, FailureKind kind) {
  if (kind == FailureKind::timeout)
    return end.sent ? "the request was in flight" : "the request was not sent";
  if (end.repeated) return "the reused connection was closed, or the server refused the request on it";
  if (!end.sent && end.proxyStatus >= 300)
    return "the proxy returned status " + std::to_string(end.proxyStatus);
  // For other kinds, libcurl's message may contain a proxy's address, and with it a password.
  const bool ofTls = kind == FailureKind::tls || end.code == CURLE_SSL_CONNECT_ERROR;
  if (ofTls && !end.detail.empty()) return about(end).append(end.detail).append(adviceAboutTls(end));
  return end.code == CURLE_OK ? "" : curl_easy_strerror(end.code);
}

std::string messageOf(const CurlEnd& end, FailureKind kind) {
  if (kind == FailureKind::couldNotResolve) return notResolved(end);
  if (kind == FailureKind::couldNotConnect && end.code == CURLE_COULDNT_CONNECT) return notConnected(end);
  std::string message{toString(kind)};
  if (const std::string why = reason(end, kind); !why.empty()) message += ": " + why;
  return message;
}

}  // namespace

TransportFailure curlFailure(const CurlEnd& end) {
  const FailureKind kind = kindOf(end);
  return {kind, end.sent && !isOfIdentity(end), messageOf(end, kind)};
}

TransportFailure outOfMemory(bool mayHaveBeenSent) {
  // The message fits into the string itself.
  return {mayHaveBeenSent ? FailureKind::connection : FailureKind::couldNotConnect, mayHaveBeenSent,
          "out of memory"};
}

}  // namespace tally::detail
