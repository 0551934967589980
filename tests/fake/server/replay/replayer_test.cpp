#include "replay/replayer.h"

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fake/server/support/peer.h"
#include "har/har_text.h"
#include "net/listener.h"
#include "temporary_folder.h"

namespace tally::fake::detail {

namespace {

using tally::detail::Exchange;
using tally::detail::RecordingIndex;
using tally::detail::ReplayOrder;
using test::getBytes;
using test::Peer;
using test::postBytes;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* otherKey = "sk_test_another";

std::string recordingOf(const std::vector<Exchange>& exchanges,
                        const std::vector<std::string>& redacted = {}) {
  std::string text = tally::detail::harBegin(redacted);
  for (const Exchange& exchange : exchanges) {
    if (&exchange != exchanges.data()) text += tally::detail::harSeparator;
    tally::detail::appendHarEntry(text, exchange);
  }
  return text += tally::detail::harEnd;
}

Exchange listed(const std::string& query, const std::string& body) {
  return {.method = "GET",
          .url = "https://api.example.com/v1/payouts" + query,
          .requestHeaders = {{"Authorization", "Bearer sk_test_recorded1"}},
          .status = 200,
          .responseHeaders = {{"Content-Type", "application/json"}, {"Request-Id", "req_" + body}},
          .responseBody = body};
}

Exchange created(const std::string& form, const std::string& body) {
  Exchange exchange = listed("", body);
  exchange.method = "POST";
  exchange.requestHeaders.push_back({"Content-Type", "application/x-www-form-urlencoded"});
  exchange.requestBody = form;
  return exchange;
}

/// Responds on a port as a recording did.
class Replayed {
 public:
  explicit Replayed(const std::string& recording, ReplayOrder order = ReplayOrder::any)
      : index_(folder_.write("run.har", recording), order) {}

  std::string get(const std::string& target, std::string_view headers = {}) const {
    return sent(getBytes(target, otherKey, headers));
  }
  std::string post(const std::string& body) const { return sent(postBytes("/v1/payouts", otherKey, body)); }
  [[nodiscard]] std::string sent(const std::string& bytes) const {
    Peer peer{listener_.port()};
    peer.send(bytes);
    return peer.response();
  }
  [[nodiscard]] const RecordingIndex& index() const { return index_; }

  const test::TemporaryFolder& folder() const { return folder_; }

 private:
  test::TemporaryFolder folder_{};
  RecordingIndex index_;
  Replayer replayer_{index_};
  Traffic traffic_{};
  Listener listener_{replayer_, {}, traffic_};
};

TEST(Replayer, RespondsAsRecorded) {
  const Replayed replayed{recordingOf({listed("?limit=1", "1"), listed("?limit=2", "2")})};
  EXPECT_EQ(
      replayed.get("/v1/payouts?limit=2"),
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nRequest-Id: req_2\r\nContent-Length: 1\r\n\r\n2");
  EXPECT_THAT(replayed.get("/v1/payouts?limit=1"), EndsWith("\r\n\r\n1"));
}

TEST(Replayer, IgnoresThePrefixOfAGateway) {
  Exchange behind = listed("", "1");
  behind.url = "https://gateway.example.com/payments/v1/payouts";
  const Replayed replayed{recordingOf({behind})};
  EXPECT_THAT(replayed.get("/v1/payouts"), EndsWith("\r\n\r\n1"));
  EXPECT_THAT(replayed.get("/payments/v1/payouts"), EndsWith("\r\n\r\n1"));
}

TEST(Replayer, RepeatsTheLastResponseForEqualRequests) {
  const Replayed replayed{recordingOf({created("a=1", "1"), created("a=2", "x"), created("a=1", "2")})};
  EXPECT_THAT(replayed.post("a=1"), EndsWith("\r\n\r\n1"));
  EXPECT_THAT(replayed.post("a=1"), EndsWith("\r\n\r\n2"));
  EXPECT_THAT(replayed.post("a=1"), EndsWith("\r\n\r\n2"));
  EXPECT_THAT(replayed.post("a=2"), EndsWith("\r\n\r\nx"));
}

TEST(Replayer, BreaksTheConnectionWhenNoResponseWasRecorded) {
  const Replayed replayed{
      recordingOf({{.method = "GET", .url = "/v1/payouts", .failure = "connection reset"}})};
  EXPECT_EQ(replayed.get("/v1/payouts"), "");
}

TEST(Replayer, IgnoresRedactedValues) {
  const Replayed replayed{recordingOf({created("card[cvc]=[redacted]&note=[redacted]&a=1", "1")}, {"note"})};
  EXPECT_THAT(replayed.post("card[cvc]=123&note=mine&a=1"), EndsWith("\r\n\r\n1"));
  EXPECT_THAT(replayed.post("card[cvc]=123&note=mine&a=2"), StartsWith("HTTP/1.1 404 "));
}

TEST(Replayer, DistinguishesConnectedAccounts) {
  Exchange other = listed("", "other");
  other.requestHeaders.push_back({"service-account", "acct_1"});
  const Replayed replayed{recordingOf({listed("", "own"), other})};
  EXPECT_THAT(replayed.get("/v1/payouts", "Service-Account: acct_1\r\n"), EndsWith("\r\n\r\nother"));
  EXPECT_THAT(replayed.get("/v1/payouts"), EndsWith("\r\n\r\nown"));
}

TEST(Replayer, ListsTheMostSimilarRecordedRequests) {
  const Replayed replayed{
      recordingOf({listed("?limit=1", "1"), listed("?limit=2", "2"), created("a=1", "3")})};
  EXPECT_THAT(replayed.get("/v1/payouts?limit=3"),
              HasSubstr("'GET /v1/payouts?limit=3' is not recorded; closest: 'GET /v1/payouts?limit=1', "
                        "'GET /v1/payouts?limit=2', 'POST /v1/payouts'"));
  EXPECT_THAT(
      replayed.post("a=2"),
      HasSubstr("'POST /v1/payouts' is not recorded with this body and account, but only with others"));
  EXPECT_THAT(replayed.get("/v1/payuots?limit=1"), HasSubstr("did you mean 'GET /v1/payouts?limit=1'?"));
}

TEST(Replayer, RequiresTheRecordedOrderInStrictMode) {
  const Replayed replayed{recordingOf({listed("?limit=1", "1"), listed("?limit=2", "2")}),
                          ReplayOrder::strict};
  EXPECT_THAT(replayed.get("/v1/payouts?limit=2"), HasSubstr("number 1 is 'GET /v1/payouts?limit=1'"));
  EXPECT_THAT(replayed.get("/v1/payouts?limit=1"), EndsWith("\r\n\r\n1"));
  EXPECT_THAT(replayed.get("/v1/payouts?limit=2"), EndsWith("\r\n\r\n2"));
  EXPECT_THAT(replayed.get("/v1/payouts?limit=2"), HasSubstr("all 2 have been sent"));
}

TEST(Replayer, ReplaysTheCompletePartOfATruncatedRecording) {
  const std::string whole = recordingOf({listed("?limit=1", "1"), listed("?limit=2", "2")});
  const Replayed replayed{whole.substr(0, whole.size() - 20)};
  EXPECT_TRUE(replayed.index().cutOff());
  EXPECT_EQ(replayed.index().count(), 1U);
  EXPECT_THAT(replayed.get("/v1/payouts?limit=1"), EndsWith("\r\n\r\n1"));
}

TEST(Replayer, OmitsTheContentEncodingOfARecordedBody) {
  Exchange exchange = listed("", "text");
  exchange.responseHeaders.push_back({"content-encoding", "gzip"});
  const Replayed replayed{recordingOf({exchange})};
  EXPECT_THAT(replayed.get("/v1/payouts"), testing::Not(HasSubstr("gzip")));
}

/// A client would not read the headers after one that is malformed, or refuse the response.
TEST(Replayer, OmitsHeadersThatNoResponseCanHave) {
  Exchange exchange = listed("", "text");
  exchange.responseHeaders = {{"", "a"},          {"B C", "d"},   {"E:", "f"},
                              {"G", "h\r\nI: j"}, {"K", "l\x01"}, {"M", "n"}};
  const Replayed replayed{recordingOf({exchange})};
  EXPECT_EQ(replayed.get("/v1/payouts"), "HTTP/1.1 200 OK\r\nM: n\r\nContent-Length: 4\r\n\r\ntext");
}

TEST(Replayer, ReportsThatTheRecordingHasChanged) {
  const Replayed replayed{recordingOf({listed("", "1")})};
  (void)replayed.folder().write("run.har", "{}");
  EXPECT_THAT(replayed.get("/v1/payouts"), HasSubstr("run.har has changed since it was opened"));
}

TEST(RecordingIndex, ReportsUnreadableAndInvalidFiles) {
  const test::TemporaryFolder folder;
  const auto problemOf = [&](const std::string& file) {
    try {
      const RecordingIndex index{file, ReplayOrder::any};
    } catch (const std::runtime_error& problem) {
      return std::string{problem.what()};
    }
    return std::string{"none"};
  };
  const std::string bad = folder.write("bad.har", "[]");
  EXPECT_EQ(problemOf(bad), bad + ": not HAR at byte 0: expected '{'");
  EXPECT_EQ(problemOf("/nowhere.har"), "can't read /nowhere.har: No such file or directory");
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::fstream writer{pipe, std::ios::in | std::ios::out};  // so that opening it does not wait
  EXPECT_EQ(problemOf(pipe), "can't replay " + pipe + ": it is a pipe; save the recording in a file");
}

}  // namespace

}  // namespace tally::fake::detail
