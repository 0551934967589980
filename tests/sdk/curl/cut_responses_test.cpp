// A server closes or resets the connection after each byte of its response to a report or a retrieve. Neither
// client ever takes a part of a response for the whole; the effect is true, and the next call succeeds.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tally/async.h>
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

/// A response, and how a report ends that receives all of it.
struct Reply {
  std::string name{};
  std::string status{};
  std::string json{};
  std::optional<ErrorKind> kind{};  // nullopt: it succeeds
  std::string refuses{};            // once this has arrived, nothing was done

  friend std::ostream& operator<<(std::ostream& out, const Reply& reply) { return out << reply.name; }
};

/// How the end of a response is found, and how the connection ends. No connection is reused: the next call
/// might see the end of an earlier one.
struct Ending {
  std::string name{};
  std::string (*write)(const Reply& reply) = nullptr;
  bool resets = false;
  std::string scheme = "http";
  std::size_t unneeded = 0;   // how many of the last bytes libcurl can do without
  bool endsAnywhere = false;  // the body ends where the connection does

  friend std::ostream& operator<<(std::ostream& out, const Ending& ending) { return out << ending.name; }
};

std::string headOf(const Reply& reply) {
  return "HTTP/1.1 " + reply.status + "\r\nConnection: close\r\n";
}

std::string inChunks(const Reply& reply) {
  const auto chunk = [](const std::string& bytes) {
    char size[9];
    (void)std::snprintf(size, sizeof size, "%zx", bytes.size());
    return size + ("\r\n" + bytes) + "\r\n";
  };
  return headOf(reply) + "Transfer-Encoding: chunked\r\n\r\n" + chunk(reply.json.substr(0, 20)) +
         chunk(reply.json.substr(20)) + chunk({});
}

std::string untilTheEnd(const Reply& reply) {
  return headOf(reply) + "\r\n" + reply.json;
}

std::string withLength(const Reply& reply) {
  return headOf(reply) + "Content-Length: " + std::to_string(reply.json.size()) + "\r\n\r\n" + reply.json;
}

std::string inFrames(const Reply& reply) {
  using Frame = test::Http2Frame;
  constexpr std::uint32_t firstStream = 1;
  // A literal that is not indexed, with the name `:status`.
  const Frame head{.type = Frame::headers,
                   .flags = Frame::endHeaders,
                   .stream = firstStream,
                   .payload = "\x08\x03" + reply.status.substr(0, 3)};
  const Frame body{
      .type = Frame::data, .flags = Frame::endStream, .stream = firstStream, .payload = reply.json};
  return test::Http2Connection::goAwayBytes(firstStream) + head.bytes() + body.bytes();
}

Reply errorReply(std::string status, const std::string& code) {
  return {.status = std::move(status),
          .json = R"({"error":{"type":"invalid_request_error","code":")" + code + R"(","message":"No."}})"};
}

const Reply recordReply{.name = "Record", .status = "200 OK", .json = test::recordJson("pr_1")};

class CutResponses : public testing::TestWithParam<std::tuple<Ending, Reply>> {
 protected:
  const Ending& ending = std::get<0>(GetParam());
  const Reply& reply = std::get<1>(GetParam());
  const std::string cut = ending.write(reply);
  const std::string good = ending.write(recordReply);
  std::atomic<const std::string*> response = &good;  // the next one
  std::atomic<std::size_t> sent = 0;                 // of it, in bytes
  test::MisbehavingServer server{[this](int connection) { respond(connection); }};

  [[nodiscard]] ClientOptions options() const {
    return {.apiKey = "sk_test_1",
            .baseUrl = server.url(ending.scheme),
            .maxNetworkRetries = 0,
            .http = {.caFile = test::authority().caFile()}};
  }

  void respond(int socket) const {
    const std::string_view whole = *response;
    const std::string_view part = whole.substr(0, sent);
    if (ending.scheme == "https") {
      test::Http2Connection connection{socket, test::authority().issue()};
      (void)connection.receiveRequest();
      connection.sendBytes(part);
      return;
    }
    (void)test::receiveRequest(socket);
    test::sendAll(socket, part);
    if (ending.resets && part.size() < whole.size())
      test::resetConnection(socket);
    else
      close(socket);
  }

  /// Whether the first bytes say how the call ended.
  [[nodiscard]] bool suffices(std::size_t size) const {
    if (size + ending.unneeded >= cut.size()) return true;
    return reply.kind && ending.endsAnywhere && size >= cut.find(reply.refuses) + reply.refuses.size();
  }

  /// What a call returns after a part of the response. `effect` is that of a call without a response.
  void expect(const Result<PaymentRecord>& result, std::size_t size, Effect effect) const {
    SCOPED_TRACE("after " + std::to_string(size) + " bytes");
    if (result.has_value()) {
      EXPECT_TRUE(suffices(size) && !reply.kind);
      EXPECT_EQ(result->latestPaymentAttemptRecord, "par_1");
      return;
    }
    const Error& error = result.error();
    const bool isWhole = size == cut.size();
    if (isWhole) {
      EXPECT_EQ(error.kind(), reply.kind) << error;
    }
    if (error.effect() != effect || isWhole) {
      EXPECT_TRUE(error.effect() == Effect::none && reply.kind && suffices(size)) << error;
    }
  }

  /// Makes calls with responses that are cut at each byte, or at each n-th.
  template <class SomeClient, class Make>
  void cutEverywhere(const SomeClient& client, const Make& make, std::size_t n = 1) {
    const auto records = client.paymentRecords();
    const auto retrieve = [&] { return make(records.retrieve("pr_1")); };
    const auto send = [&](const std::string& next, std::size_t size) {
      response = &next;
      sent = size;
    };
    for (std::size_t size = cut.size() % n; size <= cut.size(); size += n) {
      send(cut, size);
      expect(make(records.reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}})), size,
             Effect::unknown);
      send(cut, size);
      expect(retrieve(), size, Effect::none);
      send(good, good.size());
      const auto next = retrieve();
      EXPECT_TRUE(next.has_value()) << "after a cut at " << size << ": " << next.error();
    }
  }
};

TEST_P(CutResponses, AreNeverTreatedAsComplete) {
  ClientOptions client = options();
  client.transport = test::wireTransport(systemClock(), client.http);
  client.http = {};
  cutEverywhere(Client{std::move(client)}, [](auto result) { return result; });
}

TEST_P(CutResponses, AreNeverTreatedAsCompleteByAnAsyncClient) {
  const std::size_t n = ending.scheme == "https" ? 5 : 1;  // each connection takes a handshake
  cutEverywhere(AsyncClient{options()}, [](auto call) { return std::move(call).future().get(); }, n);
}

std::vector<Reply> replies() {
  Reply limited = errorReply("429 Too Many Requests", "lock_timeout");
  limited.name = "LockTimeout";
  limited.kind = ErrorKind::lockTimeout;
  limited.refuses = "\r\n\r\n";
  Reply refusal = errorReply("400 Bad Request", "payment_attempt_already_guaranteed");
  refusal.name = "Refusal";
  refusal.kind = ErrorKind::invalidRequest;
  refusal.refuses = R"("invalid_request_error")";
  return {recordReply, limited, refusal};
}

INSTANTIATE_TEST_SUITE_P(
    Endings, CutResponses,
    testing::Combine(testing::Values(Ending{"Length", withLength}, Ending{"LengthReset", withLength, true},
                                     Ending{"Chunks", inChunks, false, "http", 1},
                                     Ending{"ChunksReset", inChunks, true, "http", 1},
                                     Ending{"Close", untilTheEnd, false, "http", 0, true},
                                     Ending{"CloseReset", untilTheEnd, true},
                                     Ending{"Frames", inFrames, false, "https"}),
                     testing::ValuesIn(replies())),
    [](const testing::TestParamInfo<std::tuple<Ending, Reply>>& tested) {
      return std::get<0>(tested.param).name + std::get<1>(tested.param).name;
    });

}  // namespace
}  // namespace tally
