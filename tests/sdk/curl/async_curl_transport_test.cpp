// What only the asynchronous form of the transport does. The other tests of this program run with both forms.

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <latch>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/curl_transport.h>
#include <tally/fake/http_server.h>
#include <tally/fake/virtual_clock.h>

#include <gtest/gtest.h>

#include "event/async_transport.h"
#include "event/event_loop.h"
#include "sdk/support/async_sends.h"
#include "sdk/support/wire_fault.h"
#include "tls_front.h"

namespace tally {
namespace {

using namespace std::chrono_literals;
using Kind = TransportFailure::Kind;

/// A request in flight and its result.
class Sent final : public detail::AsyncTransport::Receiver {
 public:
  void departs() noexcept override { hasDeparted = true; }
  void threw(const std::exception_ptr& exception) override { std::rethrow_exception(exception); }
  void ended(TransportResult&& got) override {
    EXPECT_FALSE(result) << "a second result";
    result = std::move(got);
    if (onEnd) onEnd(*this);
  }

  [[nodiscard]] int status() const {
    const auto* response = result ? std::get_if<HttpResponse>(&*result) : nullptr;
    return response != nullptr ? response->status : 0;
  }
  [[nodiscard]] const TransportFailure& failure() const { return std::get<TransportFailure>(result.value()); }

  HttpRequest request{};
  std::unique_ptr<detail::AsyncTransfer> transfer{};
  bool hasDeparted = false;
  std::optional<TransportResult> result{};
  std::function<void(Sent&)> onEnd{};
};

struct AsyncCurl : testing::Test {
  std::shared_ptr<Clock> clock = systemClock();
  std::list<Sent> sent{};
  std::unique_ptr<detail::AsyncSetup> setup = make({});

  [[nodiscard]] std::unique_ptr<detail::AsyncSetup> make(const CurlTransportOptions& options) const {
    return curlTransport(clock, options)->makeAsync(clock);
  }

  Sent& start(HttpRequest request, std::chrono::nanoseconds timeout = 30s,
              std::function<void(Sent&)> onEnd = {}) {
    Sent& added = sent.emplace_back();
    added.request = std::move(request);
    added.onEnd = std::move(onEnd);
    added.transfer = setup->transport->start(added.request, clock->now() + timeout, added);
    return added;
  }

  void runUntil(const std::function<bool()>& done) const {
    while (!done())
      setup->loop->poll();
  }

  void runUntilAllEnded() const {
    runUntil(
        [&] { return std::ranges::all_of(sent, [](const Sent& each) { return each.result.has_value(); }); });
  }

  /// Runs until the server has received something of that request.
  void runUntilSent(const Sent& each) const {
    runUntil([&] { return each.transfer->mayHaveBeenSent(); });
  }
};

/// The fake over HTTP, whose responses take no time.
struct Fake {
  fake::Service service{{.limits = false}};
  fake::HttpServer server{service};
  std::string key = service.addAccount().sandboxKey;

  [[nodiscard]] HttpRequest list(const std::string& url) const {
    return {.url = url + "/v1/payment_records", .headers = {{"Authorization", "Bearer " + key}}};
  }
  [[nodiscard]] HttpRequest list() const { return list(server.url()); }
};

/// Accepts connections and responds to nothing.
class Silent {
 public:
  Silent() = default;
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;
  ~Silent() = default;

  [[nodiscard]] HttpRequest request(const std::string& scheme = "http") const {
    return {.method = Method::post, .url = listener_.url(scheme) + "/a", .body = "a=1"};
  }
  /// By a name that libcurl has to look up.
  [[nodiscard]] HttpRequest requestByName(const std::string& scheme) const {
    return {.url = scheme + "://localhost:" + std::to_string(listener_.port()) + "/a"};
  }

 private:
  test::Listener listener_{};
};

TEST_F(AsyncCurl, SendsManyRequestsConcurrently) {
  const Fake fake;
  for (const std::size_t count : {std::size_t{1}, std::size_t{64}, std::size_t{500}}) {
    sent.clear();
    for (std::size_t i = 0; i < count; ++i)
      start(fake.list());
    runUntilAllEnded();
    EXPECT_EQ(std::ranges::count(sent, 200, &Sent::status), static_cast<std::ptrdiff_t>(count));
  }
}

TEST_F(AsyncCurl, StartsARequestFromAReceiver) {
  const Fake fake;
  int left = 300;
  std::function<void(Sent&)> next = [&](Sent& ended) {
    EXPECT_EQ(ended.status(), 200);
    ended.transfer.reset();
    if (--left >= 0) start(fake.list(), 30s, next);
  };
  for (int i = 0; i < 8; ++i)
    start(fake.list(), 30s, next);
  runUntilAllEnded();
  EXPECT_EQ(sent.size(), 308U);
}

TEST_F(AsyncCurl, NeverDeliversAResultBeforeStartReturns) {
  Sent& refused = start({.url = "http://service.test/"});
  Sent& late = start({.url = "http://127.0.0.1:1/"}, 0s);
  EXPECT_FALSE(refused.result);
  EXPECT_FALSE(late.result);
  runUntilAllEnded();
  EXPECT_EQ(refused.failure().kind, Kind::forbidden);
  EXPECT_EQ(late.failure().kind, Kind::timeout);
  EXPECT_FALSE(late.failure().mayHaveBeenSent);
}

TEST_F(AsyncCurl, ReportsWhetherARequestMayHaveBeenSent) {
  const Silent silent;
  const Sent& request = start(silent.request());
  EXPECT_FALSE(request.transfer->mayHaveBeenSent());
  runUntilSent(request);
  EXPECT_TRUE(request.transfer->mayHaveBeenSent());
}

TEST_F(AsyncCurl, TellsWhenARequestDepartsAfterItsConnectionIsMade) {
  const Silent silent;
  const Sent& connecting = start(silent.request("https"), 50ms);
  const Sent& connected = start(silent.request());
  runUntilSent(connected);
  EXPECT_TRUE(connected.hasDeparted);
  runUntil([&] { return connecting.result.has_value(); });
  EXPECT_FALSE(connecting.hasDeparted);
}

TEST_F(AsyncCurl, CancelsADestroyedRequest) {
  const Silent silent;
  const Fake fake;
  Sent& before = start(silent.request());
  Sent& during = start(silent.request());
  before.transfer.reset();
  runUntilSent(during);
  during.transfer.reset();
  const Sent& after = start(fake.list());
  runUntil([&] { return after.result.has_value(); });
  EXPECT_EQ(after.status(), 200);
  EXPECT_FALSE(before.result);
  EXPECT_FALSE(during.result);
}

/// The first result destroys the requests whose results arrived with it, and one in flight.
TEST_F(AsyncCurl, LetsAReceiverDestroyOtherRequests) {
  const Silent silent;
  const Fake fake;
  int results = 0;
  Sent& inFlight = start(silent.request());
  runUntilSent(inFlight);
  const auto destroyAll = [&](Sent&) {
    ++results;
    for (Sent& each : sent)
      each.transfer.reset();
  };
  for (int i = 0; i < 64; ++i)
    start(fake.list(), 30s, destroyAll);
  runUntil([&] { return results != 0; });
  sent.remove_if([](const Sent& each) { return !each.result; });
  const Sent& after = start(fake.list());
  runUntil([&] { return after.result.has_value(); });
  EXPECT_EQ(after.status(), 200);
  EXPECT_EQ(results, 1);
}

TEST_F(AsyncCurl, ContinuesAfterAReceiverThrows) {
  const Fake fake;
  for (int i = 0; i < 64; ++i)
    start(fake.list(), 30s, [](Sent&) { throw std::runtime_error{"of a receiver"}; });
  for (int thrown = 0; thrown < 64;) {
    try {
      setup->loop->poll();
    } catch (const std::runtime_error&) {
      ++thrown;
    }
  }
  EXPECT_EQ(std::ranges::count(sent, 200, &Sent::status), 64);
}

TEST_F(AsyncCurl, MayBeDestroyedWithRequestsInFlight) {
  const Silent silent;
  const Fake fake;
  const Sent& inFlight = start(silent.request());
  const Sent& held = start(silent.request("https"));
  const Sent& alsoHeld = start(silent.request("https"));
  runUntilSent(inFlight);
  const Sent& justStarted = start(fake.list());
  setup->transport.reset();
  for (const Sent* each : {&inFlight, &held, &alsoHeld, &justStarted})
    EXPECT_FALSE(each->result);
  sent.clear();
  setup->loop->wake();
  setup->loop->poll();
}

TEST_F(AsyncCurl, SendsRequestsToSeveralOrigins) {
  std::list<Fake> fakes(5);
  for (int round = 0; round < 3; ++round) {
    for (const Fake& fake : fakes)
      start(fake.list());
    runUntilAllEnded();
  }
  EXPECT_EQ(std::ranges::count(sent, 200, &Sent::status), 15);
}

/// A request whose connection breaks must leave nothing to the next one, which uses the same handle.
TEST_F(AsyncCurl, SendsAWholeReportAfterABrokenTransfer) {
  std::atomic<int> connections = 0;
  std::vector<std::string> received;
  const test::MisbehavingServer server{[&](int connection) {
    std::string request = test::receiveRequest(connection);
    if (++connections > 1) {
      received.push_back(std::move(request));
      test::sendAll(connection, test::goodResponse("{}"));
    }
    close(connection);
  }};
  const HttpRequest report{
      .method = Method::post, .url = server.url() + "/a", .body = std::string(100'000, 'x')};
  const Sent& broken = start(report);
  runUntilAllEnded();
  EXPECT_EQ(broken.failure().kind, Kind::connection);
  EXPECT_TRUE(broken.failure().mayHaveBeenSent);
  const Sent& next = start(report);
  runUntilAllEnded();
  EXPECT_EQ(next.status(), 200);
  ASSERT_EQ(received.size(), 1U);
  EXPECT_TRUE(received.front().ends_with(report.body));
}

struct AsyncCurlOverHttp2 : AsyncCurl {
  Fake fake{};
  test::TlsFront front{};
  HttpRequest list = fake.list(front.url(fake.server.port()));

  AsyncCurlOverHttp2() { setup = make({.caFile = front.caFile()}); }

  /// Makes that many requests at once, and returns the connections that they used.
  std::set<std::string> connectionsOf(int requests) {
    sent.clear();
    for (int i = 0; i < requests; ++i)
      start(list);
    runUntilAllEnded();
    std::set<std::string> connections;
    for (const Sent& each : sent) {
      EXPECT_EQ(each.status(), 200);
      connections.insert(*std::get<HttpResponse>(each.result.value()).header(test::TlsFront::connection));
    }
    return connections;
  }
};

TEST_F(AsyncCurlOverHttp2, SharesConnectionsAmongRequests) {
  const auto first = connectionsOf(200);
  EXPECT_EQ(first.size(), 2U);
  EXPECT_EQ(connectionsOf(200), first);
  EXPECT_EQ(connectionsOf(1).size(), 1U);
}

/// The second request waits for the connection of the first one.
TEST_F(AsyncCurl, EndsARequestAtItsDeadlineIfNoConnectionIsMade) {
  const Silent silent;
  const Sent& connecting = start(silent.request("https"));
  const Sent& waiting = start(silent.request("https"), 50ms);
  runUntil([&] { return waiting.result.has_value(); });
  EXPECT_EQ(waiting.failure().kind, Kind::timeout);
  EXPECT_FALSE(waiting.failure().mayHaveBeenSent);
  EXPECT_EQ(waiting.failure().message, "timed out: the request was not sent");
  EXPECT_FALSE(connecting.result);
}

TEST_F(AsyncCurl, ConnectsForTheNextRequestIfTheFirstIsDestroyed) {
  const Fake fake;
  const test::TlsFront front;
  setup = make({.caFile = front.caFile()});
  Sent& first = start(fake.list(front.url(fake.server.port())));
  const Sent& second = start(fake.list(front.url(fake.server.port())));
  setup->loop->wake();
  setup->loop->poll();
  first.transfer.reset();
  runUntil([&] { return second.result.has_value(); });
  EXPECT_EQ(second.status(), 200);
}

TEST_F(AsyncCurl, ConnectsForTheNextRequestIfTheFirstFails) {
  const test::MisbehavingServer closing{[](int connection) { close(connection); }};
  for (int i = 0; i < 10; ++i)
    start({.url = closing.url("https") + "/a"});
  runUntilAllEnded();
  for (const Sent& each : sent) {
    EXPECT_EQ(each.failure().kind, Kind::couldNotConnect);
    EXPECT_FALSE(each.failure().mayHaveBeenSent);
  }
}

class CountingTimer final : public detail::Timer {
 public:
  int expiries = 0;

 private:
  void expired() override { ++expiries; }
};

TEST_F(AsyncCurl, WaitsForTimersOnTheSystemClock) {
  CountingTimer timer;
  const Instant end = clock->now() + 20ms;
  setup->loop->set(timer, end);
  int turns = 0;
  for (; timer.expiries == 0; ++turns) {
    EXPECT_FALSE(clock->now() > end + 10s);
    setup->loop->poll();
  }
  EXPECT_GE(clock->now(), end);
  EXPECT_LE(turns, 3) << "it must not turn busily";
}

/// Each return of the loop's wait costs time. Some versions of libcurl keep a wait from blocking: see
/// docs/installing.md.
TEST_F(AsyncCurl, WaitsWithoutSpinningForPeersThatNeverRespond) {
  constexpr int requests = 8;
  constexpr int mostTurns = 6 * requests;
  for (const std::string scheme : {"http", "https"}) {
    const Silent silent;
    for (int n = 0; n < requests; ++n)
      start(silent.requestByName(scheme), 200ms);
    const auto ended = [&] {
      return std::ranges::all_of(sent, [](const Sent& each) { return each.result.has_value(); });
    };
    int turns = 0;
    for (; !ended() && turns < 1'000 * mostTurns; ++turns)
      setup->loop->poll();
    EXPECT_LE(turns, mostTurns) << scheme;
    for (const Sent& each : sent)
      EXPECT_EQ(each.failure().kind, Kind::timeout);
    sent.clear();
  }
}

/// The connections that are kept have nothing to say either.
TEST_F(AsyncCurl, WaitsWithoutSpinningAfterAResponse) {
  const Fake fake;
  const test::TlsFront front;
  setup = make({.caFile = front.caFile()});
  for (int n = 0; n < 10; ++n) {
    start(fake.list());
    start(fake.list(front.url(fake.server.port())));
  }
  runUntilAllEnded();
  CountingTimer timer;
  setup->loop->set(timer, clock->now() + 100ms);
  int turns = 0;
  for (; timer.expiries == 0 && turns < 10'000; ++turns)
    setup->loop->poll();
  EXPECT_LE(turns, 20);
}

TEST_F(AsyncCurl, AdvancesAVirtualClockIfNothingIsInFlight) {
  const auto virtualClock = std::make_shared<fake::VirtualClock>(Instant{1s});
  clock = virtualClock;
  setup = make({});
  CountingTimer timer;
  setup->loop->set(timer, Instant{1h});
  setup->loop->poll();
  EXPECT_EQ(timer.expiries, 1);
  EXPECT_EQ(virtualClock->now(), Instant{1h});
}

TEST_F(AsyncCurl, ReceivesResponsesWhileAVirtualClockIsFrozen) {
  const Fake fake;
  const auto virtualClock = std::make_shared<fake::VirtualClock>(Instant{1s});
  clock = virtualClock;
  setup = make({});
  CountingTimer timer;
  setup->loop->set(timer, Instant{1h});
  const Sent& request = start(fake.list());
  runUntilAllEnded();
  EXPECT_EQ(request.status(), 200);
  EXPECT_EQ(virtualClock->now(), Instant{1s});
}

TEST_F(AsyncCurl, NoticesAClockAdvanceWhileARequestIsInFlight) {
  const Silent silent;
  const auto virtualClock = std::make_shared<fake::VirtualClock>(Instant{1s});
  clock = virtualClock;
  setup = make({});
  const Sent& request = start(silent.request(), 24h);
  CountingTimer timer;
  setup->loop->set(timer, Instant{1h});
  runUntilSent(request);
  const std::jthread mover{[&] { virtualClock->advance(2h); }};
  runUntil([&] { return timer.expiries == 1; });
  EXPECT_FALSE(request.result);
}

TEST_F(AsyncCurl, CanBeWokenByOtherThreads) {
  const Silent silent;
  for (const bool inFlight : {false, true}) {
    if (inFlight) runUntilSent(start(silent.request()));
    bool ran = false;
    test::PostedTask task{[&] { ran = true; }};
    const std::jthread poster{[&] { setup->loop->post(task); }};
    runUntil([&] { return ran; });
  }
}

}  // namespace
}  // namespace tally
