#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/recording.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "har/har_reader.h"
#include "wire/temporary_folder.h"

namespace tally::recordingTest {
namespace {

using namespace std::chrono_literals;
using detail::Exchange;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<Exchange> exchangesIn(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  detail::HarReader reader{in};
  std::vector<Exchange> exchanges;
  while (auto exchange = reader.next())
    exchanges.push_back(*std::move(exchange));
  EXPECT_FALSE(reader.cutOff());
  return exchanges;
}

/// A client of the fake whose requests are recorded.
class Recording : public testing::Test {
 protected:
  ClientOptions recording(RecordingOptions more = {}) {
    ClientOptions options = service.clientOptions(key);
    more.clock = service.clock();
    options.transport = recordingTransport(options.transport, file, std::move(more));
    return options;
  }
  ClientOptions replaying(ReplayingOptions more = {}) {
    ClientOptions options = service.clientOptions("sk_test_another");
    options.transport = replayingTransport(file, more);
    return options;
  }

  test::TemporaryFolder folder{};
  std::string file = (folder.path() / "run.har").string();
  fake::Service service;
  std::string key = service.addAccount().sandboxKey;
  std::string id = service.insert<PaymentRecord>(key).id.str();
};

TEST_F(Recording, ContainsRequestsAndResponses) {
  Client client{recording({.redact = {"description"}})};
  ASSERT_TRUE(client.paymentRecords().retrieve(id));
  ASSERT_FALSE(client.paymentRecords().retrieve("pr_none"));
  const auto exchanges = exchangesIn(file);
  ASSERT_THAT(exchanges, SizeIs(2));
  EXPECT_EQ(exchanges[0].method, "GET");
  EXPECT_THAT(exchanges[0].url, testing::EndsWith("/v1/payment_records/" + id));
  EXPECT_EQ(exchanges[0].status, 200);
  EXPECT_EQ(exchanges[0].startedAt, service.requests().list()[0].time);
  EXPECT_EQ(exchanges[0].duration, service.requests().list()[0].respondedAt - exchanges[0].startedAt);
  EXPECT_THAT(exchanges[0].responseBody, HasSubstr(R"("description":"[redacted]")"));
  EXPECT_EQ(exchanges[1].status, 404);
  std::ostringstream text;
  text << std::ifstream{file}.rdbuf();
  EXPECT_THAT(text.str(), Not(HasSubstr(key)));
  EXPECT_THAT(text.str(), HasSubstr("sk_test_recorded1"));
}

TEST_F(Recording, ContainsFailures) {
  ClientOptions options = recording();
  service.faults().inject({.fault = fake::Fault::responseLost});
  ASSERT_FALSE(Client{options}.paymentRecords().retrieve(id));
  const auto exchanges = exchangesIn(file);
  ASSERT_THAT(exchanges, SizeIs(1));
  EXPECT_EQ(exchanges[0].status, 0);
  EXPECT_EQ(exchanges[0].failure, "connection lost: connection lost before the response");
}

TEST_F(Recording, ContainsAsynchronousRequests) {
  AsyncClient async{recording()};
  const Instant begin = service.clock()->now();
  for (int i = 0; i < 3; ++i)
    async.paymentRecords().retrieve(id).then([](const auto&) {});
  async.run();
  EXPECT_EQ(service.clock()->now() - begin, 50ms) << "together";
  StopSource stop;
  service.faults().inject({.latency = 1s});
  async.paymentRecords().retrieve(id, {.stop = stop.get_token()}).then([](const auto&) {});
  async.paymentRecords().retrieve("pr_none").then([&](const auto&) { stop.request_stop(); });
  async.run();
  const auto exchanges = exchangesIn(file);
  ASSERT_THAT(exchanges, SizeIs(5));
  EXPECT_EQ(exchanges[2].status, 200);
  EXPECT_EQ(exchanges[3].status, 404);
  EXPECT_EQ(exchanges[4].failure, "abandoned by the client");
}

TEST_F(Recording, DoesNotOverwriteAnExistingFile) {
  (void)folder.write("run.har", "mine");
  EXPECT_THROW((void)recording(), std::runtime_error);
}

TEST_F(Recording, DoesNotFailCallsWhenItCannotBeWritten) {
  std::signal(SIGXFSZ, SIG_IGN);
  std::vector<std::string> problems;
  Client client{recording({.onProblem = [&](std::string_view problem) { problems.emplace_back(problem); }})};
  rlimit unlimited{};
  getrlimit(RLIMIT_FSIZE, &unlimited);
  const rlimit full{1, unlimited.rlim_max};
  setrlimit(RLIMIT_FSIZE, &full);
  const bool first = client.paymentRecords().retrieve(id).has_value();
  const bool second = client.paymentRecords().retrieve(id).has_value();
  setrlimit(RLIMIT_FSIZE, &unlimited);
  EXPECT_TRUE(first && second);
  EXPECT_THAT(problems, testing::ElementsAre("can't write " + file + ": File too large"));
}

/// Throws each n-th time that it is read.
class ClockThatBreaks final : public Clock {
 public:
  explicit ClockThatBreaks(int n) : n_(n) {}

  [[nodiscard]] Instant now() const override {
    if (++readings_ % n_ == 0) throw std::runtime_error{"no time"};
    return Instant{};
  }
  bool sleepUntil(Instant, StopToken) override { return true; }
  bool waitUntil(Instant, StopToken) override { return true; }

 private:
  int n_;
  mutable int readings_ = 0;
};

/// Before the request, or after the response.
TEST_F(Recording, DoesNotFailCallsWhenItsClockThrows) {
  std::vector<std::string> problems;
  const auto broken = [&](const std::string& name, int n) {
    ClientOptions options = service.clientOptions(key);
    options.transport =
        recordingTransport(options.transport, (folder.path() / name).string(),
                           {.clock = std::make_shared<ClockThatBreaks>(n),
                            .onProblem = [&](std::string_view problem) { problems.emplace_back(problem); }});
    return options;
  };
  for (const int n : {1, 2}) {
    problems.clear();
    EXPECT_TRUE(Client{broken("a" + std::to_string(n), n)}.paymentRecords().retrieve(id));
    AsyncClient async{broken("b" + std::to_string(n), n)};
    async.paymentRecords().retrieve(id).then([](const auto& record) { EXPECT_TRUE(record); });
    async.run();
    EXPECT_THAT(problems, testing::ElementsAre("no time", "no time"));
  }
}

TEST_F(Recording, LetsTheHandlerOfAProblemMakeCalls) {
  std::optional<Client> client;
  int problems = 0;
  const auto onProblem = [&](std::string_view) {
    ++problems;
    EXPECT_TRUE(client->paymentRecords().retrieve(id));
  };
  ClientOptions options = service.clientOptions(key);
  options.transport = recordingTransport(
      options.transport, file, {.clock = std::make_shared<ClockThatBreaks>(2), .onProblem = onProblem});
  client.emplace(options);
  EXPECT_TRUE(client->paymentRecords().retrieve(id));
  EXPECT_EQ(problems, 1);
}

TEST_F(Recording, CanBeReplayed) {
  Client recorded{recording()};
  const auto record = recorded.paymentRecords().retrieve(id);
  ASSERT_TRUE(record);
  const auto report = recorded.paymentRecords().reportFailed(id, {.failedAt = service.clock()->now()});
  ASSERT_TRUE(report);
  service.requests().clear();
  Client replayed{replaying()};
  EXPECT_EQ(replayed.paymentRecords().retrieve(id).value(), record.value());
  EXPECT_EQ(replayed.paymentRecords().reportFailed(id, {.failedAt = service.clock()->now()}).value(),
            report.value());
  EXPECT_EQ(service.requests().size(), 0U);
}

TEST_F(Recording, CanBeReplayedToAsynchronousClients) {
  (void)Client{recording()}.paymentRecords().retrieve(id);
  AsyncClient async{replaying()};
  int successes = 0;
  for (int i = 0; i < 3; ++i)
    async.paymentRecords().retrieve(id).then([&](const auto& record) { successes += record ? 1 : 0; });
  async.run();
  EXPECT_EQ(successes, 3) << "the last response again";
}

TEST_F(Recording, IsReplayedWithItsFailures) {
  ClientOptions options = recording();
  service.faults().inject({.fault = fake::Fault::connectionRefused});
  const auto failed = Client{options}.paymentRecords().retrieve(id);
  ClientOptions again = replaying();
  const auto replayed = Client{again}.paymentRecords().retrieve(id);
  ASSERT_FALSE(failed);
  ASSERT_FALSE(replayed);
  EXPECT_EQ(replayed.error().kind(), failed.error().kind());
  EXPECT_EQ(replayed.error().effect(), failed.error().effect());
  EXPECT_EQ(replayed.error().message(), failed.error().message());
}

TEST_F(Recording, IsReplayedWithTheEffectOfAReportThatMayHaveBeenProcessed) {
  ClientOptions options = recording();
  service.faults().inject({.fault = fake::Fault::responseLost});
  const auto failed = Client{options}.paymentRecords().reportFailed(id, {.failedAt = service.clock()->now()});
  const auto replayed =
      Client{replaying()}.paymentRecords().reportFailed(id, {.failedAt = service.clock()->now()});
  ASSERT_FALSE(failed);
  ASSERT_FALSE(replayed);
  EXPECT_EQ(failed.error().effect(), Effect::unknown);
  EXPECT_EQ(replayed.error().effect(), Effect::unknown);
}

TEST_F(Recording, CanBeReplayedInStrictOrder) {
  {
    Client client{recording()};
    (void)client.paymentRecords().retrieve(id);
    (void)client.paymentRecords().retrieve("pr_none");
  }
  Client client{replaying({.strict = true})};
  const auto early = client.paymentRecords().retrieve("pr_none");
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().effect(), Effect::none);
  EXPECT_THAT(early.error().message(), HasSubstr("number 1 is 'GET /v1/payment_records/" + id + "'"));
  EXPECT_TRUE(client.paymentRecords().retrieve(id));
}

TEST_F(Recording, IsRefusedIfItIsNotHar) {
  (void)folder.write("run.har", "{}");
  try {
    (void)replaying();
    FAIL();
  } catch (const std::runtime_error& problem) {
    EXPECT_THAT(problem.what(), StartsWith(file + ": not HAR at byte 1: "));
  }
}

}  // namespace
}  // namespace tally::recordingTest
