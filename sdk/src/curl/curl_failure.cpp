#include "curl/curl_failure.h"

#include <algorithm>
#include <cerrno>
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

/// Appends which options are to blame, before libcurl's message.
void appendCause(std::string& text, const CurlEnd& end) {
  if (*end.options != '\0') {
    text.append("CurlTransportOptions::").append(end.options).append(": ");
  } else if (isOfVersion(end)) {
    text += "the service offers no version of TLS that minTlsVersion allows: ";
  } else if (isOfOffer(end)) {
    text += "the service may require a client certificate: ";
  } else if (isOfIdentity(end)) {
    text += "the service refused the client certificate, or requires one: ";
  }
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
/// They are the only part of such messages in which there is no password. Empty if there are none.
std::string unreachedPeer(std::string_view detail) {
  constexpr std::string_view before = "Failed to connect to ";
  constexpr std::string_view between = " port ";
  std::string peer;
  const std::size_t port = detail.find(between);
  if (!detail.starts_with(before) || port == std::string_view::npos) return peer;
  const std::string_view host = detail.substr(before.size(), port - before.size());
  const std::string_view rest = detail.substr(port + between.size());
  const std::string_view number = rest.substr(0, rest.find_first_not_of("0123456789"));
  if (host.find_first_of("@/ ") != std::string_view::npos || number.empty()) return peer;
  const bool isIpv6 = host.find(':') != std::string_view::npos;
  if (isIpv6) peer += '[';
  peer += host;
  if (isIpv6) peer += ']';
  return peer.append(1, ':').append(number);
}

/// Whether this machine is at its limit of open files, whatever the other end does.
bool lacksFiles(int systemError) {
  return systemError == EMFILE || systemError == ENFILE;
}

void appendNotConnected(std::string& text, const CurlEnd& end) {
  std::string peer = unreachedPeer(end.detail);
  if (peer.empty()) peer = end.service;
  const bool isProxy = peer != end.service;
  if (!peer.empty()) text.append(isProxy ? " to the proxy " : " to ").append(peer);
  if (end.systemError != 0) text.append(": ").append(std::generic_category().message(end.systemError));
  if (lacksFiles(end.systemError)) return void(text += "; raise this program's limit with ulimit -n");
  text.append(isProxy ? checkProxy : "; check baseUrl, and whether the service is running there");
}

void appendNotResolved(std::string& text, const CurlEnd& end) {
  if (end.code == CURLE_COULDNT_RESOLVE_PROXY) {
    text.append(" the proxy").append(checkProxy);
  } else {
    text.append(1, ' ').append(end.service);
    text += "; check baseUrl, and whether this machine can resolve names";
  }
}

/// Appends details of a failure of that kind.
void appendReason(std::string& text, const CurlEnd& end, FailureKind kind) {
  // For other kinds, libcurl's message may contain a proxy's address, and with it a password.
  const bool ofTls = kind == FailureKind::tls || end.code == CURLE_SSL_CONNECT_ERROR;
  if (kind == FailureKind::timeout) {
    text += end.sent ? ": the request was in flight" : ": the request was not sent";
  } else if (end.repeated) {
    text += ": the reused connection was closed, or the server refused the request on it";
  } else if (!end.sent && end.proxyStatus >= 300) {
    text.append(": the proxy returned status ").append(std::to_string(end.proxyStatus));
  } else if (ofTls && !end.detail.empty()) {
    appendCause(text += ": ", end);
    text.append(end.detail).append(adviceAboutTls(end));
  } else if (end.code != CURLE_OK) {
    text.append(": ").append(curl_easy_strerror(end.code));
  }
}

std::string messageOf(const CurlEnd& end, FailureKind kind) {
  std::string text{toString(kind)};
  if (kind == FailureKind::couldNotResolve) {
    appendNotResolved(text, end);
  } else if (kind == FailureKind::couldNotConnect && end.code == CURLE_COULDNT_CONNECT) {
    appendNotConnected(text, end);
  } else {
    appendReason(text, end, kind);
  }
  return text;
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
