// Without memory, an attempt fails and says whether the request may have been sent. The next attempt
// succeeds.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include <tally/curl_transport.h>

#include <curl/curl.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "sdk/support/async_sends.h"
#include "sdk/support/wire_fault.h"
#include "support/failing_allocations.h"

namespace {

bool libcurlFails = false;

}  // namespace

extern "C" CURLcode curl_global_init(long flags) {
  if (libcurlFails) return CURLE_FAILED_INIT;
  return reinterpret_cast<decltype(curl_global_init)*>(dlsym(RTLD_NEXT, "curl_global_init"))(flags);
}

namespace tally {
namespace {

using namespace std::chrono_literals;

/// Chunked, so that the buffer can't be reserved in advance.
void respondInChunks(int connection, std::atomic<int>& requests) {
  constexpr int chunks = 10;
  while (!test::receiveRequest(connection).empty()) {
    ++requests;
    test::sendAll(connection, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Long: " +
                                  std::string(100, 'x') + "\r\n\r\n");
    for (int i = 0; i < chunks; ++i)
      test::sendAll(connection, "40\r\n" + std::string(64, 'x') + "\r\n");
    test::sendAll(connection, "0\r\n\r\n");
  }
  close(connection);
}

/// Fails allocation number `which` of an attempt, from 1. False if there are fewer.
bool failOne(Transport& transport, const HttpRequest& request, const std::atomic<int>& requests,
             std::size_t which) {
  const SendLimits limits{.deadline = systemClock()->now() + 30s};
  const int before = requests;
  TransportResult result;
  bool failed = false;
  {
    const test::FailingAllocations failing{which};
    result = transport.send(request, limits);
    failed = failing.failed();
  }
  EXPECT_EQ(std::holds_alternative<TransportFailure>(result), failed);
  if (const auto* failure = std::get_if<TransportFailure>(&result)) {
    EXPECT_EQ(failure->message, "out of memory");
    EXPECT_TRUE(failure->mayHaveBeenSent || requests == before);
  }
  EXPECT_TRUE(std::holds_alternative<HttpResponse>(transport.send(request, limits)));
  return failed;
}

TEST(MemoryExhaustion, EndsOnlyTheAttemptInWhichItOccurs) {
  std::atomic<int> requests = 0;
  test::MisbehavingServer server{[&](int connection) { respondInChunks(connection, requests); }};
  const HttpRequest request{.method = Method::post,
                            .url = server.url() + "/a/path/that/no/string/keeps/within/itself",
                            .headers = {{"X-Header-That-Is-Long", "and so is its value"}},
                            .body = "a=1"};
  for (const bool kept : {false, true}) {
    std::size_t which = 1;
    do {
      const auto transport = test::wireTransport(systemClock());
      if (kept) (void)transport->send(request, {.deadline = systemClock()->now() + 30s});
      if (!failOne(*transport, request, requests, which)) break;
    } while (++which < 1'000);
    EXPECT_GT(which, 5);
    EXPECT_LT(which, 1'000);
  }
}

/// Describing the failure takes memory, too.
TEST(MemoryExhaustion, DoesNotHideThatARequestMayHaveBeenSent) {
  std::atomic<int> requests = 0;
  test::MisbehavingServer server{[&](int connection) {
    if (!test::receiveRequest(connection).empty()) ++requests;
    close(connection);
  }};
  const HttpRequest request{.method = Method::post, .url = server.url() + "/a", .body = "a=1"};
  bool failed = true;
  for (std::size_t which = 1; failed && which < 1'000; ++which) {
    const auto transport = test::wireTransport(systemClock());
    const SendLimits limits{.deadline = systemClock()->now() + 30s};
    const int before = requests;
    TransportResult result;
    {
      const test::FailingAllocations failing{which};
      result = transport->send(request, limits);
      failed = failing.failed();
    }
    EXPECT_TRUE(std::get<TransportFailure>(result).mayHaveBeenSent || requests == before) << which;
  }
  EXPECT_FALSE(failed);
}

TEST(LibcurlDeathTest, CanBeInitializedAfterAFailedAttempt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto begin = [] {
    libcurlFails = true;
    try {
      (void)test::wireTransport(systemClock());
    } catch (const std::runtime_error&) {
      libcurlFails = false;
      std::exit(test::wireTransport(systemClock()) != nullptr ? 7 : 1);
    }
  };
  EXPECT_EXIT(begin(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace tally
