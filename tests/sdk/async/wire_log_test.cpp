#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/wire_log.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::asyncWireLogTest {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// An asynchronous client of the fake, whose requests and responses are logged.
struct Logged {
  explicit Logged(const std::function<void(ClientOptions&)>& change = [](ClientOptions&) {}) {
    options.transport =
        wireLog(options.transport, [this](std::string_view line) { lines.emplace_back(line); });
    change(options);
  }

  [[nodiscard]] std::size_t countOf(const std::string& text) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(lines, [&](const std::string& line) { return line.find(text) != line.npos; }));
  }

  fake::Service service;
  std::string key = service.addAccount().sandboxKey;
  std::string id = service.insert<PaymentRecord>(key).id.str();
  ClientOptions options = service.clientOptions(key);
  std::vector<std::string> lines{};
};

TEST(AsyncWireLog, RecordsRequestsThatAreInFlightTogether) {
  Logged logged;
  const Instant begin = logged.service.clock()->now();
  AsyncClient async{logged.options};
  int successes = 0;
  for (int i = 0; i < 3; ++i)
    async.paymentRecords().retrieve(logged.id).then([&](const auto& record) { successes += record ? 1 : 0; });
  async.run();
  EXPECT_EQ(successes, 3);
  EXPECT_EQ(logged.service.clock()->now() - begin, 50ms) << "as without the log";
  ASSERT_EQ(logged.lines.size(), 6U);
  EXPECT_THAT(logged.lines.at(2), StartsWith("#3 > GET "));
  for (int number = 1; number <= 3; ++number)
    EXPECT_EQ(logged.countOf("#" + std::to_string(number) + " < 200 "), 1U);
  EXPECT_THAT(logged.lines, Not(Contains(HasSubstr(logged.key))));
}

TEST(AsyncWireLog, RecordsFailuresAndAbandonedRequests) {
  Logged logged;
  AsyncClient async{logged.options};
  logged.service.faults().inject({.fault = fake::Fault::reset});
  async.paymentRecords().retrieve(logged.id).then([](const auto&) {});
  async.run();
  EXPECT_THAT(logged.lines.back(), StartsWith("#1 < connection lost"));
  StopSource stop;
  async.paymentRecords().retrieve(logged.id, {.stop = stop.get_token()}).then([](const auto&) {});
  async.paymentRecords().retrieve("pr_none").then([&](const auto&) { stop.request_stop(); });
  logged.service.faults().inject({.latency = 1s});
  async.run();
  EXPECT_EQ(logged.countOf("#2 < abandoned by the client"), 1U);
  EXPECT_EQ(logged.countOf("#3 < 404"), 1U);
}

/// A transport of an application has no asynchronous form.
TEST(AsyncWireLog, RecordsRequestsOfBlockingTransports) {
  class Blocking final : public Transport {
   public:
    explicit Blocking(std::shared_ptr<Transport> next) : next_(std::move(next)) {}
    TransportResult send(const HttpRequest& request, const SendLimits& limits) override {
      return next_->send(request, limits);
    }
    [[nodiscard]] bool inProcess() const noexcept override { return true; }

   private:
    std::shared_ptr<Transport> next_;
  };
  fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  ClientOptions options = service.clientOptions(key);
  std::vector<std::string> lines;
  options.transport = wireLog(std::make_shared<Blocking>(options.transport),
                              [&](std::string_view line) { lines.emplace_back(line); });
  AsyncClient async{options};
  async.paymentRecords().retrieve("pr_none").then([](const auto&) {});
  async.run();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines.at(1), StartsWith("#1 < 404 "));
}

}  // namespace
}  // namespace tally::asyncWireLogTest
