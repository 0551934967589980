// Servers that want to occupy or confuse a client. Whatever they send, a call ends in a result or a truthful
// error, in bounded time and memory, and the next call succeeds.

#include <iterator>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/curl_transport.h>
#include <tally/tally.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sdk/support/async_sends.h"
#include "sdk/support/harness.h"
#include "sdk/support/hostile_server.h"
#include "support/memory_growth.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using test::HostileServer;
using testing::HasSubstr;
using testing::Not;

/// A response of 1 MiB at most, its decompression and its objects, and what the server and the sockets need.
constexpr std::size_t mostGrowth = std::size_t{24} * 1024 * 1024;

class HostileServers : public testing::TestWithParam<HostileServer> {
 protected:
  const HostileServer& hostile = GetParam();
  test::Turns turns{.response = test::recordJson("pr_1")};
  test::MisbehavingServer server{[this](int connection) { hostile.behave(connection, turns); }};

  [[nodiscard]] ClientOptions clientOptions() const {
    return {.apiKey = "sk_test_1",
            .baseUrl = server.url(hostile.scheme),
            .maxNetworkRetries = 0,
            .timeout = hostile.kind == ErrorKind::timeout ? 500ms : 60'000ms,
            .http = {.caFile = test::authority().caFile(), .maxResponseBytes = test::mostOfHostileResponse}};
  }

  void expect(const Result<PaymentRecord>& result, Effect effect) const {
    if (!hostile.kind) {
      EXPECT_FALSE(result.has_error()) << result.error();
      return;
    }
    ASSERT_TRUE(result.has_error());
    const Error& error = result.error();
    EXPECT_EQ(error.kind(), *hostile.kind) << error;
    EXPECT_EQ(error.effect(), effect) << error;
    EXPECT_THAT(error.message(), HasSubstr(hostile.says));
    EXPECT_LT(error.toString().size(), 10'000U);
    EXPECT_THAT(error.toString(), Not(HasSubstr("\x1B")));
  }

  /// A write, a read, and a call that meets a server that behaves, twice. `make` waits for the result of a
  /// call.
  template <class SomeClient, class Make>
  void attack(const SomeClient& client, const Make& make) {
    const test::MemoryGrowth memory;
    for (int i = 0; i < 2; ++i) {
      turns.faults = 1;
      const bool refuses = hostile.kind == ErrorKind::rateLimited;
      expect(make(client.paymentRecords().reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}})),
             refuses ? Effect::none : Effect::unknown);
      turns.faults = 1;
      expect(make(client.paymentRecords().retrieve("pr_1")), Effect::none);
      const auto next = make(client.paymentRecords().retrieve("pr_1", {.timeout = 60'000ms}));
      EXPECT_FALSE(next.has_error()) << next.error();
    }
    if (const auto peak = memory.peak()) {
      EXPECT_LT(*peak, mostGrowth);
      RecordProperty("peakKiB", static_cast<int>(*peak / 1024));
    }
  }
};

TEST_P(HostileServers, DoNotAffectTheNextCallOfAClient) {
  const Client client{clientOptions()};
  attack(client, [](auto result) { return result; });
}

TEST_P(HostileServers, DoNotAffectTheNextCallOfAnAsyncClient) {
  const AsyncClient client{clientOptions()};
  attack(client, [](auto call) { return std::move(call).future().get(); });
}

std::string nameOfServer(const testing::TestParamInfo<HostileServer>& tested) {
  return tested.param.name;
}

/// The error in which iterating over the records ends, against a server that responds with these pages in
/// turn.
template <class MakePager>
Error errorOfPages(const std::vector<std::string>& pages, const MakePager& makePager) {
  std::size_t next = 0;
  test::MisbehavingServer server{[&](int connection) {
    while (!test::receiveRequest(connection).empty())
      test::sendAll(connection, test::goodResponse(pages[next++ % pages.size()]));
    close(connection);
  }};
  const Client client{
      {.apiKey = "sk_test_1", .baseUrl = server.url(), .transport = test::wireTransport(systemClock())}};
  for (const auto& record : makePager(client))
    if (record.has_error()) return record.error();
  ADD_FAILURE() << "the pages end";
  return Error{{}};
}

std::string searchPage(const std::string& id, const std::string& nextPage) {
  return test::pageJson({id}, true, R"(,"next_page":")" + nextPage + '"');
}

TEST(HostilePages, CauseAnErrorIfTheyNeverEnd) {
  const auto list = [](const Client& client) { return client.paymentRecords().list(); };
  const auto search = [](const Client& client) { return client.paymentRecords().search({.query = "a:'b'"}); };
  for (const Error& error :
       {errorOfPages({test::pageJson({"pr_1"}, true)}, list),
        errorOfPages({test::pageJson({"pr_1"}, true), test::pageJson({"pr_2"}, true)}, list),
        errorOfPages({searchPage("pr_1", "a")}, search),
        errorOfPages({searchPage("pr_1", "a"), searchPage("pr_2", "b"), searchPage("pr_3", "c")}, search)}) {
    EXPECT_EQ(error.kind(), ErrorKind::pagination) << error;
    EXPECT_THAT(error.message(), HasSubstr("repeats"));
  }
}

TEST(HostilePages, CauseAnErrorIfACursorIsLongerThanAnyUrl) {
  for (const std::size_t size : {std::size_t{70'000}, std::size_t{9'000'000}}) {
    const Error error = errorOfPages({searchPage("pr_1", std::string(size, 'a'))}, [](const Client& client) {
      return client.paymentRecords().search({.query = "a:'b'"});
    });
    EXPECT_EQ(error.kind(), ErrorKind::pagination) << error;
    EXPECT_EQ(error.message(), "the cursor is longer than 65536 bytes");
  }
}

INSTANTIATE_TEST_SUITE_P(Endless, HostileServers, testing::ValuesIn(test::endlessServers()), nameOfServer);
INSTANTIATE_TEST_SUITE_P(Slow, HostileServers, testing::ValuesIn(test::slowServers()), nameOfServer);
INSTANTIATE_TEST_SUITE_P(Bombs, HostileServers, testing::ValuesIn(test::compressionBombs()), nameOfServer);
INSTANTIATE_TEST_SUITE_P(Texts, HostileServers, testing::ValuesIn(test::hostileTexts()), nameOfServer);
INSTANTIATE_TEST_SUITE_P(Framing, HostileServers, testing::ValuesIn(test::brokenFraming()), nameOfServer);
INSTANTIATE_TEST_SUITE_P(Http2, HostileServers, testing::ValuesIn(test::http2Floods()), nameOfServer);

}  // namespace
}  // namespace tally
