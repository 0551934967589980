// Faults of HTTP/2. For some of them, libcurl itself would resend the request.

#include <tally/curl_transport.h>

#include "http2_connection.h"
#include "sdk/support/libcurl_version.h"
#include "sdk/support/wire_fault.h"

namespace tally::test {

namespace {

using Kind = TransportFailure::Kind;

/// A server's reaction to a request.
using Reaction = void (*)(Http2Connection& connection, std::uint32_t stream);

/// Responds to the request if it is due a response. Returns whether it did.
bool responded(Http2Connection& connection, std::uint32_t stream, Turns& turns) {
  ++turns.requests;
  if (!turns.respondsToNext()) return false;
  if (connection.receiveRest()) connection.sendResponse(stream, turns.response);
  return true;
}

/// Accepts requests, or only their heads, until the client closes.
auto reacting(Reaction react, std::uint32_t (Http2Connection::*take)()) {
  return [react, take](int socket, Turns& turns) {
    Http2Connection connection{socket, authority().issue()};
    while (const std::uint32_t stream = (connection.*take)())
      if (!responded(connection, stream, turns)) react(connection, stream);
  };
}

/// Reacts to the first request that fails, and then closes the connection.
auto reactingOnce(Reaction react) {
  return [react](int socket, Turns& turns) {
    Http2Connection connection{socket, authority().issue()};
    while (const std::uint32_t stream = connection.receiveRequest())
      if (!responded(connection, stream, turns)) return react(connection, stream);
  };
}

void nothing(Http2Connection&, std::uint32_t) {}

void goAway(Http2Connection& connection, std::uint32_t) {
  connection.sendGoAway(0);
}

template <Http2Frame::Code Code>
void reset(Http2Connection& connection, std::uint32_t stream) {
  connection.sendReset(stream, Code);
}

void beginResponse(Http2Connection& connection, std::uint32_t stream) {
  connection.sendHead(stream, 1'000);
  connection.send({.type = Http2Frame::data, .stream = stream, .payload = "{\"object\":"});
}

void resetWithinTheResponse(Http2Connection& connection, std::uint32_t stream) {
  beginResponse(connection, stream);
  connection.sendReset(stream, Http2Frame::internalError);
}

void endWithinTheResponse(Http2Connection& connection, std::uint32_t stream) {
  connection.sendHead(stream, 1'000);
  connection.send({.flags = Http2Frame::endStream, .stream = stream, .payload = "{\"object\":"});
}

void sendLongHeads(Http2Connection& connection, std::uint32_t stream) {
  for (int i = 0; i < 3; ++i)
    connection.sendLongHead(stream, "103", 90);
  connection.sendResponse(stream, "{}");
}

/// Longer than nghttp2 accepts: it ends the connection.
void sendLongHeader(Http2Connection& connection, std::uint32_t stream) {
  connection.sendLongHead(stream, "200", 1, 70'000);
}

WireFault longHeads() {
  return {.name = "http2_long_heads",
          .behave = reacting(sendLongHeads, &Http2Connection::receiveRequest),
          .failure = Kind::tooLarge,
          .kind = ErrorKind::responseTooLarge,
          .repeated = false,
          .says = "the head of the response exceeds",
          .maxResponseBytes = CurlTransportOptions{}.maxResponseBytes};
}

}  // namespace

std::vector<WireFault> http2Faults() {
  const auto head = &Http2Connection::receiveHead;
  const auto request = &Http2Connection::receiveRequest;
  return {
      {.name = "http2_goaway_at_the_head", .behave = reacting(goAway, head)},
      {.name = "http2_goaway", .behave = reacting(goAway, request)},
      {.name = "http2_stream_refused_at_the_head",
       .behave = reacting(reset<Http2Frame::refusedStream>, head)},
      {.name = "http2_stream_refused", .behave = reacting(reset<Http2Frame::refusedStream>, request)},
      {.name = "http2_http11_required", .behave = reacting(reset<Http2Frame::http11Required>, request)},
      {.name = "http2_internal_error", .behave = reacting(reset<Http2Frame::internalError>, request)},
      {.name = "http2_closed", .behave = reactingOnce(nothing)},
      {.name = "http2_closed_within_the_response",
       .behave = reactingOnce(beginResponse),
       .failure = Kind::truncated},
      {.name = "http2_reset_within_the_response",
       .behave = reacting(resetWithinTheResponse, request),
       .failure = Kind::truncated},
      {.name = "http2_ended_within_the_response",
       .behave = reacting(endWithinTheResponse, request),
       .failure = Kind::truncated},
      longHeads(),
      {.name = "http2_long_header",
       .behave = reactingOnce(sendLongHeader),
       .failure = isLibcurl8() ? Kind::truncated : Kind::connection,  // version 8 has read the status
       .maxResponseBytes = CurlTransportOptions{}.maxResponseBytes},
  };
}

}  // namespace tally::test
