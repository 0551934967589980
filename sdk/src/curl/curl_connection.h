#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <curl/curl.h>

#include "platform/last_error.h"
#include "platform/sockets.h"

namespace tally::detail {

/// What is known about a connection. Transfers use it one after the other, or share it.
struct CurlConnection {
  /// An open connection over which a request has begun.
  struct Open {
    curl_socket_t socket = CURL_SOCKET_BAD;
    int localPort = 0;
    bool http1 = false;  // according to its responses: nothing may arrive between them
  };

  curl_socket_t socket = CURL_SOCKET_BAD;  // unless unknown or closed
  int localPort = 0;                       // of the socket
  int openError = 0;                       // the errno of the latest attempt to open a socket; 0: it is open
  std::size_t events = 0;                  // since the latest request or progress of one
  std::vector<Open> open{};                // this one, and others to the same host

  /// Opens a socket for libcurl, which does not say why that fails.
  [[nodiscard]] curl_socket_t openFor(const curl_sockaddr& address) noexcept {
    const curl_socket_t opened = openSocket(address.family, address.socktype, address.protocol);
    openError = opened == noSocket ? lastError().value() : 0;
    return opened;
  }

  /// Its first request begins. Throws std::bad_alloc.
  void begin(curl_socket_t connected, int port) {
    socket = connected;
    localPort = port;
    open.push_back({.socket = connected, .localPort = port});
  }

  /// Null if it is not known.
  [[nodiscard]] Open* find(int port) noexcept {
    const auto found = std::ranges::find(open, port, &Open::localPort);
    return found == open.end() ? nullptr : &*found;
  }

  /// Call it before a socket is closed: another one may then get its number.
  void forget(curl_socket_t closing) noexcept {
    if (socket == closing) socket = CURL_SOCKET_BAD;
    std::erase_if(open, [&](const Open& one) { return one.socket == closing; });
  }
};

}  // namespace tally::detail
