// A server closes or resets the connection after each byte of its response. A call never takes a part of a
// response for the whole, reports the true effect, and the next call succeeds.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include "http2_connection.h"
#include "sdk/support/async_sends.h"
#include "sdk/support/harness.h"
#include "sdk/support/wire_fault.h"

namespace tally {
namespace {

using namespace std::chrono_literals;

/// How the end of a response is found, and how the connection ends. No connection is reused: the next call
/// might see the end of an earlier one.
struct Cut {
  std::string name{};
  std::string (*write)(const std::string& json) = nullptr;
  bool resets = false;
  std::string scheme = "http";
  std::size_t unneeded = 0;  // how many of the last bytes libcurl can do without

  friend std::ostream& operator<<(std::ostream& out, const Cut& cut) { return out << cut.name; }
};

std::string inChunks(const std::string& json) {
  const auto chunk = [](const std::string& bytes) {
    char size[9];
    (void)std::snprintf(size, sizeof size, "%zx", bytes.size());
    return size + ("\r\n" + bytes) + "\r\n";
  };
  return "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" +
         chunk(json.substr(0, 20)) + chunk(json.substr(20)) + chunk({});
}

std::string untilTheEnd(const std::string& json) {
  return "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + json;
}

std::string withLength(const std::string& json) {
  return test::goodResponse(json, "Connection: close\r\n");
}

std::string inFrames(const std::string& json) {
  constexpr std::uint32_t firstStream = 1;
  return test::Http2Connection::goAwayBytes(firstStream) +
         test::Http2Connection::responseBytes(firstStream, json);
}

class CutResponses : public testing::TestWithParam<Cut> {
 protected:
  const Cut& tested = GetParam();
  const std::string response = tested.write(test::recordJson("pr_1"));
  std::atomic<std::size_t> sent = 0;  // of the next response, in bytes
  test::MisbehavingServer server{[this](int connection) { respond(connection); }};
  Client client{{.apiKey = "sk_test_1",
                 .baseUrl = server.url(tested.scheme),
                 .maxNetworkRetries = 0,
                 .transport = test::wireTransport(systemClock(), {.caFile = test::authority().caFile()})}};

  void respond(int socket) const {
    if (tested.scheme == "https") {
      test::Http2Connection connection{socket, test::authority().issue()};
      (void)connection.receiveRequest();
      connection.sendBytes(std::string_view{response}.substr(0, sent));
      return;
    }
    (void)test::receiveRequest(socket);
    const std::string_view part = std::string_view{response}.substr(0, sent);
    test::sendAll(socket, part);
    if (tested.resets && part.size() < response.size())
      test::resetConnection(socket);
    else
      close(socket);
  }

  /// Whether the call succeeds. Otherwise, its error must have this effect.
  bool succeeds(const Result<PaymentRecord>& result, Effect effect) const {
    if (result.has_value()) {
      EXPECT_EQ(result->id, "pr_1");
      EXPECT_EQ(result->latestPaymentAttemptRecord, "par_1");
      return true;
    }
    EXPECT_EQ(result.error().effect(), effect) << "after " << sent << " bytes: " << result.error();
    return false;
  }
};

TEST_P(CutResponses, AreNeverTreatedAsComplete) {
  for (std::size_t cut = 0; cut <= response.size(); ++cut) {
    sent = cut;
    const auto reported =
        client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
    if (succeeds(reported, Effect::unknown))
      EXPECT_GE(cut + tested.unneeded, response.size());
    else
      EXPECT_LT(cut, response.size());
    sent = response.size();
    EXPECT_TRUE(succeeds(client.paymentRecords().retrieve("pr_1"), Effect::none)) << "after a cut at " << cut;
  }
}

INSTANTIATE_TEST_SUITE_P(Endings, CutResponses,
                         testing::Values(Cut{"Length", withLength}, Cut{"LengthReset", withLength, true},
                                         Cut{"Chunks", inChunks, false, "http", 1},
                                         Cut{"ChunksReset", inChunks, true, "http", 1},
                                         Cut{"Close", untilTheEnd}, Cut{"CloseReset", untilTheEnd, true},
                                         Cut{"Frames", inFrames, false, "https"}),
                         [](const testing::TestParamInfo<Cut>& tested) { return tested.param.name; });

}  // namespace
}  // namespace tally
