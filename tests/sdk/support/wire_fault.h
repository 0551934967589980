#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <tally/error.h>

#include "certificates.h"
#include "sockets.h"

namespace tally::test {

/// Which requests, or connections, of a server get its fault: the first ones get responses, then some get the
/// fault, and all others get responses.
struct Turns {
  std::atomic<int> requests = 0;  // received
  std::atomic<int> respondsFirst = 0;
  std::atomic<int> faults = std::numeric_limits<int>::max();
  std::string response{};  // the JSON of a successful response

  /// Whether the next one gets a response. Requests arrive one after the other.
  bool respondsToNext() {
    if (respondsFirst > 0) {
      --respondsFirst;
      return true;
    }
    if (faults > 0) {
      --faults;
      return false;
    }
    return true;
  }
};

/// A successful HTTP/1.1 response.
inline std::string goodResponse(const std::string& json, const std::string& headers = {}) {
  return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" +
         json;
}

/// The longest response that clients of these servers accept, in bytes, unless the fault says otherwise.
inline constexpr std::size_t maxResponseBytes = 4'096;

/// A wire fault: how a server fails, and how an attempt ends.
struct WireFault {
  std::string name{};
  /// Handles a connection. Counts requests; closes the connection at the end.
  std::function<void(int connection, Turns& turns)> behave{};
  TransportFailure::Kind failure = TransportFailure::Kind::connection;
  ErrorKind kind = ErrorKind::connection;
  bool sent = true;      // whether the request reaches the server, so that a report may take effect
  bool repeated = true;  // whether calls without effect are retried
  std::string scheme = "https";
  std::string says{};  // part of the error's message
  std::size_t maxResponseBytes = test::maxResponseBytes;
};

inline std::ostream& operator<<(std::ostream& out, const WireFault& fault) {
  return out << fault.name;
}

/// The authority trusted by clients of these servers.
inline const Authority& authority() {
  static const Authority trusted;
  return trusted;
}

/// Waits until the other side closes.
inline void keepSilent(int connection) {
  char bytes[4'096];
  while (recv(connection, bytes, sizeof bytes, 0) > 0) {
  }
  close(connection);
}

/// Reads the whole request.
inline void take(int connection, Turns& turns) {
  (void)receiveRequest(connection);
  ++turns.requests;
}

/// Reads the whole request, sends these bytes and closes.
inline auto responding(std::string bytes) {
  return [bytes = std::move(bytes)](int connection, Turns& turns) {
    take(connection, turns);
    sendAll(connection, bytes);
    close(connection);
  };
}

/// Responds to requests that are due a response, and lets the others fail.
inline auto inTurns(std::function<void(int, Turns&)> goWrong) {
  return [goWrong = std::move(goWrong)](int connection, Turns& turns) {
    char byte = 0;
    while (recv(connection, &byte, 1, MSG_PEEK) > 0) {
      if (!turns.respondsToNext()) return goWrong(connection, turns);
      take(connection, turns);
      sendAll(connection, goodResponse(turns.response));
    }
    close(connection);
  };
}

[[nodiscard]] std::vector<WireFault> plainFaults();
[[nodiscard]] std::vector<WireFault> tlsFaults();
[[nodiscard]] std::vector<WireFault> http2Faults();

}  // namespace tally::test
