// What goes wrong on a real connection, and what the client makes of it: a matrix of faults and of a report,
// a list and a search.

#include <atomic>
#include <ostream>
#include <vector>

#include <tally/tally.h>

#include <gtest/gtest.h>

#include "sockets.h"
#include "support.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::MisbehavingServer;
using test::receiveRequest;
using test::resetConnection;
using test::sendAll;
using Kind = TransportFailure::Kind;

constexpr std::size_t maxAnswerBytes = 4'096;

/// A fault of the wire: how a server goes wrong, and what an attempt ends in.
struct WireFault {
  std::string name{};
  std::function<void(int connection)> behave{};
  Kind failure = Kind::connection;
  ErrorKind kind = ErrorKind::connection;
  bool reported = true;  // whether a report may have happened
  bool repeated = true;  // whether a read is sent again
  std::string scheme = "http";
};

std::ostream& operator<<(std::ostream& out, const WireFault& fault) {
  return out << fault.name;
}

/// Takes the whole request, gives these bytes and closes.
std::function<void(int)> answering(std::string bytes) {
  return [bytes = std::move(bytes)](int connection) {
    (void)receiveRequest(connection);
    sendAll(connection, bytes);
    close(connection);
  };
}

/// Takes the whole request and says nothing, until the other side gives up.
void keepSilent(int connection) {
  (void)receiveRequest(connection);
  char byte = 0;
  (void)recv(connection, &byte, 1, 0);
  close(connection);
}

/// Answers whatever comes first in plain HTTP.
void answerPlainly(int connection) {
  char bytes[4'096];
  (void)recv(connection, bytes, sizeof bytes, 0);
  sendAll(connection, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
  close(connection);
}

void resetWithinTheRequest(int connection) {
  char byte = 0;
  (void)recv(connection, &byte, 1, 0);
  resetConnection(connection);
}

void resetAfterReading(int connection) {
  (void)receiveRequest(connection);
  resetConnection(connection);
}

const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n";

const WireFault wireFaults[] = {
    {"reset_within_the_request", resetWithinTheRequest},
    {"reset_after_the_request", resetAfterReading},
    {"closed_after_the_request", answering("")},
    {"head_cut_off", answering("HTTP/1.1 200 OK\r\nContent-Le"), Kind::truncated},
    {"body_cut_off", answering(head + "{\"object\":"), Kind::truncated},
    {"chunks_cut_off", answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"obj"),
     Kind::truncated},
    {"no_http", answering("220 mail.example ESMTP\r\n"), Kind::malformed, ErrorKind::malformedAnswer, true,
     false},
    {"broken_compression",
     answering("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain"),
     Kind::malformed, ErrorKind::malformedAnswer, true, false},
    {"too_large", answering(head + std::string(5'000, ' ')), Kind::tooLarge, ErrorKind::answerTooLarge, true,
     false},
    {"silence", keepSilent, Kind::timeout, ErrorKind::timeout},
    {"no_tls", answerPlainly, Kind::tls, ErrorKind::connection, false, false, "https"},
};

class WireFaults : public testing::TestWithParam<WireFault> {
 protected:
  const WireFault& fault = GetParam();
  std::atomic<int> served = 0;
  MisbehavingServer server{[this](int connection) {
    ++served;
    fault.behave(connection);
  }};
  Client client{clientOptions()};

  [[nodiscard]] ClientOptions clientOptions() const {
    const auto clock = systemClock();
    return {.key = "sk_test_1",
            .baseUrl = fault.scheme + server.url().substr(4),
            .maxNetworkRetries = 2,
            .backoff = {.initial = 1ms, .cap = 1ms},
            .timeout = fault.failure == Kind::timeout ? 50ms : 30'000ms,
            .transport = curlTransport(clock, {.maxAnswerBytes = maxAnswerBytes}),
            .clock = clock};
  }

  void expect(const Error& error, Effect effect, int attempts) const {
    EXPECT_EQ(error.kind(), fault.kind) << error;
    EXPECT_EQ(error.failure(), fault.failure) << error;
    EXPECT_EQ(error.effect(), effect) << error;
    EXPECT_EQ(error.attempts(), attempts) << error;
    EXPECT_EQ(served, attempts) << error;
    EXPECT_EQ(error.toString().find("sk_test_1"), std::string::npos) << error;
  }
  [[nodiscard]] int readAttempts() const { return fault.repeated ? 3 : 1; }
};

TEST_P(WireFaults, OfAReport) {
  const auto reported =
      client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  ASSERT_TRUE(reported.has_error());
  expect(reported.error(), fault.reported ? Effect::unknown : Effect::none, 1);
}

TEST_P(WireFaults, OfAList) {
  for (const auto& record : client.paymentRecords().list()) {
    ASSERT_TRUE(record.has_error());
    expect(record.error(), Effect::none, readAttempts());
  }
}

TEST_P(WireFaults, OfASearch) {
  for (const auto& record : client.paymentRecords().search({.query = "created>0"})) {
    ASSERT_TRUE(record.has_error());
    expect(record.error(), Effect::none, readAttempts());
  }
}

std::string nameOf(const testing::TestParamInfo<WireFault>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(Matrix, WireFaults, testing::ValuesIn(wireFaults), nameOf);

std::string goodAnswer() {
  const std::string body = test::recordJson("pr_1");
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// Answers some requests on one connection, then closes it on the next without an answer.
struct KeepAlive {
  explicit KeepAlive(int answers) : answers_(answers) {}

  std::atomic<int> connections = 0;
  std::atomic<int> requests = 0;
  MisbehavingServer server{[this](int connection) { serve(connection); }};
  Client client{{.key = "sk_test_1", .baseUrl = server.url(), .maxNetworkRetries = 2}};

  Result<PaymentRecord> report() {
    return client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}});
  }

 private:
  void serve(int connection) {
    ++connections;
    while (!receiveRequest(connection).empty()) {
      if (++requests > answers_) break;
      sendAll(connection, goodAnswer());
    }
    close(connection);
  }

  int answers_;
};

TEST(KeptConnections, AreUsedAgainForReports) {
  KeepAlive kept{9};
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(kept.report());
  EXPECT_EQ(kept.connections, 1);
  EXPECT_EQ(kept.requests, 5);
}

// libcurl by itself would send the report a second time, on another connection.
TEST(KeptConnections, AReportIsNotSentAgainWhenOneTurnsOutToBeClosed) {
  KeepAlive kept{1};
  EXPECT_TRUE(kept.report());
  const auto lost = kept.report();
  ASSERT_TRUE(lost.has_error());
  EXPECT_EQ(lost.error().effect(), Effect::unknown);
  EXPECT_EQ(lost.error().attempts(), 1);
  EXPECT_EQ(kept.requests, 2);
}

TEST(ClientInAStaticObject, NeedsNoOrderAtExit) {
  EXPECT_EXIT(
      {
        static KeepAlive* kept = new KeepAlive{9};
        static const Client client = kept->client;
        (void)client.paymentRecords().retrieve("pr_1");
        std::exit(7);
      },
      testing::ExitedWithCode(7), "");
}

// No part of a name may be so long, so that nobody is asked for its address.
TEST(Hosts, ThatHaveNoAddressAreToldApart) {
  const Client client{{.key = "sk_test_1", .baseUrl = "https://" + std::string(64, 'a') + ".invalid"}};
  const auto record = client.paymentRecords().retrieve("pr_1");
  ASSERT_TRUE(record.has_error());
  EXPECT_EQ(record.error().failure(), Kind::couldNotResolve) << record.error();
  EXPECT_EQ(record.error().effect(), Effect::none);
}

TEST(PlainHttp, IsRefusedAndTheOptionIsNamed) {
  const Client client{{.key = "sk_live_secret", .baseUrl = "http://service.example", .maxNetworkRetries = 3}};
  const auto record = client.paymentRecords().retrieve("pr_1");
  ASSERT_TRUE(record.has_error());
  EXPECT_EQ(record.error().kind(), ErrorKind::invalidParameter);
  EXPECT_EQ(record.error().param(), "baseUrl");
  EXPECT_EQ(record.error().attempts(), 1);
  EXPECT_NE(record.error().message().find("allowPlainHttp"), std::string::npos) << record.error();
}

}  // namespace
}  // namespace tally
