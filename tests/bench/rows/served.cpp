#include <chrono>
#include <cstdint>
#include <regex>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "fake/server/support/peer.h"
#include "fake/server/support/program.h"
#include "nginx.h"
#include "temporary_folder.h"

namespace tally::bench {

namespace {

const std::string records = "/v1/payment_records";
constexpr double answerGoal = 0.7;
constexpr double startGoal = 0.5;

/// nginx with one worker, which answers each GET with the same file.
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

  static const test::TemporaryFolder& withFile(const test::TemporaryFolder& folder, std::string_view text) {
    folder.write("file", text);
    return folder;
  }

  test::TemporaryFolder folder_{};
  test::Nginx nginx_;
};

/// How many a second wrk has answered over so many connections that are kept.
double rate(const std::string& url, const std::string& key, int connections) {
  const std::string output =
      run("wrk -t1 -d1s -c" + std::to_string(connections) + " -H 'Authorization: Bearer " + key + "' " + url)
          .output;
  std::smatch found;
  const bool measured = std::regex_search(output, found, std::regex{"Requests/sec: +([0-9.]+)"});
  if (!measured || output.find("Non-2xx") != std::string::npos) throw std::runtime_error{output};
  return std::stod(found[1]);
}

/// The identifier of the first record on a page, as it stands in an answer.
std::string idIn(const std::string& answer) {
  std::smatch found;
  if (!std::regex_search(answer, found, std::regex{"\"(pr_[A-Za-z0-9]+)\""}))
    throw std::runtime_error{"no record in " + answer};
  return found[1];
}

/// Requests a second of tally-fake, and of nginx with the same bytes.
Pair answered(int connections) {
  test::Program program{{"--port", "0", "--no-limits", "--records", "100"}};
  const test::Greeting greeting = test::greetingOf(program.line());
  test::Peer peer{greeting.port};
  peer.send(test::getBytes(records + "?limit=1", greeting.sandboxKey));
  const std::string path = records + '/' + idIn(peer.answer());
  peer.send(test::getBytes(path, greeting.sandboxKey));
  const std::string answer = peer.answer();
  const OneFile file{answer.substr(answer.find("\r\n\r\n") + 4)};
  return measurePair(
      7, [&] { return rate(greeting.url + path, greeting.sandboxKey, connections); },
      [&] { return rate(file.url(), greeting.sandboxKey, connections); });
}

Row answeredRow(const std::string& on, const Pair& pair) {
  return {.what = "tally-fake: retrieves by wrk on " + on,
          .figure = fixed(pair.figure, 0) + "/s",
          .reference = fixed(pair.reference, 0) + "/s, nginx with one worker, from a file",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≥ " + fixed(answerGoal, 2),
          .met = pair.ratio >= answerGoal};
}

using Clock = std::chrono::steady_clock;

/// The seconds until the server on that port has answered.
double secondsToAnswer(Clock::time_point begin, std::uint16_t port, std::string_view key) {
  test::Peer peer{port};
  peer.send(test::getBytes(key.empty() ? "/file" : records, key));
  if (!peer.answer().starts_with("HTTP/1.1 200 ")) throw std::runtime_error{"no answer"};
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// From the start to an answer; the end of the program does not count.

double secondsToStart() {
  const auto begin = Clock::now();
  test::Program program{{"--port", "0"}};
  const test::Greeting greeting = test::greetingOf(program.line());
  return secondsToAnswer(begin, greeting.port, greeting.sandboxKey);
}

double secondsToStartNginx() {
  const auto begin = Clock::now();
  const OneFile file{"{}"};
  return secondsToAnswer(begin, file.port(), {});
}

}  // namespace

Row servedOnOneConnection() {
  return answeredRow("1 connection", answered(1));
}

Row servedOnEightConnections() {
  return answeredRow("8 connections", answered(8));
}

Row startProgram() {
  const Pair pair = measurePair(31, secondsToStart, secondsToStartNginx);
  return {.what = "tally-fake from its start to its first answer",
          .figure = fixed(pair.figure * 1e3, 1) + " ms",
          .reference = fixed(pair.reference * 1e3, 1) + " ms, nginx",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(startGoal, 2),
          .met = pair.ratio <= startGoal};
}

}  // namespace tally::bench
