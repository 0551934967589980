#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <tally/fake/service.h>
#include <tally/payment_records.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"

namespace tally::bench {

namespace {

constexpr std::size_t records = 100'000;
constexpr double goal = 0.1;  // 1.0 if requests waited for the search; the margin allows for a busy machine

const std::string path = "/v1/payment_records";
/// A substring search, which no index supports.
const std::string search = path + "/search?query=description~%22nothing%22";
const std::string reporting = "/report_payment_attempt_failed";
const std::string failed = "failed_at=1767225600";

using Request = std::function<void()>;

/// The duration of the slowest of `others`, in seconds. They repeat, one after the other, while `searching`
/// runs.
double longestWhile(const Request& searching, const std::vector<Request>& others) {
  std::atomic<bool> over = false;
  const std::jthread searcher{[&] {
    searching();
    over = true;
  }};
  double longest = 0;
  while (!over)
    for (const Request& other : others)
      longest = std::max(longest, secondsOf(other));
  return longest;
}

Row row(const std::string& where, const Request& searching, const std::vector<Request>& others) {
  searching();  // warms up
  const Pair pair =
      measurePair(11, [&] { return longestWhile(searching, others); }, [&] { return secondsOf(searching); });
  return {.what = "slowest request during an unindexed search of 100,000 records, " + where,
          .figure = fixed(pair.figure * 1e3, 2) + " ms",
          .reference = fixed(pair.reference * 1e3, 0) + " ms, the search",
          .ratio = fixed(pair.ratio, 3),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

/// The 99th percentile of the durations of `read`, in seconds, over all that start while `busy` holds.
double percentile99(const Request& read, const std::function<bool()>& busy) {
  std::vector<double> durations;
  while (busy())
    durations.push_back(secondsOf(read));
  const auto place = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() * 99 / 100);
  std::nth_element(durations.begin(), place, durations.end());
  return *place;
}

void expectOk(bool ok) {
  if (!ok) throw std::runtime_error{"status is not 200"};
}

}  // namespace

Row besideASearch() {
  fake::Service service{{.limits = false}};
  const auto searched = service.addAccount();
  const auto other = service.addAccount();
  std::string id;
  for (std::size_t n = 0; n < records; ++n)
    id = service.insert<PaymentRecord>(searched.sandboxKey).id.str();
  const std::string otherId = service.insert<PaymentRecord>(other.sandboxKey).id.str();
  const auto exchange = [&](Method method, const std::string& url, const std::string& key,
                            const std::string& body) {
    return
        [&service, request = HttpRequest{.method = method,
                                         .url = url,
                                         .headers = {{"Authorization", "Bearer " + key},
                                                     {"Content-Type", "application/x-www-form-urlencoded"}},
                                         .body = body}] { expectOk(service.handle(request).status == 200); };
  };
  return row("in process", exchange(Method::get, search, searched.sandboxKey, {}),
             {exchange(Method::get, path + '/' + otherId, other.sandboxKey, {}),
              exchange(Method::post, path + '/' + id + reporting, searched.sandboxKey, failed)});
}

Row besideASearchServed() {
  test::Program program{{"--port", "0", "--no-limits", "--records", std::to_string(records)}};
  const test::Greeting greeting = test::greetingOf(program.line());
  test::Peer searcher{greeting.port};
  test::Peer other{greeting.port};
  const auto exchange = [](test::Peer& peer, const std::string& bytes) {
    return [&peer, bytes] {
      peer.send(bytes);
      expectOk(peer.response().starts_with("HTTP/1.1 200 "));
    };
  };
  other.send(test::getBytes(path + "?limit=1", greeting.sandboxKey));
  const std::string page = other.response();
  const std::string id = page.substr(page.find("pr_"), std::string_view{"pr_"}.size() + 24);
  return row("over HTTP", exchange(searcher, test::getBytes(search, greeting.sandboxKey)),
             {exchange(other, test::getBytes(path + '/' + id, greeting.sandboxKey)),
              exchange(other, test::postBytes(path + '/' + id + reporting, greeting.sandboxKey, failed))});
}

Row readsBesideASearchOfAMillion() {
  constexpr double most = 2;
  constexpr std::size_t reads = 10'000;
  test::Program program{{"--port", "0", "--no-limits", "--records", "1000000"}};
  const test::Greeting greeting = test::greetingOf(program.line());
  test::Peer searcher{greeting.port};
  test::Peer reader{greeting.port};
  const auto exchange = [](test::Peer& peer, const std::string& bytes) {
    peer.send(bytes);
    std::string response = peer.response();
    expectOk(response.starts_with("HTTP/1.1 200 "));
    return response;
  };
  const std::string made = exchange(reader, test::postBytes("/_fake/accounts", "", ""));
  const std::string key = made.substr(made.find("sk_test_"), std::string_view{"sk_test_"}.size() + 24);
  const Request read = [&] { exchange(reader, test::getBytes(path, key)); };
  const double besideWork = [&] {
    const std::jthread computing{[](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
      }
    }};
    return percentile99(read, [&, n = std::size_t{0}]() mutable { return n++ < reads; });
  }();
  std::atomic<bool> over = false;
  const std::jthread searching{[&] {
    exchange(searcher, test::getBytes(search, greeting.sandboxKey));
    over = true;
  }};
  const double beside = percentile99(read, [&] { return !over; });
  const double ratio = beside / besideWork;
  return {.what = "p99 of another account's reads during an unindexed search of 1,000,000 records",
          .figure = fixed(beside * 1e3, 2) + " ms",
          .reference = fixed(besideWork * 1e3, 2) + " ms, beside a thread that computes",
          .ratio = fixed(ratio, 2),
          .goal = "≤ " + fixed(most, 1),
          .met = ratio <= most};
}

}  // namespace tally::bench
