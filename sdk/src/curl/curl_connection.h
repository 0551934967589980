#pragma once

#include <cstddef>

#include <curl/curl.h>

namespace tally::detail {

/// What is known about a connection. Transfers use it one after the other, or share it.
struct CurlConnection {
  curl_socket_t socket = CURL_SOCKET_BAD;  // unless unknown or closed
  int localPort = 0;                       // of the socket
  std::size_t events = 0;                  // since the latest request or progress of one

  /// Call it before a socket is closed: another one may then get its number.
  void forget(curl_socket_t closing) noexcept {
    if (socket == closing) socket = CURL_SOCKET_BAD;
  }
};

}  // namespace tally::detail
