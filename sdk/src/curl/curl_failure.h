#pragma once

#include <string>

#include <tally/transport.h>

#include <curl/curl.h>

namespace tally::detail {

/// How a transfer without a response ended.
struct CurlEnd {
  CURLcode code = CURLE_OK;
  bool sent = false;         // part of the request may have been sent
  bool repeated = false;     // libcurl tried to send it again and was stopped
  bool connected = false;    // on a new connection
  long status = 0;           // of the response, once its status line has arrived
  long proxyStatus = 0;      // a proxy's response to CONNECT
  const char* options = "";  // the failure is about these options; empty: none
  int systemError = 0;       // the errno of a failed connection; 0 if there is none
  std::string service{};     // its host and port; without credentials
  std::string detail{};      // libcurl's message; may be empty
};

/// The reason for the failure. Repeats libcurl's message only if no option's value can be in it.
[[nodiscard]] TransportFailure curlFailure(const CurlEnd& end);

/// Allocates nothing.
[[nodiscard]] TransportFailure outOfMemory(bool mayHaveBeenSent);

}  // namespace tally::detail
