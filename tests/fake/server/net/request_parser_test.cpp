#include "net/request_parser.h"

#include <limits>
#include <string>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <gtest/gtest.h>

#include "fake/server/support/request_reading.h"
#include "fake/support/noise.h"

namespace tally::fake::detail {

namespace {

using test::Noise;

constexpr std::size_t headerLimit = 4'096;
constexpr std::size_t bodyLimit = 1'000;

using Reading = test::RequestReading;

template <class Next>
Reading readIn(std::string_view bytes, const Next& next) {
  return test::readInPieces(bytes, {.header = headerLimit, .body = bodyLimit}, next);
}

Reading readAtOnce(std::string_view bytes) {
  return readIn(bytes, [&] { return bytes.size(); });
}

void expectSame(const Reading& a, const Reading& b) {
  ASSERT_EQ(a.requests.size(), b.requests.size());
  for (std::size_t i = 0; i < a.requests.size(); ++i) {
    EXPECT_EQ(a.requests[i].otherMethod, b.requests[i].otherMethod);
    EXPECT_EQ(a.requests[i].request.method, b.requests[i].request.method);
    EXPECT_EQ(a.requests[i].request.url, b.requests[i].request.url);
    EXPECT_EQ(a.requests[i].request.headers, b.requests[i].request.headers);
    EXPECT_EQ(a.requests[i].request.body, b.requests[i].request.body);
  }
}

std::size_t sizeOf(const HttpRequest& request) {
  std::size_t size = request.url.size();
  for (const Header& header : request.headers)
    size += header.name.size() + header.value.size();
  return size;
}

const std::string head = "POST /v1/payouts HTTP/1.1\r\nHost: a\r\n";
const std::string next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

/// Each is ambiguous: an intermediary could see one request where the server sees two.
TEST(RequestParser, RefusesAmbiguousFraming) {
  using namespace std::string_literals;
  for (const std::string& framing :
       {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"s,
        "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"s,
        "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"s,
        "Content-Length: 3, 3\r\n\r\nabc"s,
        "Content-Length: +3\r\n\r\nabc"s,
        "Content-Length: -3\r\n\r\nabc"s,
        "Content-Length: 0x3\r\n\r\nabc"s,
        "Content-Length: 3 3\r\n\r\nabc"s,
        "Content-Length: 1e1\r\n\r\nabc"s,
        "Content-Length:\r\n\r\nabc"s,
        "Content-Length: 18446744073709551619\r\n\r\nabc"s,
        "Content-Length : 3\r\n\r\nabc"s,
        "Content-Length\t: 3\r\n\r\nabc"s,
        "Content-Length: 3\0\r\n\r\nabc"s,
        "Transfer-Encoding: identity\r\n\r\n"s,
        "Transfer-Encoding: gzip\r\n\r\n"s,
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"s,
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"s,
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"s,
        "Transfer-Encoding: xchunked\r\n\r\n"s,
        "Transfer-Encoding: \x0b"
        "chunked\r\n\r\n"s,
        "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"s,
        "X: y\rContent-Length: 3\r\n\r\nabc"s,
        "\tContent-Length: 3\r\n\r\nabc"s,
        "X: y\r\n Content-Length: 3\r\n\r\nabc"s,
        "X:\r\n y\r\n\r\n"s,
        "X: y\r\n \r\n\r\n"s,
        "Content-Length: 3\r\n \r\n\r\nabc"s,
        "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"s,
        "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"s,
        "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n"s,
        "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nabc"s,
        "Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n"s,
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n"s,
        "Transfer-Encoding: chunked\r\n\r\n3 3\r\nabc\r\n0\r\n\r\n"s}) {
    const Reading reading = readAtOnce(head + framing + next);
    EXPECT_TRUE(reading.refused) << framing;
    EXPECT_TRUE(reading.requests.empty()) << framing;
  }
  EXPECT_TRUE(readAtOnce("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n").refused);
}

TEST(RequestParser, RefusesOtherProtocolsAndMalformedRequestLines) {
  using namespace std::string_literals;
  for (const std::string& bytes :
       {"GET /\r\n\r\n"s, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"s, "\x16\x03\x01\x02\0\x01"s,
        "\x80\x2e\x01\x03\x01"s, "GET / HTTP/1.1\nHost: a\n\n"s, "GET / HTTP/1.1\r\nHost: a\n\n"s,
        " GET / HTTP/1.1\r\n"s, "GET  / HTTP/1.1\r\n"s, "GET / http/1.1\r\n"s, "GET /\x7f HTTP/1.1\r\n"s,
        "GET / HTTP/1.1 \r\n"s})
    EXPECT_TRUE(readAtOnce(bytes).refused) << bytes;
}

TEST(RequestParser, AcceptsUnusualButUnambiguousRequests) {
  const auto bodyOf = [](const std::string& framing) {
    const Reading reading = readAtOnce(head + framing + next);
    EXPECT_EQ(reading.requests.size(), 2U) << framing;
    return reading.requests.empty() ? "" : reading.requests[0].request.body;
  };
  EXPECT_EQ(bodyOf("content-length:3\r\n\r\nabc"), "abc");
  EXPECT_EQ(bodyOf("Content-Length: \t 3 \t\r\n\r\nabc"), "abc");
  EXPECT_EQ(bodyOf("Content-Length: 0003\r\n\r\nabc"), "abc");
  EXPECT_EQ(bodyOf("TRANSFER-ENCODING: Chunked\r\n\r\n03;a=b\r\nabc\r\n0\r\n\r\n"), "abc");
}

TEST(RequestParser, ReadsAnEmptyChunkedBodyHoweverItArrives) {
  const std::string bytes = head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + next;
  for (std::size_t size = 1; size <= bytes.size(); ++size)
    EXPECT_EQ(readIn(bytes, [&] { return size; }).requests.size(), 2U) << size;
}

/// Without it, Beast ends the process if the last bytes arrive one by one.
TEST(LastChunk, IsReadHoweverItArrives) {
  for (const std::string body : {"0\r\n\r\n", "3\r\n000\r\n0\r\n\r\n", "0;a\r\nX: y\r\n\r\n"}) {
    const std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    for (std::size_t size = 1; size <= bytes.size(); ++size) {
      boost::beast::http::response_parser<boost::beast::http::string_body> parser;
      parser.eager(true);
      std::string input;
      for (std::size_t at = 0; at < bytes.size(); at += size) {
        input += bytes.substr(at, size);
        boost::beast::error_code error;
        while (!input.empty() && !mayBePartOfLastChunk(parser, input) && !error)
          input.erase(0, parser.put(boost::asio::buffer(input), error));
      }
      EXPECT_TRUE(parser.is_done()) << body << size;
    }
  }
}

/// Old clients send a line break after a body.
TEST(RequestParser, IgnoresOneEmptyLineBeforeEachRequest) {
  EXPECT_EQ(readAtOnce("\r\n" + next + "\r\n" + next).requests.size(), 2U);
  for (const char* refused : {"\r\n\r\n", "\n", "\r\r\n", " \r\n", "\r\n\n"}) {
    EXPECT_TRUE(readAtOnce(refused + next).refused) << refused;
    EXPECT_TRUE(readAtOnce(next + refused + next).refused) << refused;
  }
  EXPECT_EQ(readIn("\r\n" + next, [] { return std::size_t{1}; }).requests.size(), 1U);
}

/// Honoring a key after the body would bypass an intermediary that checks the headers before it.
TEST(RequestParser, IgnoresTrailers) {
  const Reading reading = readAtOnce(
      head + "Transfer-Encoding: chunked\r\n\r\n0\r\nAuthorization: Bearer x\r\nContent-Type: a/b\r\n\r\n" +
      next);
  ASSERT_EQ(reading.requests.size(), 2U);
  EXPECT_EQ(reading.requests[0].request.headers,
            (std::vector<Header>{{"Host", "a"}, {"Transfer-Encoding", "chunked"}}));
}

TEST(RequestParser, LimitsTheSizeOfHeadersThatArriveGradually) {
  std::string endless = "GET / HTTP/1.1\r\nHost: a\r\n";
  while (endless.size() < 2 * headerLimit)
    endless += "X: y\r\n";
  for (const std::size_t size : {std::size_t{1}, std::size_t{6}, std::size_t{100}, endless.size()})
    EXPECT_TRUE(readIn(endless, [&] { return size; }).refused) << size;
}

/// Each header takes memory, however short it is.
TEST(RequestParser, LimitsTheNumberOfHeaders) {
  const auto request = [](std::size_t headers) {
    std::string text = "GET / HTTP/1.1\r\nHost: a\r\n";
    for (std::size_t i = 0; i < headers; ++i)
      text += "X:\r\n";
    return text + "\r\n";
  };
  constexpr std::size_t most = (headerLimit - 4 - 4 - 1 - 32) / (1 + 32);
  EXPECT_EQ(readAtOnce(request(most)).requests.size(), 1U);
  EXPECT_TRUE(readAtOnce(request(most + 1)).refused);
}

class FuzzedParser : public testing::Test {
 protected:
  /// The result does not depend on how the bytes are split, and buffers stay within the limits.
  static void check(const std::string& bytes, Noise& noise) {
    const Reading whole = readAtOnce(bytes);
    const Reading pieces = readIn(bytes, [&] { return noise.below(40) + 1; });
    expectSame(whole, pieces);
    for (const Reading* reading : {&whole, &pieces}) {
      EXPECT_TRUE(reading->refused || reading->waiting <= headerLimit);
      for (const Incoming& incoming : reading->requests) {
        EXPECT_LE(sizeOf(incoming.request), headerLimit);
        EXPECT_LE(incoming.request.body.size(), bodyLimit);
      }
    }
  }
};

TEST_F(FuzzedParser, ReadsRandomBytesTheSameHoweverTheyAreSplit) {
  for (std::uint64_t seed = 0; seed < 3'000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Noise noise{seed};
    check(noise.bytes(300), noise);
  }
}

TEST_F(FuzzedParser, ReadsCorruptedRequestsTheSameHoweverTheyAreSplit) {
  const std::vector<std::string> good{
      next,
      "\r\n" + next,
      "GET http://a/v1?b[]=c HTTP/1.1\r\nHOST: a\r\nAuthorization: Basic eDo=\r\nX:\r\n\r\n",
      head + "Content-Length: 11\r\nExpect: 100-continue\r\n\r\nfailed_at=1",
      head + "Transfer-Encoding: chunked\r\n\r\n7\r\nfailed_\r\n4;x=\"y\"\r\nat=1\r\n0\r\nTrailer: a\r\n\r\n",
      "DELETE /a HTTP/1.0\r\n\r\n",
      head + "X: y\r\n z\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"};
  for (std::uint64_t seed = 0; seed < 20'000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Noise noise{seed};
    std::string bytes;
    for (std::size_t requests = noise.below(3) + 1; requests > 0; --requests)
      bytes += good[noise.below(good.size())];
    noise.spoil(bytes);
    check(bytes, noise);
  }
}

TEST(RequestParser, TakesLimitsBeyondThoseOfBeast) {
  constexpr int half =
      std::numeric_limits<std::size_t>::digits / 2;  // 32, unless this is a system of 32 bits
  for (const std::size_t limit : {std::size_t{1} << half, ~std::size_t{0}}) {
    RequestParser parser{limit, limit};
    boost::system::error_code error;
    EXPECT_EQ(parser.read(next, error), next.size()) << limit;
    EXPECT_FALSE(error) << error.message();
    EXPECT_TRUE(parser.is_done());
  }
}

}  // namespace

}  // namespace tally::fake::detail
