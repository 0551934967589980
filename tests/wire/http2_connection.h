#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tls_connection.h"

namespace tally::test {

/// A frame of HTTP/2, RFC 9113.
struct Http2Frame {
  enum Type : std::uint8_t { data = 0, headers = 1, rstStream = 3, settings = 4, goAway = 7 };
  enum Flag : std::uint8_t { none = 0, endStream = 1, acknowledged = 1, endHeaders = 4 };
  enum Code : std::uint32_t { noError = 0, internalError = 2, refusedStream = 7, http11Required = 13 };

  Type type = data;
  unsigned flags = none;
  std::uint32_t stream = 0;
  std::string payload{};
};

/// The server's end of a connection on which HTTP/2 is spoken over TLS, frame by frame. It leaves the
/// connection closed.
class Http2Connection {
 public:
  /// Shakes hands and says what HTTP/2 begins with.
  Http2Connection(int connection, const Identity& identity);

  /// The next frame that belongs to a request; nothing once the client has closed.
  [[nodiscard]] std::optional<Http2Frame> receive();

  /// Waits for the head of the next request. Its stream; 0 once the client has closed.
  [[nodiscard]] std::uint32_t receiveHead();

  /// Waits for the end of that request. False once the client has closed.
  [[nodiscard]] bool receiveRest();

  /// Waits for the head of the next request, and for its end too.
  [[nodiscard]] std::uint32_t receiveRequest();

  void send(const Http2Frame& frame);

  /// 200, with a body to come of that size.
  void sendHead(std::uint32_t stream, std::size_t size);
  void sendResponse(std::uint32_t stream, const std::string& body);
  void sendReset(std::uint32_t stream, Http2Frame::Code code);

  /// No streams will be taken beyond `last`, and those that were opened have not been looked at.
  void sendGoAway(std::uint32_t last, Http2Frame::Code code = Http2Frame::noError);

 private:
  /// As many bytes; fewer once the client has closed.
  std::string take(std::size_t size);

  TlsConnection tls_;
  std::string received_{};
  bool wholeRequest_ = false;
};

}  // namespace tally::test
