#include "curl_worker.h"

#include "milliseconds.h"

namespace tally::detail {

CurlWorker::CurlWorker(const CurlTransportOptions& options) {
  if (!usable()) return;
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, problem_.data());
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");  // every encoding that this libcurl knows
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(options.connectTimeout));
  // Otherwise the end of a transfer waits until the resolver is done with the host's name.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  if (!options.caFile.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, options.caFile.c_str());
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);  // the system's folder would be trusted as well
  }
  transfer_.attachTo(easy);
}

}  // namespace tally::detail
