// A process made by fork() has connections of its own, and leaves those of its parent alone.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tally/async.h>
#include <tally/fake/http_server.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sdk/support/harness.h"
#include "sdk/support/wire_fault.h"
#include "sockets.h"
#include "tls_connection.h"

namespace tally {
namespace {

using namespace std::chrono_literals;

/// Whether `succeeds` returns true in a child process, which is killed after 30 seconds.
bool inChild(const std::function<bool()>& succeeds) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);
    ::_exit(succeeds() ? 0 : 1);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// How many sockets of this process are connected to `port`.
struct Connections {
  int all = 0;
  int inherited = 0;  // by the programs that the process starts
};

Connections connectionsTo(int port) {
  Connections found;
  for (int socket = 0; socket < 256; ++socket) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sin_family != AF_INET || ntohs(peer.sin_port) != port) continue;
    ++found.all;
    if ((::fcntl(socket, F_GETFD) & FD_CLOEXEC) == 0) ++found.inherited;
  }
  return found;
}

/// Responds to requests until the client closes the connection.
void respondInPlainHttp(int connection) {
  while (!test::receiveRequest(connection).empty())
    test::sendAll(connection, test::goodResponse(test::recordJson("pr_1")));
  close(connection);
}

void respondInTls(int connection) {
  test::TlsConnection tls{connection, test::authority().issue()};
  while (tls.secure() && !test::wholeRequest([&] { return tls.receive(); }).empty())
    tls.send(test::goodResponse(test::recordJson("pr_1")));
}

struct Scheme {
  const char* name = "";
  void (*respond)(int connection) = nullptr;
};

std::ostream& operator<<(std::ostream& out, const Scheme& scheme) {
  return out << scheme.name;
}

class ForkedProcess : public testing::TestWithParam<Scheme> {
 protected:
  ~ForkedProcess() override { client.reset(); }

  [[nodiscard]] bool report() const {
    return client->paymentRecords()
        .reportFailed("pr_1", {.failedAt = std::chrono::sys_seconds{}})
        .has_value();
  }

  std::atomic<int> connections = 0;
  std::vector<std::jthread> threads{};
  test::MisbehavingServer server{[this](int connection) {
    ++connections;
    threads.emplace_back(GetParam().respond, connection);
  }};
  ClientOptions options{.apiKey = "sk_test_1",
                        .baseUrl = server.url(GetParam().name),
                        .http = {.caFile = test::authority().caFile()}};
  std::optional<Client> client{options};
};

TEST_P(ForkedProcess, MakesItsOwnConnections) {
  ASSERT_TRUE(report());
  EXPECT_TRUE(inChild([this] { return report() && report(); }));
  EXPECT_EQ(connections, 2);
  EXPECT_TRUE(report());
  EXPECT_EQ(connections, 2);
}

TEST_P(ForkedProcess, LeavesTheConnectionsOfItsParentOpen) {
  ASSERT_TRUE(report());
  EXPECT_TRUE(inChild([this] {
    client.reset();
    return true;
  }));
  EXPECT_TRUE(report());
  EXPECT_EQ(connections, 1);
}

TEST_P(ForkedProcess, PassesNoConnectionToTheProgramThatItExecutes) {
  ASSERT_TRUE(report());
  AsyncClient async{*client};
  ASSERT_TRUE(async.paymentRecords().retrieve("pr_1").future().get());
  const std::string url = server.url();
  const Connections found = connectionsTo(std::stoi(url.substr(url.rfind(':') + 1)));
  EXPECT_EQ(found.all, 2);
  EXPECT_EQ(found.inherited, 0);
}

TEST_P(ForkedProcess, FindsTheAsyncClientsOfItsParentClosed) {
  std::optional<AsyncClient> async{*client};
  const auto retrieve = [&] { return async->paymentRecords().retrieve("pr_1").future().get(); };
  ASSERT_TRUE(retrieve());
  EXPECT_TRUE(inChild([&] {
    const auto refused = retrieve();
    async->run();
    const CloseResult closed = async->close();
    async.reset();
    return refused.has_error() && refused.error() == ErrorKind::canceled && closed.unsent == 0;
  }));
  EXPECT_TRUE(retrieve());
  EXPECT_EQ(connections, 1);
}

TEST_P(ForkedProcess, UsesNoAsyncClientThatIsFull) {
  AsyncClient async{*client, {.maxInFlight = 1, .maxWaiting = 0, .whenFull = WhenFull::wait}};
  auto pause = async.sleepFor(1h).future();
  EXPECT_TRUE(inChild([&] { return async.sleepFor(1ns).future().get().has_error(); }));
  async.close();
  EXPECT_TRUE(pause.get().has_error());
}

TEST(ForkedWalk, ContinuesWithoutPrefetching) {
  fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  service.insertMany(key, "payment_record", 7);
  fake::HttpServer server{service};
  const Client client{{.apiKey = key, .baseUrl = server.url()}};
  std::optional<Pager<PaymentRecord>> pager{client.paymentRecords().list({.limit = 2}).prefetch()};
  ASSERT_EQ(pager->collect(3).value().size(), 3);
  EXPECT_TRUE(inChild([&] {
    const std::size_t left = pager->collect(10).value().size();
    pager.reset();
    return left == 4;
  }));
  EXPECT_EQ(pager->collect(10).value().size(), 4);
}

TEST(ForkedClient, MarksCallsUnlikeItsParentAndItsSiblings) {
  fake::Service service;
  const fake::HttpServer server{service};
  const Client client{
      {.apiKey = service.addAccount().sandboxKey, .baseUrl = server.url(), .markAttempts = true}};
  const auto call = [&] { return client.paymentRecords().list().collect(1).has_value(); };
  EXPECT_TRUE(inChild(call));
  EXPECT_TRUE(inChild(call));
  EXPECT_TRUE(call());
  std::set<std::string> marks;
  for (const fake::LoggedRequest& request : service.requests().list())
    marks.insert(request.call);
  EXPECT_EQ(marks.size(), 3);
}

INSTANTIATE_TEST_SUITE_P(All, ForkedProcess,
                         testing::Values(Scheme{"http", respondInPlainHttp}, Scheme{"https", respondInTls}),
                         [](const auto& tested) { return std::string{tested.param.name}; });

}  // namespace
}  // namespace tally
