#include <cstdint>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "bench/support/wrk.h"
#include "fake/server/support/program.h"
#include "nginx.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

constexpr double goal = 0.8;
constexpr int connections = 8;

/// nginx with one worker, as a proxy that keeps its connections.
std::string proxyOf(std::uint16_t port) {
  return test::replaced(R"(
  upstream fake {
    server 127.0.0.1:@FAKE@;
    keepalive 32;
  }
  server {
    listen 127.0.0.1:@PORT@;
    keepalive_requests 1000000000;
    location / {
      proxy_pass http://fake;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  })",
                        "@FAKE@", std::to_string(port));
}

/// The URL at the end of the line that a recorder prints.
std::string urlIn(const std::string& line) {
  return line.substr(line.rfind("http://"));
}

/// What tally_bench_compare measures for a recording with `count` requests.
std::string comparisonOf(const std::string& count, const std::string& what) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "run.har").string();
  (void)run(TALLY_BENCH_COMPARE " write " + count + ' ' + file);
  return run(TALLY_BENCH_COMPARE " " + what + ' ' + file).output;
}

}  // namespace

Row recorded() {
  const test::TemporaryFolder folder;
  test::Program fake{{"--port", "0", "--no-limits", "--records", "100"}};
  const test::Greeting greeting = test::greetingOf(fake.line());
  const std::string path = recordPath(greeting);
  test::Program recorder{
      {"record", "--upstream", greeting.url, "--out", (folder.path() / "run.har").string(), "--port", "0"}};
  const std::string url = urlIn(recorder.line());
  const test::Nginx nginx{folder, proxyOf(greeting.port)};
  const std::string reference = "http://127.0.0.1:" + std::to_string(nginx.port());
  const Pair pair = measurePair(
      7, [&] { return requestsPerSecond(url + path, greeting.sandboxKey, connections); },
      [&] { return requestsPerSecond(reference + path, greeting.sandboxKey, connections); });
  return {.what = "tally-fake record in front of tally-fake: retrieves by wrk on 8 connections",
          .figure = fixed(pair.figure, 0) + "/s",
          .reference = fixed(pair.reference, 0) + "/s, nginx with one worker, as a proxy",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≥ " + fixed(goal, 2),
          .met = pair.ratio >= goal};
}

Row compareRecording() {
  constexpr double rateGoal = 0.3;
  const Pair pair = pairOf(comparisonOf("100000", "rate"));
  const double ratio = pair.reference / pair.figure;
  return {.what = "compare 100,000 recorded requests",
          .figure = fixed(pair.figure, 2) + " s",
          .reference = fixed(pair.reference, 2) + " s, in process",
          .ratio = fixed(ratio, 2),
          .goal = "≥ 0.3",
          .met = ratio >= rateGoal};
}

Row compareMemory() {
  constexpr double memoryGoal = 1.2;
  const double many = std::stod(comparisonOf("100000", "peak"));
  const double few = std::stod(comparisonOf("1000", "peak"));
  return {.what = "memory to compare 100,000 recorded requests",
          .figure = fixed(many / 1e6, 1) + " MB",
          .reference = fixed(few / 1e6, 1) + " MB for 1,000",
          .ratio = fixed(many / few, 2),
          .goal = "≤ 1.2",
          .met = many <= memoryGoal * few};
}

}  // namespace tally::bench
