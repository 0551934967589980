#include "http/curl_failure.h"

#include <utility>

#include "text/ascii.h"

namespace tally::detail {

namespace {

using FailureKind = TransportFailure::Kind;

/// The kind of a connection that ended early.
FailureKind kindOfBreak(const CurlEnd& end) {
  if (!end.sent) return FailureKind::couldNotConnect;
  return end.status != 0 ? FailureKind::truncated : FailureKind::connection;
}

FailureKind kindOf(const CurlEnd& end) {
  if (end.repeated) return kindOfBreak(end);
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

/// Details of a failure of that kind.
std::string reason(const CurlEnd& end, FailureKind kind) {
  if (kind == FailureKind::timeout)
    return end.sent ? "the request was in flight" : "the request was not sent";
  if (end.repeated) return "the reused connection was closed, or the server refused the request on it";
  if (!end.sent && end.proxyStatus >= 300)
    return "the proxy returned status " + std::to_string(end.proxyStatus);
  // For other kinds, libcurl's message may contain a proxy's address, and with it a password.
  const bool ofTls = kind == FailureKind::tls || end.code == CURLE_SSL_CONNECT_ERROR;
  if (ofTls && !end.detail.empty()) return end.detail;
  return end.code == CURLE_OK ? "" : curl_easy_strerror(end.code);
}

}  // namespace

TransportFailure curlFailure(const CurlEnd& end) {
  const FailureKind kind = kindOf(end);
  std::string message{toString(kind)};
  if (const std::string why = reason(end, kind); !why.empty()) message += ": " + why;
  return {kind, end.sent, std::move(message)};
}

TransportFailure outOfMemory(bool mayHaveBeenSent) {
  // The message fits into the string itself.
  return {mayHaveBeenSent ? FailureKind::connection : FailureKind::couldNotConnect, mayHaveBeenSent,
          "out of memory"};
}

}  // namespace tally::detail
