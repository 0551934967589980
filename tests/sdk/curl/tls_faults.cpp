// Faults before the connection is secure: the request has certainly not been sent.

#include <utility>

#include "sdk/support/wire_fault.h"
#include "tls_connection.h"

namespace tally::test {

namespace {

using Kind = TransportFailure::Kind;
using namespace std::chrono_literals;

/// Responds to one request with `Connection: close`.
void respondSecurely(int connection, Turns& turns) {
  TlsConnection tls{connection, authority().issue()};
  if (wholeRequest([&tls] { return tls.receive(); }).empty()) return;
  ++turns.requests;
  tls.send(goodResponse(turns.response, "Connection: close\r\n"));
}

auto securely(std::function<void(int)> goWrong) {
  return [goWrong = std::move(goWrong)](int connection, Turns& turns) {
    return turns.respondsToNext() ? respondSecurely(connection, turns) : goWrong(connection);
  };
}

WireFault insecure(std::string name, std::function<void(int)> behave, std::string says) {
  return {.name = std::move(name),
          .behave = securely(std::move(behave)),
          .failure = Kind::tls,
          .sent = false,
          .repeated = false,
          .says = std::move(says)};
}

/// A failed handshake that may succeed next time.
WireFault brokenOff(std::string name, std::function<void(int)> behave, std::string says) {
  WireFault fault = insecure(std::move(name), std::move(behave), std::move(says));
  fault.failure = Kind::couldNotConnect;
  fault.repeated = true;
  return fault;
}

/// An invalid certificate issued by the trusted authority.
WireFault badCertificate(std::string name, const CertificateOptions& options, std::string says) {
  const auto behave = [options](int connection) {
    TlsConnection tls{connection, authority().issue(options)};
    (void)tls.receive();
  };
  return insecure(std::move(name), behave, std::move(says));
}

void showACertificateOfAnotherAuthority(int connection) {
  const Authority unknown;
  TlsConnection tls{connection, unknown.issue()};
  (void)tls.receive();
}

/// Responds in plain HTTP.
void respondPlainly(int connection) {
  char bytes[4'096];
  (void)recv(connection, bytes, sizeof bytes, 0);
  sendAll(connection, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
  close(connection);
}

void closeInTheHandshake(int connection) {
  char bytes[4'096];
  (void)recv(connection, bytes, sizeof bytes, 0);
  close(connection);
}

void resetInTheHandshake(int connection) {
  char bytes[4'096];
  (void)recv(connection, bytes, sizeof bytes, 0);
  resetConnection(connection);
}

}  // namespace

std::vector<WireFault> tlsFaults() {
  return {
      insecure("unknown_authority", showACertificateOfAnotherAuthority,
               "unable to get local issuer certificate"),
      badCertificate("wrong_name", {.names = "DNS:elsewhere.example"}, "'127.0.0.1'"),
      badCertificate("expired", {.from = -48h, .until = -24h}, "certificate has expired"),
      badCertificate("not_yet_valid", {.from = 24h, .until = 48h}, "certificate is not yet valid"),
      brokenOff("no_tls", respondPlainly, "wrong version number"),
      brokenOff("closed_in_the_handshake", closeInTheHandshake, "could not connect: "),
      brokenOff("reset_in_the_handshake", resetInTheHandshake, "Connection reset"),
      {.name = "endless_handshake",
       .behave = securely(keepSilent),
       .failure = Kind::timeout,
       .kind = ErrorKind::timeout,
       .sent = false,
       .says = "the request was not sent"},
  };
}

}  // namespace tally::test
