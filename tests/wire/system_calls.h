#pragma once

#include <cstdint>

namespace tally::test {

// Programs that link this override getaddrinfo(), connect() and other system calls. Except as described here,
// they behave like the originals.

/// During its lifetime, lookups of `host` block for up to 30 seconds. At most one instance at a time.
class BlockedHost {
 public:
  static constexpr const char* name = "blocked.tally.test";

  BlockedHost();
  BlockedHost(const BlockedHost&) = delete;
  BlockedHost& operator=(const BlockedHost&) = delete;
  /// Fails pending lookups with "no such host", and waits until they have returned.
  ~BlockedHost();

  /// Waits until a lookup has begun.
  void awaitLookup() const;

  /// Whether a lookup is blocked.
  [[nodiscard]] bool awaited() const;
};

/// A lookup of this host finds 127.0.0.2, as an address of IPv6, and 127.0.0.1.
inline constexpr const char* hostWithTwoAddresses = "two-addresses.tally.test";

/// During its lifetime, poll() ignores its timeout. At most one instance at a time.
class EndlessPolls {
 public:
  EndlessPolls();
  EndlessPolls(const EndlessPolls&) = delete;
  EndlessPolls& operator=(const EndlessPolls&) = delete;
  ~EndlessPolls();
};

/// Counts how often OpenSSL was told to trust a folder, from construction on.
class TrustedFolders {
 public:
  TrustedFolders();
  [[nodiscard]] int count() const;

 private:
  int before_;
};

/// Waits until a connection attempt to that port has begun.
void awaitConnect(std::uint16_t port);

}  // namespace tally::test
