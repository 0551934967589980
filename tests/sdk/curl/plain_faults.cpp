// Faults of HTTP/1.1.

#include <utility>

#include <tally/curl_transport.h>

#include "sdk/support/wire_fault.h"

namespace tally::test {

namespace {

using Kind = TransportFailure::Kind;

void resetWithinTheRequest(int connection, Turns& turns) {
  char byte = 0;
  (void)recv(connection, &byte, 1, 0);
  ++turns.requests;
  resetConnection(connection);
}

void resetAfterTheRequest(int connection, Turns& turns) {
  take(connection, turns);
  resetConnection(connection);
}

void takeAndKeepSilent(int connection, Turns& turns) {
  take(connection, turns);
  keepSilent(connection);
}

/// Sends headers for as long as the client reads.
void neverEndTheHead(int connection, Turns& turns) {
  take(connection, turns);
  sendAll(connection, "HTTP/1.1 200 OK\r\n");
  while (sendAll(connection, "X-More: of the same\r\n")) {
  }
  close(connection);
}

void alwaysGoOn(int connection, Turns& turns) {
  take(connection, turns);
  while (sendAll(connection, "HTTP/1.1 103 Early Hints\r\nX-Hint: none\r\n\r\n")) {
  }
  close(connection);
}

/// So many lines of 1,000 bytes.
std::string headerLines(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i)
    lines += "X-More: " + std::string(990, 'x') + "\r\n";
  return lines;
}

std::string earlyHints(int count) {
  std::string hints;
  for (int i = 0; i < count; ++i)
    hints += "HTTP/1.1 103 Early Hints\r\n" + headerLines(10) + "\r\n";
  return hints;
}

const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n";

const std::string chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"obj\r\n0\r\n";
const std::string longHeader = "X-Long: " + std::string(200'000, 'x') + "\r\n";

WireFault plain(WireFault fault) {
  fault.behave = inTurns(std::move(fault.behave));
  fault.scheme = "http";
  return fault;
}

WireFault broken(std::string name, decltype(WireFault::behave) behave, Kind failure = Kind::connection) {
  return plain({.name = std::move(name), .behave = std::move(behave), .failure = failure});
}

/// An unusable response, which is not retried.
WireFault unusable(std::string name, decltype(WireFault::behave) behave, Kind failure, ErrorKind kind) {
  return plain({.name = std::move(name),
                .behave = std::move(behave),
                .failure = failure,
                .kind = kind,
                .repeated = false});
}

/// A response whose headers are too large for any client.
WireFault largeHead(std::string name, std::string bytes) {
  WireFault fault =
      unusable(std::move(name), responding(std::move(bytes)), Kind::tooLarge, ErrorKind::responseTooLarge);
  fault.says = "the head of the response exceeds";
  fault.maxResponseBytes = CurlTransportOptions{}.maxResponseBytes;
  return fault;
}

}  // namespace

std::vector<WireFault> plainFaults() {
  const auto noHttp = responding("220 mail.example ESMTP\r\n");
  const auto notCompressed =
      responding("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain");
  return {
      broken("reset_within_the_request", resetWithinTheRequest),
      broken("reset_after_the_request", resetAfterTheRequest),
      broken("closed_after_the_request", responding("")),
      broken("head_cut_off", responding("HTTP/1.1 200 OK\r\nContent-Le"), Kind::truncated),
      broken("body_cut_off", responding(head + "{\"object\":"), Kind::truncated),
      broken("chunks_cut_off", responding("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"obj"),
             Kind::truncated),
      unusable("no_http", noHttp, Kind::malformed, ErrorKind::malformedResponse),
      unusable("broken_compression", notCompressed, Kind::malformed, ErrorKind::malformedResponse),
      unusable("too_large", responding(head + std::string(5'000, ' ')), Kind::tooLarge,
               ErrorKind::responseTooLarge),
      unusable("endless_head", neverEndTheHead, Kind::tooLarge, ErrorKind::responseTooLarge),
      unusable("endless_early_hints", alwaysGoOn, Kind::tooLarge, ErrorKind::responseTooLarge),
      largeHead("large_head", "HTTP/1.1 200 OK\r\n" + headerLines(280) + "\r\n"),
      largeHead("large_head_beyond_libcurl", "HTTP/1.1 200 OK\r\n" + headerLines(400) + "\r\n"),
      largeHead("large_early_hints", earlyHints(40) + head),
      largeHead("large_trailers", chunkedHead + headerLines(400) + "\r\n"),
      largeHead("long_header", "HTTP/1.1 200 OK\r\nX-Long: " + std::string(80'000, 'x') + "\r\n\r\n"),
      largeHead("long_header_beyond_libcurl", "HTTP/1.1 200 OK\r\n" + longHeader + "\r\n"),
      largeHead("long_status_line", "HTTP/1.1 200 " + longHeader + "\r\n"),
      largeHead("long_trailer", chunkedHead + longHeader + "\r\n"),
      plain({.name = "silence",
             .behave = takeAndKeepSilent,
             .failure = Kind::timeout,
             .kind = ErrorKind::timeout,
             .says = "the request was in flight"}),
  };
}

}  // namespace tally::test
