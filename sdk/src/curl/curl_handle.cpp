#include "curl/curl_handle.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <optional>
#include <utility>

#include "curl/curl_failure.h"
#include "curl/curl_validation.h"
#include "text/url.h"
#include "time/milliseconds.h"
#include "time/saturating.h"

namespace tally::detail {

namespace {

Destination destinationOf(std::string_view url) {
  if (!isPlain(url)) return Destination::secure;
  return isPlainLoopback(url) ? Destination::plainLoopback : Destination::plain;
}

/// Plain loopback URLs bypass the proxy. The environment's proxy settings are ignored for plain URLs, and if
/// a proxy is configured explicitly.
void setProxy(CURL* easy, Destination destination, const CurlTransportOptions& options) {
  const bool given = options.proxy && destination != Destination::plainLoopback;
  if (given || destination != Destination::secure) {
    set(easy, CURLOPT_PROXY, given ? options.proxy->c_str() : "");
    set(easy, CURLOPT_NOPROXY, given ? options.noProxy.c_str() : "");
  } else if (!options.noProxy.empty()) {
    set(easy, CURLOPT_NOPROXY, options.noProxy.c_str());
  }
}

/// Makes libcurl read `pem` in place.
void setText(CURL* easy, CURLoption option, const std::string& pem) {
  curl_blob blob{.data = const_cast<char*>(pem.data()), .len = pem.size(), .flags = CURL_BLOB_NOCOPY};
  set(easy, option, &blob);
}

void setTrust(CURL* easy, const CurlTransportOptions& options) {
  set(easy, CURLOPT_SSLVERSION,
      static_cast<long>(options.minTlsVersion == TlsVersion::tls13 ? CURL_SSLVERSION_TLSv1_3
                                                                   : CURL_SSLVERSION_TLSv1_2));
  if (options.caFile.empty() && options.caPem.empty()) return;
  if (options.caPem.empty()) {
    set(easy, CURLOPT_CAINFO, options.caFile.c_str());
  } else {
    set(easy, CURLOPT_CAINFO, static_cast<char*>(nullptr));
    setText(easy, CURLOPT_CAINFO_BLOB, options.caPem);
  }
  set(easy, CURLOPT_CAPATH, static_cast<char*>(nullptr));  // else the system's folder is trusted too
}

/// Without a password, OpenSSL would ask for one on the terminal.
void setIdentity(CURL* easy, const CurlTransportOptions& options) {
  set(easy, CURLOPT_KEYPASSWD, options.clientKeyPassword.c_str());
  if (!options.clientCertificateFile.empty()) {
    const std::string& key =
        options.clientKeyFile.empty() ? options.clientCertificateFile : options.clientKeyFile;
    set(easy, CURLOPT_SSLCERT, options.clientCertificateFile.c_str());
    set(easy, CURLOPT_SSLKEY, key.c_str());
  } else if (!options.clientCertificatePem.empty()) {
    setText(easy, CURLOPT_SSLCERT_BLOB, options.clientCertificatePem);
    setText(easy, CURLOPT_SSLKEY_BLOB,
            options.clientKeyPem.empty() ? options.clientCertificatePem : options.clientKeyPem);
  }
}

/// The index of the path in a URL that can be sent unchanged; nullopt if there is no path, or a fragment.
std::optional<std::size_t> pathOf(std::string_view url) {
  const std::size_t path = endOfAuthority(url);
  const bool sendable =
      path < url.size() && url[path] == '/' && url.find('#', path) == std::string_view::npos;
  return sendable ? std::optional{path} : std::nullopt;
}

/// libcurl parses and reassembles the URL for every transfer; setting the request target spares it the part
/// after the host. Plain HTTP may go through a proxy without a tunnel, which needs the whole URL.
void applyUrl(CURL* easy, const std::string& url, Destination destination) {
  const auto path = destination == Destination::plain ? std::nullopt : pathOf(url);
  set(easy, CURLOPT_URL, path ? url.substr(0, *path).c_str() : url.c_str());
  set(easy, CURLOPT_REQUEST_TARGET, path ? url.c_str() + *path : nullptr);
}

/// Sets method and body. libcurl sends the body in place: with a read callback, it would have to rewind the
/// body after a connection breaks, and the state that this leaves makes its next transfer fail.
void applyMethod(CURL* easy, const HttpRequest& request) {
  const bool reads = request.method == Method::get;
  const bool hasBody = !reads || !request.body.empty();
  set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(easy, CURLOPT_POSTFIELDS, hasBody ? request.body.data() : nullptr);
  set(easy, CURLOPT_CUSTOMREQUEST, reads && hasBody ? "GET" : nullptr);
  set(easy, hasBody ? CURLOPT_POST : CURLOPT_HTTPGET, 1L);
}

/// Whether the transfer had to make a connection.
bool hasConnected(CURL* easy) {
  long made = 0;
  curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &made);
  return made > 0;
}

/// The options that a failure with that code is about; empty: none.
const char* optionsOf(CURLcode code, const CurlTransportOptions& options) {
  if (code == CURLE_SSL_CACERT_BADFILE) return options.caPem.empty() ? "caFile" : "caPem";
  if (code != CURLE_SSL_CERTPROBLEM) return "";
  return options.clientCertificatePem.empty() ? "clientCertificateFile or clientKeyFile"
                                              : "clientCertificatePem or clientKeyPem";
}

/// Whether a failed transfer may have used HTTP/2.
bool mayBeHttp2(const CurlTransfer& transfer) {
  return transfer.begun && (transfer.http2 || !transfer.headEnded);
}

std::string tooLarge(const CurlTransfer& transfer) {
  const auto exceeds = [](std::string what, std::size_t bytes) {
    return std::move(what) + " exceeds " + std::to_string(bytes) + " bytes";
  };
  if (transfer.tooLarge == CurlTransfer::TooLarge::body)
    return exceeds("the response", transfer.maxResponseBytes);
  const std::size_t most = transfer.maxHeadBytes();
  if (transfer.tooLarge == CurlTransfer::TooLarge::head) return exceeds("the head of the response", most);
  return exceeds("a line in the head of the response", std::min(most, CurlTransfer::mostLineBytes));
}

/// The host and port of an origin, without credentials.
std::string serviceOf(std::string_view origin) {
  const bool isPlainHttp = isPlain(origin);
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos) origin.remove_prefix(scheme + 3);
  origin = origin.substr(0, origin.find('/'));
  origin.remove_prefix(origin.rfind('@') + 1);  // 0 if there is none
  const std::size_t port = origin.rfind(':');
  const bool hasPort = port != std::string_view::npos && origin.find(']', port) == std::string_view::npos;
  return std::string{origin}.append(hasPort ? "" : isPlainHttp ? ":80" : ":443");
}

/// Whether the next request must not use the connection of this failed one. libcurl keeps HTTP/2 connections
/// after all of these failures, even if nothing has arrived for as long as the caller waits.
bool leavesConnectionDoubtful(CURLcode code, const CurlTransfer& transfer) {
  return transfer.tooLarge != CurlTransfer::TooLarge::nothing || code == CURLE_OPERATION_TIMEDOUT ||
         code == CURLE_HTTP2 || code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR;
}

// CURLE_TOO_LARGE of libcurl 8.6, which a program may meet although it was compiled with an older one.
constexpr auto curlTooLarge = static_cast<CURLcode>(100);

/// Whether the head exceeds a limit of libcurl 8.
bool hasTooManyHeaders(std::string_view problem) {
  return problem.starts_with("Too many response headers") ||
         problem.starts_with("Too large response headers");
}

/// Whether nghttp2 reports that a callback of libcurl failed. The words before the number depend on the
/// version of libcurl.
bool isFailedCallback(std::string_view problem) {
  return problem.find("nghttp2") != std::string_view::npos && problem.find(" -902") != std::string_view::npos;
}

int systemErrorOf(CURL* easy, const CurlTransfer& transfer) {
  long error = 0;
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error);
  return error != 0 ? static_cast<int>(error) : transfer.connection->openError;
}

long statusOf(CURL* easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/// The status of a proxy's response to CONNECT; 0 if there is none.
long proxyStatusOf(CURL* easy) {
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return status;
}

constexpr int proxyDemandsCredentials = 407;

/// Whether a proxy has opened no tunnel because it demands credentials. libcurl reports this as a broken
/// connection, but a retry would not help. So the call gets the proxy's status, as it would without a tunnel.
bool isDeniedByProxy(CURLcode code, CURL* easy, const CurlTransfer& transfer) {
  const bool broke = code == CURLE_RECV_ERROR || code == CURLE_COULDNT_CONNECT;
  return broke && !transfer.begun && !transfer.late && proxyStatusOf(easy) == proxyDemandsCredentials;
}

}  // namespace

CurlHandle::CurlHandle(const CurlTransportOptions& options, std::string_view origin)
    : origin_(origin), destination_(destinationOf(origin)), options_(options) {
  if (easy_ == nullptr) throw std::bad_alloc{};
  CURL* easy = easy_.get();
  set(easy, CURLOPT_ERRORBUFFER, problem_.data());
  set(easy, CURLOPT_PATH_AS_IS, 1L);
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_ACCEPT_ENCODING, "");  // every encoding that this libcurl supports
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeout));
  // libcurl allocates 16 KiB for each request in flight. Most responses are much smaller, and those that are
  // not need only some more system calls.
  constexpr long receiveBuffer = 12L * 1024;
  set(easy, CURLOPT_BUFFERSIZE, receiveBuffer);
  // TLS never writes more than this at once.
  set(easy, CURLOPT_UPLOAD_BUFFERSIZE, static_cast<long>(CURL_MAX_WRITE_SIZE));
  // Otherwise a transfer can't end before its name lookup does.
  set(easy, CURLOPT_QUICK_EXIT, 1L);
  if (destination_ == Destination::secure) set(easy, CURLOPT_VERBOSE, 1L);  // for TLS records
  setTrust(easy, options);
  setIdentity(easy, options);
  setProxy(easy, destination_, options);
}

void CurlHandle::prepare(CurlTransfer& transfer, const HttpRequest& request,
                         std::chrono::nanoseconds remaining) {
  CURL* easy = easy_.get();
  problem_.front() = '\0';
  transfer.fence = options_.fence.get();
  transfer.timeout = remaining;
  transfer.attachTo(easy);
  applyUrl(easy, request.url, destination_);
  applyMethod(easy, request);
  set(easy, CURLOPT_HTTPHEADER, headers_.of(request));
  set(easy, CURLOPT_TIMEOUT_MS, milliseconds(remaining));
  const auto now = std::chrono::steady_clock::now();
  transfer.latest = decltype(transfer.latest){saturatingAdd(now.time_since_epoch(), remaining)};
}

TransportResult CurlHandle::result(CURLcode code, CurlTransfer& transfer) const {
  if (code != CURLE_OK) noteWhatIsTooLarge(code, transfer);
  if (transfer.flooded || (leavesConnectionDoubtful(code, transfer) && mayBeHttp2(transfer)))
    transfer.connectionBroken = true;
  if (code != CURLE_OK || !transfer.headEnded) {
    if (isDeniedByProxy(code, easy_.get(), transfer)) return HttpResponse{.status = proxyDemandsCredentials};
    return failure(code, transfer);
  }
  transfer.response.status = static_cast<int>(statusOf(easy_.get()));
  return std::move(transfer.response);
}

/// libcurl passes on nothing of a line or of an HTTP/2 head that exceeds its own limit, and before 8.6
/// reports a failed allocation, or that its callback of nghttp2 failed. A real lack of memory can't be told
/// from that. It is taken for it, too, which only delays a report: whatever the failure, the request may have
/// had an effect.
void CurlHandle::noteWhatIsTooLarge(CURLcode code, CurlTransfer& transfer) const {
  using TooLarge = CurlTransfer::TooLarge;
  if (!transfer.begun || transfer.tooLarge != TooLarge::nothing) return;
  const std::string_view problem{problem_.data()};
  if (hasTooManyHeaders(problem)) {
    transfer.tooLarge = TooLarge::head;
  } else if (code == curlTooLarge) {
    transfer.tooLarge = TooLarge::line;
  } else if (transfer.headEnded) {
    if (problem.starts_with("Out of memory in chunked-encoding")) transfer.tooLarge = TooLarge::line;
  } else if (code == CURLE_OUT_OF_MEMORY) {
    transfer.tooLarge = TooLarge::line;
  } else if (isFailedCallback(problem)) {
    transfer.tooLarge = TooLarge::head;
    transfer.connectionBroken = true;
  }
}

TransportFailure CurlHandle::failure(CURLcode code, const CurlTransfer& transfer) const {
  if (transfer.outOfMemory) return outOfMemory(transfer.begun);
  if (transfer.isFenced)
    return {TransportFailure::Kind::canceled, false,
            "CurlTransportOptions::fence does not permit the request"};
  if (transfer.flooded)
    return {TransportFailure::Kind::malformed, transfer.begun,
            "the server floods the connection with frames that belong to no response"};
  if (transfer.tooLarge != CurlTransfer::TooLarge::nothing)
    return {TransportFailure::Kind::tooLarge, transfer.begun, tooLarge(transfer)};
  return curlFailure({.code = transfer.late ? CURLE_OPERATION_TIMEDOUT : code,
                      .sent = transfer.begun,
                      .repeated = transfer.repeated,
                      .connected = hasConnected(easy_.get()),
                      .status = statusOf(easy_.get()),
                      .proxyStatus = proxyStatusOf(easy_.get()),
                      .options = optionsOf(code, options_),
                      .systemError = systemErrorOf(easy_.get(), transfer),
                      .service = serviceOf(origin_),
                      .detail = problem_.data()});
}

void CurlHandle::clear() noexcept {
  curl_easy_setopt(easy_.get(), CURLOPT_POSTFIELDS, nullptr);
  curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, nullptr);
  headers_.wipeKey();
  curl_easy_setopt(easy_.get(), CURLOPT_DEBUGDATA, nullptr);
}

}  // namespace tally::detail
