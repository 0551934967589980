#include "curl_failure.h"

namespace tally::detail {

TransportFailure::Kind curlFailureKind(CURLcode code, bool sent, bool answering) noexcept {
  using Kind = TransportFailure::Kind;
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Kind::couldNotResolve;
    case CURLE_COULDNT_CONNECT:
    case CURLE_PROXY:
      return Kind::couldNotConnect;
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
    case CURLE_PARTIAL_FILE:
      return Kind::truncated;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WEIRD_SERVER_REPLY:
      return Kind::malformed;
    case CURLE_UNSUPPORTED_PROTOCOL:  // of the URL, or, once it was sent, of the answer
      return sent ? Kind::malformed : Kind::forbidden;
    case CURLE_URL_MALFORMAT:
      return Kind::forbidden;
    default:
      return answering ? Kind::truncated : Kind::connection;
  }
}

}  // namespace tally::detail
