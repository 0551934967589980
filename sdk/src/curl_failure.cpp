#include "curl_failure.h"

#include <utility>

#include "ascii.h"

namespace tally::detail {

namespace {

using Kind = TransportFailure::Kind;

/// Of a connection that ended too soon.
Kind kindOfBreak(const CurlEnd& end) {
  if (!end.sent) return Kind::couldNotConnect;
  return end.status != 0 ? Kind::truncated : Kind::connection;
}

Kind kindOf(const CurlEnd& end) {
  if (end.repeated) return kindOfBreak(end);
  switch (end.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Kind::couldNotResolve;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_USE_SSL_FAILED:
      return Kind::tls;
    case CURLE_OPERATION_TIMEDOUT:
      return Kind::timeout;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WEIRD_SERVER_REPLY:
      return Kind::malformed;
    case CURLE_UNSUPPORTED_PROTOCOL:  // of the URL, or, once it was sent, of the answer
      return end.sent ? Kind::malformed : Kind::forbidden;
    case CURLE_URL_MALFORMAT:
      return Kind::forbidden;
    default:  // CURLE_OK too: one that ends within the head of an answer is no failure to libcurl
      return kindOfBreak(end);
  }
}

/// What else is known of a failure of that kind.
std::string reason(const CurlEnd& end, Kind kind) {
  if (kind == Kind::timeout) return end.sent ? "the request was on its way" : "the request was not sent yet";
  if (end.repeated) return "it was kept open and had been closed, or the server refused the request on it";
  if (!end.sent && end.proxyStatus >= 300) return "the proxy answered " + std::to_string(end.proxyStatus);
  // Of other kinds, libcurl's words may hold a proxy's address, and with it a password.
  if (kind == Kind::tls && !end.detail.empty()) return end.detail;
  return end.code == CURLE_OK ? "" : curl_easy_strerror(end.code);
}

}  // namespace

TransportFailure curlFailure(const CurlEnd& end) {
  const Kind kind = kindOf(end);
  std::string message{toString(kind)};
  if (const std::string why = reason(end, kind); !why.empty()) message += ": " + why;
  return {kind, end.sent, std::move(message)};
}

}  // namespace tally::detail
