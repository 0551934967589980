#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include <tally/error.h>

#include "certificates.h"
#include "sockets.h"

namespace tally::test {

/// Which requests, or connections, of a server meet its fault: some are answered first, then some meet the
/// fault, and those that follow are answered again.
struct Turns {
  std::atomic<int> requests = 0;  // that have come
  std::atomic<int> answersFirst = 0;
  std::atomic<int> faults = std::numeric_limits<int>::max();
  std::string answer{};  // the JSON of a good answer

  /// Whether the next one is answered. Requests come one after the other.
  bool answersNext() {
    if (answersFirst > 0) {
      --answersFirst;
      return true;
    }
    if (faults > 0) {
      --faults;
      return false;
    }
    return true;
  }
};

/// A good answer in HTTP/1.1.
inline std::string goodAnswer(const std::string& json, const std::string& headers = {}) {
  return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" +
         json;
}

/// A fault of the wire: how a server goes wrong, and what an attempt ends in.
struct WireFault {
  std::string name{};
  /// What the server does on each connection. Counts the requests that come; leaves the connection closed.
  std::function<void(int connection, Turns& turns)> behave{};
  TransportFailure::Kind failure = TransportFailure::Kind::connection;
  ErrorKind kind = ErrorKind::connection;
  bool sent = true;      // whether the request reaches the server, so that a report may have happened
  bool repeated = true;  // whether what has no effect is sent again
  std::string scheme = "https";
  std::string says{};  // is part of the error's message
};

inline std::ostream& operator<<(std::ostream& out, const WireFault& fault) {
  return out << fault.name;
}

/// How many bytes of an answer the clients of these servers take.
inline constexpr std::size_t maxAnswerBytes = 4'096;

/// The authority that the clients of these servers trust.
inline const Authority& authority() {
  static const Authority trusted;
  return trusted;
}

/// Waits until the other side gives up.
inline void keepSilent(int connection) {
  char bytes[4'096];
  while (recv(connection, bytes, sizeof bytes, 0) > 0) {
  }
  close(connection);
}

[[nodiscard]] std::vector<WireFault> plainFaults();
[[nodiscard]] std::vector<WireFault> tlsFaults();
[[nodiscard]] std::vector<WireFault> http2Faults();

}  // namespace tally::test
