// Servers that flood a client with frames of HTTP/2, or never let it continue.

#include <utility>

#include "http2_connection.h"
#include "sdk/support/hostile_server.h"
#include "sdk/support/libcurl_version.h"

namespace tally::test {

namespace {

using Flood = std::function<void(Http2Connection& connection, std::uint32_t stream)>;

/// Floods the requests that are not due a response.
auto flooding(Flood flood) {
  return [flood = std::move(flood)](int socket, Turns& turns) {
    Http2Connection connection{socket, authority().issue()};
    while (const std::uint32_t stream = connection.receiveRequest()) {
      ++turns.requests;
      turns.respondsToNext() ? connection.sendResponse(stream, turns.response) : flood(connection, stream);
    }
  };
}

/// Frames of one kind without end, in pieces that TLS encrypts at once.
Flood endlessFrames(Http2Frame frame) {
  return [frame = std::move(frame)](Http2Connection& connection, std::uint32_t stream) {
    Http2Frame sent = frame;
    if (sent.stream != 0) sent.stream = stream;
    std::string bytes;
    while (bytes.size() < 8'192)
      bytes += sent.bytes();
    while (connection.sendBytes(bytes)) {
    }
  };
}

/// Headers without an end: each frame continues them.
void continueEndlessly(Http2Connection& connection, std::uint32_t stream) {
  connection.send({.type = Http2Frame::headers, .stream = stream, .payload = "\x88"});
  while (connection.send({.type = Http2Frame::continuation, .stream = stream, .payload = {}})) {
  }
}

void hintEndlessly(Http2Connection& connection, std::uint32_t stream) {
  bool goesOn = true;
  while (goesOn)
    goesOn = connection.send({.type = Http2Frame::headers,
                              .flags = Http2Frame::endHeaders,
                              .stream = stream,
                              .payload = "\x08\x03"
                                         "103"});
}

void sendEndlessBody(Http2Connection& connection, std::uint32_t stream) {
  connection.send(
      {.type = Http2Frame::headers, .flags = Http2Frame::endHeaders, .stream = stream, .payload = "\x88"});
  endlessFrames({.type = Http2Frame::data, .stream = stream, .payload = std::string(4'096, ' ')})(connection,
                                                                                                  stream);
}

void sendLongTrailers(Http2Connection& connection, std::uint32_t stream) {
  connection.sendHead(stream, 0);
  connection.sendLongHead(stream, "200", 100);
}

/// More than the windows of the client allow.
void exceedTheWindow(Http2Connection& connection, std::uint32_t stream) {
  connection.send(
      {.type = Http2Frame::headers, .flags = Http2Frame::endHeaders, .stream = stream, .payload = "\x88"});
  const std::string size("\xFF\xFF\xFF", 3);
  connection.sendBytes(size + std::string(2, '\0') + std::string{"\0\0\0\x01", 4});
  while (connection.sendBytes(std::string(8'192, ' '))) {
  }
}

/// Waits until the client has had enough.
void keepQuiet(Http2Connection& connection, std::uint32_t) {
  while (connection.receive()) {
  }
}

void trickleFrames(Http2Connection& connection, std::uint32_t stream) {
  connection.sendHead(stream, 1'000'000);
  bool goesOn = true;
  while (goesOn) {
    goesOn = !reacts(connection.socket(), 0) &&
             connection.send({.type = Http2Frame::data, .stream = stream, .payload = " "});
  }
}

HostileServer floodsWith(std::string name, Flood flood, ErrorKind kind, std::string says = {}) {
  return {.name = "http2_" + std::move(name),
          .behave = flooding(std::move(flood)),
          .kind = kind,
          .says = std::move(says),
          .scheme = "https"};
}

constexpr auto connectionLost = ErrorKind::connection;
constexpr auto timedOut = ErrorKind::timeout;
constexpr auto flooded = ErrorKind::malformedResponse;

}  // namespace

std::vector<HostileServer> http2Floods() {
  using Frame = Http2Frame;
  return {
      floodsWith("pings", endlessFrames({.type = Frame::ping, .payload = std::string(8, 'p')}),
                 connectionLost),
      floodsWith("settings", endlessFrames({.type = Frame::settings}), connectionLost),
      floodsWith("empty_data", endlessFrames({.type = Frame::data, .stream = 1}), connectionLost),
      floodsWith("window_updates",
                 endlessFrames({.type = Frame::windowUpdate, .payload = std::string("\0\0\0\1", 4)}),
                 flooded),
      floodsWith(
          "priorities",
          endlessFrames({.type = Frame::priority, .stream = 1, .payload = std::string("\0\0\0\0\1", 5)}),
          flooded),
      floodsWith("unknown_frames", endlessFrames({.type = Frame::Type{0xFA}, .payload = "what?"}), flooded),
      floodsWith("pushes",
                 endlessFrames({.type = Frame::pushPromise,
                                .flags = Frame::endHeaders,
                                .stream = 1,
                                .payload = std::string("\0\0\0\2\x88", 5)}),
                 connectionLost),
      floodsWith(
          "go_aways",
          endlessFrames({.type = Frame::goAway, .payload = std::string("\x7F\xFF\xFF\xFF\0\0\0\0", 8)}),
          flooded),
      floodsWith("continuations", continueEndlessly, connectionLost),
      floodsWith("early_hints", hintEndlessly, ErrorKind::responseTooLarge),
      floodsWith("endless_body", sendEndlessBody, ErrorKind::responseTooLarge),
      floodsWith("long_trailers", sendLongTrailers, connectionLost),
      floodsWith("frame_beyond_the_window", exceedTheWindow,
                 isLibcurl8() ? connectionLost : ErrorKind::malformedResponse),
      floodsWith("silence", keepQuiet, timedOut),
      floodsWith("slow_body", trickleFrames, timedOut),
  };
}

}  // namespace tally::test
