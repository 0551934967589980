// Compares asynchronous calls over loopback with libcurl alone. `gets`, `waiting`, `connections` and
// `transfers` print CPU times, `memory_waiting` and `memory_in_flight` bytes per call. A separate program, to
// exclude the service's time and memory. A second one, with the same sources, waits by `poll`.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <tally/async.h>
#include <tally/curl_transport.h>
#include <tally/json.h>
#include <tally/tally.h>

#include <arpa/inet.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/support/measure.h"
#include "bench/support/plain_multi.h"
#include "bench/support/plain_sharded.h"
#include "bench/support/slow_server.h"

namespace {

using namespace tally;
using bench::Pair;

constexpr std::size_t inFlight = 64;
constexpr std::size_t times = 4'000;
constexpr std::size_t timesConnected = 20'000;

void check(bool right, const char* what) {
  if (!right) throw std::runtime_error{what};
}

/// CPU time of all threads of this process.
double cpuSecondsOf(const std::function<void()>& body) {
  const std::clock_t begin = std::clock();
  body();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Retrieves a record `times` times, with `outstanding` calls at any time.
class Gets {
 public:
  /// With at most 64 in flight.
  Gets(const std::string& url, const std::string& key, std::string id, std::size_t outstanding)
      : Gets{{.apiKey = key, .baseUrl = url}, inFlight, std::move(id), outstanding, times} {}

  /// With as many in flight as outstanding, and a connection for each, which stays open.
  static Gets connected(const std::string& url, const std::string& key, std::string id,
                        std::size_t outstanding) {
    auto transport = curlTransport(systemClock(), {.maxIdleConnections = outstanding});
    return {{.apiKey = key, .baseUrl = url, .transport = std::move(transport)},
            outstanding,
            std::move(id),
            outstanding,
            timesConnected};
  }

  void run() {
    started_ = 0;
    for (std::size_t n = 0; n < outstanding_; ++n)
      startNext();
    async_.run();
    check(failed_ == 0, "not the record");
  }

 private:
  Gets(ClientOptions options, std::size_t most, std::string id, std::size_t outstanding, std::size_t count)
      : async_{std::move(options), {.maxInFlight = most}},
        id_(std::move(id)),
        outstanding_(outstanding),
        times_(count) {}

  void startNext() {
    if (started_++ >= times_) return;
    async_.paymentRecords().retrieve(id_).then([this](const Result<PaymentRecord>& record) {
      if (!record || record.assume_value().id != id_) ++failed_;
      startNext();
    });
  }

  AsyncClient async_;
  Id<PaymentRecord> id_;
  std::size_t outstanding_;
  std::size_t times_;
  std::atomic<std::size_t> started_{0};
  std::atomic<std::size_t> failed_{0};
};

PaymentRecord firstRecord(const std::string& url, const std::string& key) {
  Client client{{.apiKey = key, .baseUrl = url}};
  auto first = client.paymentRecords().list({.limit = 1});
  return first.begin()->value();
}

std::string firstId(const std::string& url, const std::string& key) {
  return firstRecord(url, key).id.str();
}

Pair perCall(const Pair& pair, double count = times) {
  return {pair.figure / count, pair.reference / count, pair.ratio};
}

Pair retrieves(const std::string& url, const std::string& key) {
  const std::string id = firstId(url, key);
  Gets ours{url, key, id, inFlight};
  bench::PlainMulti plain{key, url + "/v1/payment_records/" + id, inFlight};
  return perCall(bench::measurePair(
      31, [&] { return cpuSecondsOf([&] { ours.run(); }); },
      [&] { return cpuSecondsOf([&] { plain.get(times); }); }));
}

Pair waiting(const std::string& url, const std::string& key) {
  const std::string id = firstId(url, key);
  Gets many{url, key, id, 2'000};
  Gets few{url, key, id, inFlight};
  return perCall(bench::measurePair(
      31, [&] { return cpuSecondsOf([&] { many.run(); }); },
      [&] { return cpuSecondsOf([&] { few.run(); }); }));
}

/// With a connection for each of 2,000 requests, to a server that takes 50 ms for each response.
Pair connections(const std::string& url, const std::string& key) {
  constexpr std::size_t many = 2'000;
  bench::allowManyDescriptors();
  const PaymentRecord record = firstRecord(url, key);
  const bench::SlowServer server{toJson(record), std::chrono::milliseconds{50}};
  Gets ours = Gets::connected(server.url(), key, record.id.str(), many);
  bench::PlainSharded plain{key, server.url() + "/v1/payment_records/" + record.id.str(), many};
  const auto cpuSecondsOfOurs = [&] { return cpuSecondsOf([&] { ours.run(); }); };
  const auto cpuSecondsOfPlain = [&] { return cpuSecondsOf([&] { plain.get(timesConnected); }); };
  (void)cpuSecondsOfOurs();  // opens the connections
  (void)cpuSecondsOfPlain();
  return perCall(bench::measurePair(9, cpuSecondsOfOurs, cpuSecondsOfPlain), timesConnected);
}

/// With that many transfers in flight, each on a connection of its own, to a server that responds about
/// 40,000 times a second.
Pair transfers(const std::string& url, const std::string& key, std::size_t count) {
  bench::allowManyDescriptors();
  const PaymentRecord record = firstRecord(url, key);
  const bench::SlowServer server{toJson(record), std::chrono::milliseconds{count / 40}};
  Gets ours = Gets::connected(server.url(), key, record.id.str(), count);
  bench::PlainMulti plain{key, server.url() + "/v1/payment_records/" + record.id.str(), count};
  const auto cpuSecondsOfOurs = [&] { return cpuSecondsOf([&] { ours.run(); }); };
  const auto cpuSecondsOfPlain = [&] { return cpuSecondsOf([&] { plain.get(timesConnected); }); };
  (void)cpuSecondsOfOurs();  // opens the connections
  (void)cpuSecondsOfPlain();
  return perCall(bench::measurePair(9, cpuSecondsOfOurs, cpuSecondsOfPlain), timesConnected);
}

/// A port that accepts connections and never responds.
class SilentPort {
 public:
  SilentPort() {
    sockaddr_in address{
        .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof address;
    check(bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
              listen(socket_, 4'096) == 0 &&
              getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0,
          "can't listen");
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;
  ~SilentPort() { close(socket_); }

  [[nodiscard]] const std::string& url() const noexcept { return url_; }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  std::string url_{};
};

double heapBytes() {
  const auto used = mallinfo2();
  return static_cast<double>(used.uordblks + used.hblkhd);
}

void startCalls(AsyncClient& async, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n)
    async.paymentRecords().retrieve("pr_0123456789").then([](const Result<PaymentRecord>&) {});
}

/// Waits until that many calls are in flight, and all calls have reached their state.
void settle(const AsyncClient& async, std::size_t expected) {
  while (async.counts().inFlight < expected)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds{300});
}

/// Heap per call that waits for room in flight.
double memoryWaiting() {
  constexpr std::size_t count = 10'000;
  const SilentPort port;
  AsyncClient async{ClientOptions{.apiKey = "sk_test_1", .baseUrl = port.url()}, {.maxInFlight = 1}};
  startCalls(async, 1);
  settle(async, 1);
  const double before = heapBytes();
  startCalls(async, count);
  settle(async, 1);
  return (heapBytes() - before) / count;
}

/// Heap per call in flight, and per transfer of libcurl.
Pair memoryInFlight() {
  constexpr std::size_t count = 512;
  const SilentPort port;
  const auto ours = [&] {
    AsyncClient async{ClientOptions{.apiKey = "sk_test_1", .baseUrl = port.url()}, {.maxInFlight = count}};
    const double before = heapBytes();
    startCalls(async, count);
    settle(async, count);
    return (heapBytes() - before) / count;
  };
  const auto plain = [&] {
    const double before = heapBytes();
    bench::PlainMulti transfers{"sk_test_1", port.url() + "/v1/payment_records/pr_0123456789", count};
    transfers.startAll();
    return (heapBytes() - before) / count;
  };
  return bench::measurePair(3, ours, plain);
}

void perform(const std::string& what, const std::string& url, const std::string& key, std::size_t count) {
  if (what == "gets") {
    std::cout << retrieves(url, key) << '\n';
  } else if (what == "waiting") {
    std::cout << waiting(url, key) << '\n';
  } else if (what == "connections") {
    std::cout << connections(url, key) << '\n';
  } else if (what == "transfers") {
    std::cout << transfers(url, key, count) << '\n';
  } else if (what == "memory_waiting") {
    std::cout << Pair{memoryWaiting(), 1, 1} << '\n';
  } else if (what == "memory_in_flight") {
    std::cout << memoryInFlight() << '\n';
  } else {
    throw std::runtime_error{
        "expected one of gets, waiting, connections, transfers, memory_waiting and memory_in_flight"};
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::statusOf([&] {
    check(argc == 2 || argc == 4 || argc == 5, "usage: tally_bench_async WHAT [URL KEY [COUNT]]");
    perform(argv[1], argc >= 4 ? argv[2] : "", argc >= 4 ? argv[3] : "", argc == 5 ? std::stoul(argv[4]) : 1);
  });
}
