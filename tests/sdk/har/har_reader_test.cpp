#include "har/har_reader.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>

#include "har/har_text.h"
#include "sdk/support/any_exchange.h"

namespace tally::detail {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

struct Recording {
  std::vector<Exchange> exchanges{};
  bool cutOff = false;
};

Recording readAll(const std::string& text) {
  std::istringstream in{text};
  HarReader reader{in};
  Recording recording;
  while (auto exchange = reader.next())
    recording.exchanges.push_back(*std::move(exchange));
  recording.cutOff = reader.cutOff();
  return recording;
}

std::string problemOf(const std::string& text) {
  try {
    (void)readAll(text);
  } catch (const HarError& problem) {
    return problem.what();
  }
  return "none";
}

std::string written(const std::vector<Exchange>& exchanges) {
  std::string text = harBegin();
  for (const Exchange& exchange : exchanges) {
    if (&exchange != exchanges.data()) text += harSeparator;
    appendHarEntry(text, exchange);
  }
  return text += harEnd;
}

/// As a browser exports it: other order, further members, HTTP/2, a body in base64.
constexpr std::string_view exported =
    "\xEF\xBB\xBF"
    R"({
  "_comment": {"a": [1, 2.5e3, "]}\"{", null, true]},
  "log": {
    "pages": [{"startedDateTime": "2026-01-01T00:00:00.000Z", "id": "page_1", "pageTimings": {}}],
    "entries": [
      {
        "_initiator": {"type": "other", "url": "https://a/]"},
        "response": {
          "content": {"mimeType": "application/json", "size": 4, "text": "eyJhIjp7fX0=", "encoding": "base64"},
          "status": 200, "_transferSize": 12, "_error": null,
          "headers": [{"name": "Content-Type", "value": "application/json"}]
        },
        "request": {
          "url": "https://api.example.com/v1/payouts?limit=3",
          "headers": [{"name": ":method", "value": "POST"}, {"value": "1", "name": "x-a", "comment": ""}],
          "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [
            {"name": "metadata[a]", "value": "b c"}, {"name": "amount", "value": "5"}]},
          "method": "POST"
        },
        "time": 12.345678,
        "startedDateTime": "2026-01-01T02:00:00.25+02:00",
        "serverIPAddress": "127.0.0.1"
      },
      {
        "startedDateTime": "2026-01-01T00:00:01Z", "time": -1,
        "request": {"method": "GET", "url": "/v1/payouts", "postData": null},
        "response": {"status": 0, "_error": "net::ERR_CONNECTION_RESET", "headers": []}
      }
    ],
    "version": "1.2"
  },
  "other": {}
}
)";

TEST(HarReader, ReadsRecordingsExportedByBrowsers) {
  const Recording recording = readAll(std::string{exported});
  EXPECT_FALSE(recording.cutOff);
  ASSERT_EQ(recording.exchanges.size(), 2U);
  const Exchange& first = recording.exchanges[0];
  EXPECT_EQ(toString(first.startedAt), "2026-01-01T00:00:00.25Z");
  EXPECT_EQ(first.duration, 12'345'678ns);
  EXPECT_EQ(first.method, "POST");
  EXPECT_EQ(first.url, "https://api.example.com/v1/payouts?limit=3");
  EXPECT_THAT(first.requestHeaders, ElementsAre(Header{"x-a", "1"}));
  EXPECT_EQ(first.requestBody, "metadata%5Ba%5D=b%20c&amount=5");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.responseBody, R"({"a":{}})");
  EXPECT_EQ(recording.exchanges[1].status, 0);
  EXPECT_EQ(recording.exchanges[1].duration, 0ns);
  EXPECT_EQ(recording.exchanges[1].failure, "net::ERR_CONNECTION_RESET");
}

TEST(HarReader, ReadsDurationsWithAnExponent) {
  for (const std::string duration : {"2e2", "2E2", "0.2e3"}) {
    std::string text{exported};
    text.replace(text.find("12.345678"), 9, duration);
    EXPECT_EQ(readAll(text).exchanges.at(0).duration, 200ms) << duration;
  }
}

TEST(HarReader, ReportsThePositionOfEachEntry) {
  const std::string text = written({{.method = "GET", .url = "/1"},
                                    {.method = "GET", .url = "/2"},
                                    {.method = "GET", .url = "/3"},
                                    {.method = "GET", .url = "/4"}});
  std::istringstream in{text};
  HarReader reader{in};
  while (const auto exchange = reader.next())
    EXPECT_EQ(readHarEntry(text.substr(static_cast<std::size_t>(reader.position()), reader.size())),
              *exchange);
  EXPECT_EQ(reader.count(), 4U);
}

TEST(HarReader, ReturnsTheCompleteEntriesOfATruncatedFile) {
  const std::string whole = written({{.method = "GET", .url = "/1"}, {.method = "GET", .url = "/2"}});
  const std::size_t second = whole.find(harSeparator);
  for (std::size_t size = 1; size + 1 < whole.size(); ++size) {
    const Recording recording = readAll(whole.substr(0, size));
    EXPECT_TRUE(recording.cutOff) << size;
    const std::size_t expected = size < second ? 0U : size < whole.size() - harEnd.size() ? 1U : 2U;
    EXPECT_EQ(recording.exchanges.size(), expected) << size;
  }
  EXPECT_FALSE(readAll(whole).cutOff);
}

TEST(HarReader, ReportsTheProblemAndItsPositionInInvalidHar) {
  EXPECT_EQ(problemOf(" \n"), "not HAR at byte 2: the file is empty");
  EXPECT_EQ(problemOf("hello"), "not HAR at byte 0: expected '{'");
  EXPECT_EQ(problemOf("{}"), "not HAR at byte 1: there is no member log");
  EXPECT_EQ(problemOf(R"({"log":[]})"), "not HAR at byte 7: expected an object as the value of log");
  EXPECT_EQ(problemOf(R"({"log":{}})"), "not HAR at byte 8: log has no member entries");
  EXPECT_EQ(problemOf(R"({"log":{"entries":{}}})"),
            "not HAR at byte 18: expected a list as the value of entries");
  EXPECT_EQ(problemOf(R"({"log":{"entries":[1]}})"), "not HAR at byte 19: expected an entry");
  EXPECT_EQ(problemOf(R"({"log":{"entries":[],"entries":[]}})"),
            "not HAR at byte 31: entries are given twice");
  EXPECT_EQ(problemOf(R"({"log":{"entries":[]}} x)"), "not HAR at byte 23: expected the end of the file");
  EXPECT_THAT(problemOf(R"({"a":{]},"log":{"entries":[]}})"),
              HasSubstr("not HAR at byte 5: not JSON at byte 1"));
  EXPECT_THAT(problemOf(R"({"log":{"creator":{"a"},"entries":[]}})"),
              HasSubstr("not HAR at byte 18: not JSON at byte 4"));
}

TEST(HarReader, ReportsTheProblemWithAnEntry) {
  const auto problemWith = [](const std::string& entry) {
    return problemOf(R"({"log":{"entries":[)" + entry + "]}}");
  };
  EXPECT_EQ(problemWith("{}"), "entry 1, from byte 19: no request.method");
  EXPECT_EQ(problemWith(R"({"request":{"method":"GET"}})"), "entry 1, from byte 19: no request.url");
  EXPECT_THAT(problemWith(R"({"request":[]})"), HasSubstr("not JSON at byte 11: expected an object"));
  EXPECT_THAT(problemWith(R"({"startedDateTime":"noon"})"), HasSubstr("'noon' is not a time"));
  EXPECT_THAT(problemWith(R"({"response":{"status":"a"}})"), HasSubstr("expected a number"));
  EXPECT_THAT(problemWith(R"({"response":{"status":1000}})"), HasSubstr("expected a status"));
  EXPECT_THAT(problemWith(R"({"response":{"content":{"text":"?","encoding":"base64"}}})"),
              HasSubstr("text that is not base64"));
}

TEST(HarReader, ReturnsTheNamesOfRedactedFields) {
  const std::vector<std::string> names{"description", "a\"b"};
  std::istringstream in{harBegin(names) + std::string{harEnd}};
  HarReader reader{in};
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(reader.redacted(), names);
}

RC_GTEST_PROP(HarReader, ReadsExchangesAsTheyWereWritten, ()) {
  std::vector<Exchange> exchanges;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left)
    exchanges.push_back(anyExchange());
  const Recording recording = readAll(written(exchanges));
  RC_ASSERT(!recording.cutOff);
  RC_ASSERT(recording.exchanges == exchanges);
}

/// Whatever happened to a file, it is read or refused.
RC_GTEST_PROP(HarReader, ReadsOrRefusesADamagedFile, ()) {
  std::string text =
      *rc::gen::arbitrary<bool>() ? written({anyExchange(), anyExchange()}) : std::string{exported};
  for (int left = *rc::gen::inRange(1, 4); left > 0; --left)
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
  const std::string part = text.substr(0, *rc::gen::inRange<std::size_t>(0, text.size() + 1));
  for (const std::string& damaged : {text, part}) {
    try {
      RC_ASSERT(readAll(damaged).exchanges.size() <= 3U);
    } catch (const HarError& problem) {
      RC_ASSERT(std::string_view{problem.what()} != "");
    }
  }
}

/// A stream that makes its text while it is read: `count` entries of a megabyte each.
class LongRecording : public std::streambuf {
 public:
  explicit LongRecording(int count) : left_(count), text_(harBegin()) { show(); }

 protected:
  int_type underflow() override {
    if (left_-- <= 0) return traits_type::eof();
    text_.clear();
    appendHarEntry(text_, {.method = "GET", .url = "/", .responseBody = std::string(1'000'000, 'x')});
    text_ += left_ > 0 ? harSeparator : harEnd;
    show();
    return traits_type::to_int_type(*gptr());
  }

 private:
  void show() { setg(text_.data(), text_.data(), text_.data() + text_.size()); }

  int left_;
  std::string text_;
};

std::int64_t mostMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1'024;  // in MiB
}

TEST(HarReader, ReadsEscapesSplitAtTheEndOfItsBuffer) {
  constexpr std::size_t buffer = 65'536;
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const std::vector<Exchange> exchanges{
        {.method = "POST",
         .url = "/",
         .requestBody = std::string(buffer - 2'000 + shift, 'a') + std::string(4'000, '"')}};
    EXPECT_EQ(readAll(written(exchanges)).exchanges, exchanges) << shift;
  }
}

TEST(HarReader, ReadsEntriesSplitAtTheEndOfItsBuffer) {
  constexpr std::size_t buffer = 65'536;
  const std::vector<Exchange> exchanges{{.method = "GET", .url = "/1", .responseBody = "{\"a\":1.5}"},
                                        {.method = "GET", .url = "/2"},
                                        {.method = "GET", .url = "/3"}};
  const std::string text = written(exchanges);
  const std::size_t from = harBegin().size();
  for (std::size_t cut = from; cut < text.size(); ++cut) {
    const std::string space(buffer - cut, ' ');
    EXPECT_EQ(readAll(space + text).exchanges, exchanges) << cut;
    const std::string problem = problemOf(space + text.substr(0, text.size() - harEnd.size()) + ",{}]}}");
    EXPECT_THAT(problem, HasSubstr("no request.method")) << cut;
  }
}

TEST(HarReader, ReleasesTheMemoryOfEntriesThatHaveBeenRead) {
  if (mallinfo2().uordblks == 0) GTEST_SKIP() << "a sanitizer replaces the allocator, and keeps freed memory";
  constexpr int count = 60;
  LongRecording recording{count};
  std::istream in{&recording};
  HarReader reader{in};
  const std::int64_t before = mostMemory();
  while (reader.next()) {
  }
  EXPECT_EQ(reader.count(), count);
  EXPECT_FALSE(reader.cutOff());
  EXPECT_LT(mostMemory() - before, 20);
}

}  // namespace

}  // namespace tally::detail
