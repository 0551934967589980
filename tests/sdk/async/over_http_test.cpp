// Asynchronous calls through libcurl to a server on this machine, on the real clock: every fault × every way
// to call, and many calls from several threads, compared with the log of the service.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <tally/async.h>
#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/ways.h"

namespace tally::overHttpTest {
namespace {

using namespace std::chrono_literals;
using fake::Fault;
using test::NamedWay;
using test::Outcome;

constexpr const char* numberHeader = "Test-Number";

class CallsOverHttp : public testing::Test {
 protected:
  CallsOverHttp() { service.clock()->run(); }

  ClientOptions options() {
    ClientOptions made;
    made.apiKey = account.sandboxKey;
    made.baseUrl = server.url();
    made.timeout = 10s;
    made.backoff = {.initial = 1ms, .cap = 5ms};
    return made;
  }

  fake::Service service{{.duration = 1ms, .limits = false, .requestLog = 100'000}};
  fake::Account account = service.addAccount();
  fake::HttpServer server{service, {.threads = 2, .drain = 50ms}};
};

std::string summaryOf(const Outcome& outcome) {
  std::ostringstream out;
  if (!outcome) return "success";
  out << outcome->kind() << ", " << outcome->effect() << ", " << outcome->attemptCount();
  return out.str();
}

TEST_F(CallsOverHttp, EndTheSameWayInEveryFormAfterEveryFault) {
  for (const Fault fault : {Fault::none, Fault::connectionRefused, Fault::reset, Fault::responseLost,
                            Fault::truncatedBody, Fault::garbledBody, Fault::errorAfterProcessing})
    for (const int retries : {0, 2})
      for (const char* operation :
           {"payment_records.retrieve", "payment_records.report_failed", "payment_intents.create"}) {
        std::string expected;
        for (const NamedWay& way : test::ways) {
          std::ostringstream trace;
          trace << fault << ", " << retries << " retries, " << operation << ", " << way.name;
          SCOPED_TRACE(trace.str());
          ClientOptions made = options();
          made.maxNetworkRetries = retries;
          const auto maker = way.of(made);
          const auto next = [&] {
            return maker->make({operation, service.insert<PaymentRecord>(account.sandboxKey).id.str(), {}});
          };
          EXPECT_EQ(summaryOf(next()), "success") << "opens a connection";
          if (fault != Fault::none) service.faults().inject({.fault = fault});
          const std::string summary = summaryOf(next());
          if (expected.empty()) expected = summary;
          EXPECT_EQ(summary, expected);
          EXPECT_THAT(service.faults().pending(), testing::IsEmpty());
          EXPECT_EQ(summaryOf(next()), "success") << "on the same connection";
          EXPECT_EQ(summaryOf(way.of(made)->make(
                        {operation, service.insert<PaymentRecord>(account.sandboxKey).id.str(), {}})),
                    "success")
              << "on a new one";
        }
      }
}

TEST_F(CallsOverHttp, SendTheNameOfTheApplication) {
  ClientOptions made = options();
  made.application = {.name = "shop", .version = "1.4"};
  EXPECT_TRUE(Client{made}.paymentRecords().list().collect(1));
  EXPECT_TRUE(Client{made}.send({.path = "/v1/payouts"}));
  AsyncClient async{made};
  EXPECT_FALSE(async.paymentRecords().retrieve("pr_1").future().get());
  const auto requests = service.requests().list();
  EXPECT_EQ(requests.size(), 3U);
  for (const fake::LoggedRequest& logged : requests) {
    const auto& headers = logged.request.headers;
    const auto agent = std::ranges::find(headers, "User-Agent", &Header::name);
    ASSERT_NE(agent, headers.end());
    EXPECT_EQ(agent->value, "tally/" + std::string{version} + " shop/1.4");
  }
}

/// What a call was told.
struct Told {
  std::atomic<int> completions = 0;
  bool changes = false;
  bool success = false;
  Effect effect = Effect::none;
};

TEST_F(CallsOverHttp, MatchTheLogWhenSeveralThreadsStartThem) {
  constexpr std::size_t threads = 4;
  constexpr std::size_t each = 500;
  std::vector<std::string> records;
  for (int i = 0; i < 50; ++i)
    records.push_back(service.insert<PaymentRecord>(account.sandboxKey).id.str());
  for (const Fault fault : {Fault::reset, Fault::responseLost, Fault::truncatedBody,
                            Fault::errorAfterProcessing, Fault::garbledBody}) {
    service.faults().inject({.times = 100});
    service.faults().inject({.times = 10, .fault = fault});
  }
  std::vector<Told> all(threads * each);
  ClientOptions made = options();
  made.maxNetworkRetries = 2;
  AsyncClient async{made};
  {
    std::vector<std::jthread> starting;
    for (std::size_t t = 0; t < threads; ++t)
      starting.emplace_back([&, t] {
        for (std::size_t i = t * each; i < (t + 1) * each; ++i) {
          Told& told = all[i];
          told.changes = i % 2 == 0;
          std::stop_source stop;
          const auto token = stop.get_token();
          const Header number{numberHeader, std::to_string(i)};
          const RequestOptions callOptions{.stop = token, .headers = {number}};
          const auto tell = [&told](const auto& result) {
            told.success = result.has_value();
            if (!result) told.effect = result.error().effect();
            ++told.completions;
          };
          const std::string& record = records[i % records.size()];
          if (told.changes) {
            async.paymentRecords()
                .reportFailed(record, {.failedAt = test::wayFailedAt}, callOptions)
                .then(tell);
          } else {
            async.paymentRecords().retrieve(record, callOptions).then(tell);
          }
          if (i % 10 == 0) stop.request_stop();
        }
      });
  }
  async.run();
  EXPECT_EQ(async.counts().inFlight + async.counts().waiting, 0U);
  server.stop();

  std::vector<int> processed(all.size());
  for (const auto& request : service.requests().list())
    for (const Header& header : request.request.headers)
      if (header.name == numberHeader && request.processed) ++processed[std::stoul(header.value)];
  std::size_t failed = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Told& told = all[i];
    EXPECT_EQ(told.completions, 1) << i;
    failed += told.success ? 0U : 1U;
    if (!told.changes) continue;
    EXPECT_LE(processed[i], 1) << i;
    if (told.success) {
      EXPECT_EQ(processed[i], 1) << i;
    } else if (told.effect == Effect::none) {
      EXPECT_EQ(processed[i], 0) << i;
    }
  }
  EXPECT_GT(failed, 20U);
}

TEST_F(CallsOverHttp, AllCompleteWhenTheClientIsClosed) {
  service.durations().set("payment_records.retrieve", 1h);
  const auto id = service.insert<PaymentRecord>(account.sandboxKey).id;
  const auto lock = service.holds().lockObject(account.sandboxKey, id.str());
  AsyncClient async{options(), {.maxInFlight = 20}};
  std::atomic<int> completed = 0;
  for (int i = 0; i < 200; ++i)
    async.paymentRecords().retrieve(id).then([&](const Result<PaymentRecord>& result) {
      EXPECT_EQ(result.error().kind(), ErrorKind::canceled);
      ++completed;
    });
  async.paymentRecords()
      .reportFailed(id, {.failedAt = test::wayFailedAt})
      .then([&](const Result<PaymentRecord>&) { ++completed; });
  const CloseResult result = async.close(20ms);
  EXPECT_EQ(result.completed + result.unsent + result.unknown, 201U);
  EXPECT_EQ(completed, 201);
}

}  // namespace
}  // namespace tally::overHttpTest
