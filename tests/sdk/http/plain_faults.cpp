// What goes wrong with HTTP/1.1.

#include <utility>

#include "sdk/support/wire_fault.h"

namespace tally::test {

namespace {

using Kind = TransportFailure::Kind;

/// Takes the whole request.
void take(int connection, Turns& turns) {
  (void)receiveRequest(connection);
  ++turns.requests;
}

/// Takes the whole request, gives these bytes and closes.
auto answering(std::string bytes) {
  return [bytes = std::move(bytes)](int connection, Turns& turns) {
    take(connection, turns);
    sendAll(connection, bytes);
    close(connection);
  };
}

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

/// Goes on with a head, as long as it is taken.
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

/// Answers the requests whose turn it is, and goes wrong with the others.
auto inTurns(std::function<void(int, Turns&)> goWrong) {
  return [goWrong = std::move(goWrong)](int connection, Turns& turns) {
    char byte = 0;
    while (recv(connection, &byte, 1, MSG_PEEK) > 0) {
      if (!turns.answersNext()) return goWrong(connection, turns);
      take(connection, turns);
      sendAll(connection, goodAnswer(turns.answer));
    }
    close(connection);
  };
}

const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n";

WireFault plain(WireFault fault) {
  fault.behave = inTurns(std::move(fault.behave));
  fault.scheme = "http";
  return fault;
}

WireFault broken(std::string name, decltype(WireFault::behave) behave, Kind failure = Kind::connection) {
  return plain({.name = std::move(name), .behave = std::move(behave), .failure = failure});
}

/// An answer that is not asked for a second time.
WireFault unusable(std::string name, decltype(WireFault::behave) behave, Kind failure, ErrorKind kind) {
  return plain({.name = std::move(name),
                .behave = std::move(behave),
                .failure = failure,
                .kind = kind,
                .repeated = false});
}

}  // namespace

std::vector<WireFault> plainFaults() {
  const auto noHttp = answering("220 mail.example ESMTP\r\n");
  const auto notCompressed =
      answering("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain");
  return {
      broken("reset_within_the_request", resetWithinTheRequest),
      broken("reset_after_the_request", resetAfterTheRequest),
      broken("closed_after_the_request", answering("")),
      broken("head_cut_off", answering("HTTP/1.1 200 OK\r\nContent-Le"), Kind::truncated),
      broken("body_cut_off", answering(head + "{\"object\":"), Kind::truncated),
      broken("chunks_cut_off", answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"obj"),
             Kind::truncated),
      unusable("no_http", noHttp, Kind::malformed, ErrorKind::malformedAnswer),
      unusable("broken_compression", notCompressed, Kind::malformed, ErrorKind::malformedAnswer),
      unusable("too_large", answering(head + std::string(5'000, ' ')), Kind::tooLarge,
               ErrorKind::answerTooLarge),
      unusable("endless_head", neverEndTheHead, Kind::tooLarge, ErrorKind::answerTooLarge),
      unusable("endless_early_hints", alwaysGoOn, Kind::tooLarge, ErrorKind::answerTooLarge),
      plain({.name = "silence",
             .behave = takeAndKeepSilent,
             .failure = Kind::timeout,
             .kind = ErrorKind::timeout,
             .says = "the request was on its way"}),
  };
}

}  // namespace tally::test
