#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tls_connection.h"

namespace tally::test {

/// An HTTP/2 frame (RFC 9113).
struct Http2Frame {
  enum Type : std::uint8_t {
    data = 0,
    headers = 1,
    priority = 2,
    rstStream = 3,
    settings = 4,
    pushPromise = 5,
    ping = 6,
    goAway = 7,
    windowUpdate = 8,
    continuation = 9
  };
  enum Flag : std::uint8_t { none = 0, endStream = 1, acknowledged = 1, endHeaders = 4 };
  enum Code : std::uint32_t { noError = 0, internalError = 2, refusedStream = 7, http11Required = 13 };

  Type type = data;
  unsigned flags = none;
  std::uint32_t stream = 0;
  std::string payload{};

  [[nodiscard]] std::string bytes() const;
};

/// The server side of an HTTP/2 connection over TLS, frame by frame. Closes the connection at the end.
class Http2Connection {
 public:
  /// Performs the TLS handshake, receives the client's preface, and sends SETTINGS.
  Http2Connection(int connection, const Identity& identity);

  /// The next frame that belongs to a request; nullopt once the client has closed.
  [[nodiscard]] std::optional<Http2Frame> receive();

  /// Waits for the head of the next request. Returns its stream; 0 once the client has closed.
  [[nodiscard]] std::uint32_t receiveHead();

  /// Waits for the end of that request. False once the client has closed.
  [[nodiscard]] bool receiveRest();

  /// Waits for the head and the end of the next request.
  [[nodiscard]] std::uint32_t receiveRequest();

  /// False once the client has closed.
  bool send(const Http2Frame& frame);
  /// Sends bytes that need not be frames.
  bool sendBytes(std::string_view bytes) { return tls_.send(bytes); }
  /// Pollable.
  [[nodiscard]] int socket() const noexcept { return tls_.socket(); }

  /// Sends status 200 and announces a body of that size.
  void sendHead(std::uint32_t stream, std::size_t size);
  /// Sends a head with that status and `lines` headers with values of `size` bytes. A status below 200 is
  /// that of an interim response.
  void sendLongHead(std::uint32_t stream, const std::string& status, int lines, std::size_t size = 990);
  void sendResponse(std::uint32_t stream, const std::string& body);
  /// What sendResponse() sends.
  [[nodiscard]] static std::string responseBytes(std::uint32_t stream, const std::string& body);
  void sendReset(std::uint32_t stream, Http2Frame::Code code);

  /// Announces that no streams beyond `last` are accepted, and that those already opened were not processed.
  void sendGoAway(std::uint32_t last, Http2Frame::Code code = Http2Frame::noError);
  /// What sendGoAway() sends.
  [[nodiscard]] static std::string goAwayBytes(std::uint32_t last,
                                               Http2Frame::Code code = Http2Frame::noError);

 private:
  /// Reads `size` bytes; fewer once the client has closed.
  std::string take(std::size_t size);

  TlsConnection tls_;
  std::string received_{};
  bool wholeRequest_ = false;
};

}  // namespace tally::test
