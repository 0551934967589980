#pragma once

#include <string>

#include <tally/transport.h>

#include <curl/curl.h>

namespace tally::detail {

/// How a transfer ended that brought no answer.
struct CurlEnd {
  CURLcode code = CURLE_OK;
  bool sent = false;      // some of the request may have left
  bool repeated = false;  // libcurl meant to send it once more, and was kept from it
  long status = 0;        // of the answer, once its first line has come
  long proxyStatus = 0;   // what a proxy answered that was asked for the way through
  std::string detail{};   // libcurl's own words; empty where it has none
};

/// What the transfer failed of. Repeats libcurl's own words only where no option can stand in them.
[[nodiscard]] TransportFailure curlFailure(const CurlEnd& end);

}  // namespace tally::detail
