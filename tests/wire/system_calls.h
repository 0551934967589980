#pragma once

#include <cstdint>

namespace tally::test {

// A program that links this has a getaddrinfo() and a connect() of its own, which do what the system's do,
// but for what is said here.

/// As long as this lives, nobody gets an answer who asks for the address of `host`: not before half a minute
/// has gone by. At most one at a time.
class BlockedHost {
 public:
  static constexpr const char* name = "blocked.tally.test";

  BlockedHost();
  BlockedHost(const BlockedHost&) = delete;
  BlockedHost& operator=(const BlockedHost&) = delete;
  /// Answers that there is no such host, and waits until everybody knows.
  ~BlockedHost();

  /// Waits until somebody has asked.
  void awaitLookup() const;

  /// Whether somebody is waiting for the answer.
  [[nodiscard]] bool awaited() const;
};

/// As long as this lives, a poll() ends only because something has happened, and not because its time is
/// over. At most one at a time.
class EndlessPolls {
 public:
  EndlessPolls();
  EndlessPolls(const EndlessPolls&) = delete;
  EndlessPolls& operator=(const EndlessPolls&) = delete;
  ~EndlessPolls();
};

/// Counts how many times OpenSSL has been told to trust what is in a folder, as long as this lives.
class TrustedFolders {
 public:
  TrustedFolders();
  [[nodiscard]] int count() const;

 private:
  int before_;
};

/// Waits until somebody has begun to connect to that port.
void awaitConnect(std::uint16_t port);

}  // namespace tally::test
