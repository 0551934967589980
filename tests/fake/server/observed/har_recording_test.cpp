#include "observed/har_recording.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "har/har_text.h"
#include "observed/observation.h"
#include "wire/temporary_folder.h"

namespace tally::fake::detail {

namespace {

using namespace std::chrono_literals;
using tally::detail::Exchange;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string written(const test::TemporaryFolder& folder, const std::vector<Exchange>& exchanges) {
  std::string text = tally::detail::harBegin();
  for (const Exchange& exchange : exchanges) {
    if (&exchange != exchanges.data()) text += tally::detail::harSeparator;
    appendHarEntry(text, exchange);
  }
  const std::string file = folder.path() / "run.har";
  std::ofstream{file} << text << tally::detail::harEnd;
  return file;
}

Exchange exchangeOf(const std::string& method, const std::string& fault = {}) {
  return {.startedAt = Instant{5s},
          .duration = 20ms,
          .method = method,
          .url = "/v1/payouts",
          .status = 200,
          .responseBody = "{}",
          .fault = fault};
}

TEST(HarRecording, CanBeReadRepeatedly) {
  const test::TemporaryFolder folder;
  HarRecording recording{written(folder, {exchangeOf("GET"), exchangeOf("DELETE")})};
  for (int pass = 0; pass < 2; ++pass) {
    const auto first = recording.next();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->number, 1U);
    EXPECT_EQ(first->start, Instant{5s});
    EXPECT_EQ(first->end, Instant{5s + 20ms});
    EXPECT_EQ(first->otherMethod, "");
    EXPECT_EQ(recording.next().value_or(Recorded{}).otherMethod, "DELETE");
    EXPECT_FALSE(recording.next());
    recording.rewind();
  }
}

TEST(HarRecording, ShowsWhetherItEndsTooEarly) {
  const test::TemporaryFolder folder;
  const std::string file = written(folder, {exchangeOf("GET")});
  for (const bool cutOff : {false, true}) {
    if (cutOff)
      std::filesystem::resize_file(file, std::filesystem::file_size(file) - tally::detail::harEnd.size());
    HarRecording recording{file};
    EXPECT_TRUE(recording.next());
    EXPECT_FALSE(recording.next());
    EXPECT_EQ(recording.cutOff(), cutOff);
  }
}

TEST(HarRecording, KeepsTimesInTheRangeWithinWhichTheirDifferencesFit) {
  const test::TemporaryFolder folder;
  Exchange late = exchangeOf("GET");
  late.startedAt = Instant{} + std::chrono::years{100};
  late.duration = std::chrono::years{200};
  Exchange early = exchangeOf("GET");
  early.startedAt = Instant{} - std::chrono::years{250};
  HarRecording recording{written(folder, {late, early})};
  const auto first = recording.next();
  const auto second = recording.next();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->start, late.startedAt);
  EXPECT_EQ(first->end, Instant{farthestTime});
  EXPECT_EQ(second->start, Instant{-farthestTime});
}

TEST(HarRecording, UsesTheUpstreamResponseDespiteInjectedFaults) {
  const test::TemporaryFolder folder;
  Exchange replaced = exchangeOf("GET", "api_error");
  replaced.upstream = HttpResponse{.status = 201, .body = "{}"};
  Exchange lost = exchangeOf("GET");
  lost.status = 0;
  HarRecording recording{
      written(folder, {replaced, exchangeOf("GET", "api_error"), exchangeOf("GET", "latency"), lost})};
  std::vector<int> statuses;
  while (const auto one = recording.next())
    statuses.push_back(one->response ? one->response->status : 0);
  EXPECT_THAT(statuses, testing::ElementsAre(201, 0, 200, 0));
}

TEST(HarRecording, OmitsThePrefixOfAGateway) {
  const test::TemporaryFolder folder;
  Exchange behind = exchangeOf("GET");
  behind.url = "https://gateway.example.com/payments/v1/payouts?limit=3";
  HarRecording recording{written(folder, {behind})};
  EXPECT_EQ(recording.next().value_or(Recorded{}).request.url, "/v1/payouts?limit=3");
}

TEST(HarRecording, AttributesUnknownPathsUnderAPrefixToOtherServices) {
  const test::TemporaryFolder folder;
  Exchange operation = exchangeOf("GET");
  Exchange foreign = exchangeOf("GET");
  Exchange unknown = exchangeOf("GET");
  operation.url = "https://gateway.example.com/payments/v1/payouts";
  foreign.url = "https://shop.example.com/api/v1/track";
  unknown.url = "https://api.example.com/v1/track";
  HarRecording recording{written(folder, {operation, foreign, unknown})};
  const Catalog& catalog = *catalogOfTheApi();
  std::vector<bool> concerned;
  while (auto one = recording.next())
    concerned.push_back(Observation{catalog, *std::move(one)}.concernsService());
  EXPECT_THAT(concerned, testing::ElementsAre(true, false, true));
}

TEST(HarRecording, ReportsAFileThatCannotBeRead) {
  EXPECT_THAT([] { HarRecording{"no/such.har"}; },
              ThrowsMessage<std::runtime_error>(HasSubstr("can't read 'no/such.har': No such file")));
  const test::TemporaryFolder folder;
  HarRecording recording{folder.path()};
  EXPECT_THAT([&] { (void)recording.next(); },
              ThrowsMessage<std::runtime_error>(HasSubstr("can't read after byte 0: Is a directory")));
}

TEST(HarRecording, RefusesAPipeWhichCannotBeReadRepeatedly) {
  const test::TemporaryFolder folder;
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::fstream writer{pipe, std::ios::in | std::ios::out};  // so that opening it does not wait
  EXPECT_THAT([&] { HarRecording{pipe}; },
              ThrowsMessage<std::runtime_error>(HasSubstr("can't read '" + pipe + "' twice: it is a pipe;")));
}

}  // namespace

}  // namespace tally::fake::detail
