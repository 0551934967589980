#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "bench/support/wrk.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "nginx.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

const std::string records = "/v1/payment_records";
constexpr double responseGoal = 1.3;
constexpr double pipelinedGoal = 1;
constexpr double startGoal = 0.35;

/// nginx with one worker that serves one file for every GET.
class OneFile {
 public:
  explicit OneFile(std::string_view text) : nginx_(withFile(folder_, text), configuration) {}

  [[nodiscard]] std::uint16_t port() const noexcept { return nginx_.port(); }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port()) + "/file"; }

 private:
  static constexpr std::string_view configuration = R"(
  default_type application/json;
  server {
    listen 127.0.0.1:@PORT@;
    location / { root .; }
  })";

  static test::TemporaryFolder& withFile(test::TemporaryFolder& folder, std::string_view text) {
    folder.write("file", text);
    return folder;
  }

  test::TemporaryFolder folder_{};
  test::Nginx nginx_;
};

using Rate = std::function<double(const std::string& url, const std::string& key)>;

/// Requests per second of tally-fake, and of nginx with the same bytes.
Pair responded(const Rate& rate) {
  test::Program program{{"--port", "0", "--no-limits", "--records", "100"}};
  const test::Greeting greeting = test::greetingOf(program.line());
  const std::string path = recordPath(greeting);
  test::Peer peer{greeting.port};
  peer.send(test::getBytes(path, greeting.sandboxKey));
  const std::string response = peer.response();
  const OneFile file{response.substr(response.find("\r\n\r\n") + 4)};
  return measurePair(
      7, [&] { return rate(greeting.url + path, greeting.sandboxKey); },
      [&] { return rate(file.url(), greeting.sandboxKey); });
}

Rate rateOn(int connections) {
  return [connections](const std::string& url, const std::string& key) {
    return requestsPerSecond(url, key, connections);
  };
}

Row respondedRow(const std::string& on, const Pair& pair, double goal) {
  return {.what = "tally-fake: retrieves by wrk on " + on,
          .figure = fixed(pair.figure, 0) + "/s",
          .reference = fixed(pair.reference, 0) + "/s, nginx with one worker, from a file",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≥ " + fixed(goal, 2),
          .met = pair.ratio >= goal};
}

using Clock = std::chrono::steady_clock;

/// Seconds until the first response from the server on that port.
double secondsToResponse(Clock::time_point begin, std::uint16_t port, std::string_view key) {
  test::Peer peer{port};
  peer.send(test::getBytes(key.empty() ? "/file" : records, key));
  if (!peer.response().starts_with("HTTP/1.1 200 ")) throw std::runtime_error{"no response"};
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// From the start of the program to its first response; its shutdown does not count.

double secondsToStart() {
  const auto begin = Clock::now();
  test::Program program{{"--port", "0"}};
  const test::Greeting greeting = test::greetingOf(program.line());
  return secondsToResponse(begin, greeting.port, greeting.sandboxKey);
}

double secondsToStartNginx() {
  const auto begin = Clock::now();
  const OneFile file{"{}"};
  return secondsToResponse(begin, file.port(), {});
}

}  // namespace

Row servedOnOneConnection() {
  return respondedRow("1 connection", responded(rateOn(1)), responseGoal);
}

Row servedOnEightConnections() {
  return respondedRow("8 connections", responded(rateOn(8)), responseGoal);
}

Row servedPipelined() {
  return respondedRow("1 connection, 16 requests at a time", responded(pipelinedRequestsPerSecond),
                      pipelinedGoal);
}

Row startProgram() {
  const Pair pair = measurePair(31, secondsToStart, secondsToStartNginx);
  return {.what = "tally-fake from start to first response",
          .figure = fixed(pair.figure * 1e3, 1) + " ms",
          .reference = fixed(pair.reference * 1e3, 1) + " ms, nginx",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(startGoal, 2),
          .met = pair.ratio <= startGoal};
}

}  // namespace tally::bench
