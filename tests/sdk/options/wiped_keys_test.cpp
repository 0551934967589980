// The client overwrites keys before it releases memory. This program replaces `operator delete`, by which C++
// code releases memory, and looks for the keys in it. What libcurl and its libraries copy is released by
// free().

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include <tally/async.h>
#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gtest/gtest.h>
#include <malloc.h>

#include "sdk/support/harness.h"
#include "sockets.h"

namespace {

// No beginning of them is in the program's other texts, and they are too long for the memory within a string.
constexpr std::string_view planted = "sk_test_plantedKeyThatNoMemoryMayKeep0123456789";
constexpr std::string_view secret = "plantedKeyThatNoMemoryMayKeep";

std::atomic<bool> searches = false;
std::atomic<int> found = 0;
thread_local bool isServer = false;

void release(void* memory) noexcept {
  if (memory != nullptr && searches && !isServer) {
    const std::string_view bytes{static_cast<const char*>(memory), malloc_usable_size(memory)};
    if (bytes.find(secret) != std::string_view::npos) ++found;
  }
  std::free(memory);
}

/// Without what others have left there.
void* allocate(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc{};
  return std::memset(memory, 0, malloc_usable_size(memory));
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete[](void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  release(memory);
}

namespace tally {
namespace {

using namespace std::chrono_literals;

/// Responds to every request, and fails the first report so that it is sent again.
class RespondingServer {
 public:
  [[nodiscard]] std::string url() const { return server_.url(); }

 private:
  void serve(int connection) {
    isServer = true;
    for (std::string request = test::receiveRequest(connection); !request.empty();
         request = test::receiveRequest(connection)) {
      const bool isPage = request.find("GET /v1/payment_records?") != std::string::npos ||
                          request.find("GET /v1/payment_records/search") != std::string::npos;
      const bool isLast = request.find("starting_after") != std::string::npos;
      const std::string body =
          isPage ? test::pageJson({isLast ? "pr_2" : "pr_1"}, !isLast) : test::recordJson("pr_1");
      const bool fails = request.find("POST") == 0 && !std::exchange(failed_, true);
      test::sendAll(connection, (fails ? "HTTP/1.1 503 Busy\r\n" : "HTTP/1.1 200 OK\r\n") +
                                    std::string{"Content-Length: "} + std::to_string(body.size()) +
                                    "\r\n\r\n" + body);
    }
    close(connection);
  }

  bool failed_ = false;
  test::MisbehavingServer server_{[this](int connection) { serve(connection); }};
};

class WipedKeys : public testing::Test {
 protected:
  WipedKeys() { found = 0; }
  ~WipedKeys() override { searches = false; }

  [[nodiscard]] ClientOptions clientOptions() const {
    return {.baseUrl = server.url(), .maxNetworkRetries = 2, .backoff = {.initial = 1ms, .cap = 1ms}};
  }

  static void make(const Client& client) {
    ASSERT_TRUE(client.paymentRecords().retrieve("pr_1"));
    (void)client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}},
                                               {.maxNetworkRetries = 2});
    for (const auto& record : client.paymentRecords().list({.limit = 1}))
      ASSERT_TRUE(record);
    ASSERT_TRUE(client.send({.path = "/v1/payment_records/pr_1"}));
    ASSERT_TRUE(client.paymentRecords().retrieve("pr_1", {.apiKey = ApiKey{planted}}));
  }

  static void make(const AsyncClient& client) {
    ASSERT_TRUE(client.paymentRecords().retrieve("pr_1").future().get());
    (void)client.paymentRecords()
        .reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}})
        .future()
        .get();
    ASSERT_TRUE(client.paymentRecords().retrieve("pr_1", {.apiKey = ApiKey{planted}}).future().get());
  }

  /// Makes calls with each kind of client.
  void expectWiped(const ClientOptions& options) {
    searches = true;
    {
      const Client client{options};
      make(client);
    }
    EXPECT_EQ(found, 0);
    {
      const AsyncClient client{options};
      make(client);
    }
    EXPECT_EQ(found, 0);
  }

  RespondingServer server{};
};

using KeySearch = WipedKeys;

TEST_F(KeySearch, FindsAKeyThatIsNotWiped) {
  searches = true;
  delete new std::string(planted);
  EXPECT_GT(found, 0);
}

TEST_F(WipedKeys, AreNotInTheMemoryOfAClientWithAKey) {
  ClientOptions options = clientOptions();
  options.apiKey = ApiKey{planted};
  expectWiped(options);
}

TEST_F(WipedKeys, AreNotInTheMemoryOfAClientWithAProvider) {
  ClientOptions options = clientOptions();
  options.apiKeyProvider = [] { return ApiKey{planted}; };
  expectWiped(options);
}

/// Neither a proxy nor a certificate is used for a plain loopback URL.
TEST_F(WipedKeys, AreNotInTheMemoryOfAClientWithAProxyAndAClientCertificate) {
  const auto pem = [](const std::string& kind) {
    return "-----BEGIN " + kind + "-----\n" + std::string{planted} + "\n-----END " + kind + "-----\n";
  };
  ClientOptions options = clientOptions();
  options.apiKeyProvider = [] { return ApiKey{planted}; };
  options.http.proxy = "http://user:" + std::string{planted} + "@127.0.0.1:9";
  options.http.clientCertificatePem = pem("CERTIFICATE");
  options.http.clientKeyPem = pem("PRIVATE KEY");
  options.http.clientKeyPassword = planted;
  searches = true;
  {
    const Client client{std::move(options)};
    (void)client.paymentRecords().retrieve("pr_1");
  }
  EXPECT_EQ(found, 0);
}

TEST_F(WipedKeys, AreNotInTheMemoryOfAClientThatChangesHeadersOfAttempts) {
  ClientOptions options = clientOptions();
  options.apiKeyProvider = [] { return ApiKey{planted}; };
  options.markAttempts = true;
  options.attemptHeaders = [](const Event&) { return std::vector<Header>{{"X-Attempt", "1"}}; };
  expectWiped(options);
}

}  // namespace
}  // namespace tally
