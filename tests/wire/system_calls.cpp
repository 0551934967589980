#include "system_calls.h"

#include <atomic>
#include <bitset>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>

#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <openssl/x509.h>
#include <poll.h>
#include <sys/socket.h>

namespace tally::test {

namespace {

/// Shared by the calls of all threads.
struct Calls {
  std::mutex mutex{};
  std::condition_variable changed{};
  bool blocked = false;
  int lookups = 0;  // in flight
  std::bitset<65'536>
      ports{};  // without allocations, which tests fail: exceptions must not pass through libcurl
  std::atomic<bool> endlessPolls = false;
  std::atomic<int> trustedFolders = 0;
};

Calls& calls() {
  static Calls shared;
  return shared;
}

/// The system's function, which this program overrides.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int blockedLookup() {
  constexpr std::chrono::seconds patience{30};
  std::unique_lock lock{calls().mutex};
  ++calls().lookups;
  calls().changed.notify_all();
  calls().changed.wait_for(lock, patience, [] { return !calls().blocked; });
  --calls().lookups;
  calls().changed.notify_all();
  return EAI_NONAME;
}

using Lookup = decltype(getaddrinfo);

int lookUpTwo(Lookup* lookUp, const char* service, const addrinfo* hints, addrinfo** found) {
  if (const int error = lookUp("::ffff:127.0.0.2", service, hints, found); error != 0) return error;
  addrinfo* last = *found;
  while (last->ai_next != nullptr)
    last = last->ai_next;
  return lookUp("127.0.0.1", service, hints, &last->ai_next);
}

void note(const sockaddr* address) {
  if (address->sa_family != AF_INET) return;
  const std::lock_guard lock{calls().mutex};
  calls().ports.set(ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port));
  calls().changed.notify_all();
}

}  // namespace

BlockedHost::BlockedHost() {
  const std::lock_guard lock{calls().mutex};
  calls().blocked = true;
}

BlockedHost::~BlockedHost() {
  std::unique_lock lock{calls().mutex};
  calls().blocked = false;
  calls().changed.notify_all();
  calls().changed.wait(lock, [] { return calls().lookups == 0; });
}

void BlockedHost::awaitLookup() const {
  std::unique_lock lock{calls().mutex};
  calls().changed.wait(lock, [] { return calls().lookups != 0; });
}

bool BlockedHost::awaited() const {
  const std::lock_guard lock{calls().mutex};
  return calls().lookups != 0;
}

EndlessPolls::EndlessPolls() {
  calls().endlessPolls = true;
}

EndlessPolls::~EndlessPolls() {
  calls().endlessPolls = false;
}

TrustedFolders::TrustedFolders() : before_(calls().trustedFolders) {}

int TrustedFolders::count() const {
  return calls().trustedFolders - before_;
}

void awaitConnect(std::uint16_t port) {
  std::unique_lock lock{calls().mutex};
  calls().changed.wait(lock, [port] { return calls().ports.test(port); });
}

}  // namespace tally::test

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found) {
  using namespace tally::test;
  if (node != nullptr && std::string_view{node} == BlockedHost::name) return blockedLookup();
  auto* const lookUp = real<Lookup>("getaddrinfo");
  if (node != nullptr && std::string_view{node} == hostWithTwoAddresses)
    return lookUpTwo(lookUp, service, hints, found);
  return lookUp(node, service, hints, found);
}

extern "C" int connect(int socket, const sockaddr* address, socklen_t size) {
  using namespace tally::test;
  const int result = real<decltype(connect)>("connect")(socket, address, size);
  const int error = errno;
  note(address);
  errno = error;
  return result;
}

extern "C" int poll(pollfd* polled, nfds_t count, int timeout) {
  using namespace tally::test;
  const bool endless = calls().endlessPolls && timeout > 0;
  return real<decltype(poll)>("poll")(polled, count, endless ? -1 : timeout);
}

extern "C" int X509_STORE_load_path(X509_STORE* store, const char* folder) {
  using namespace tally::test;
  ++calls().trustedFolders;
  return real<decltype(X509_STORE_load_path)>("X509_STORE_load_path")(store, folder);
}
