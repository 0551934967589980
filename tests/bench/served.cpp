#include <chrono>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure.h"
#include "peer.h"
#include "program.h"
#include "rows.h"

namespace tally::bench {

namespace {

const std::string records = "/v1/payment_records";
constexpr double goalToStart = 10e-3;

/// How many a second wrk has answered over so many connections that are kept.
double rate(const std::string& url, const std::string& key, int connections) {
  const std::string output =
      run("wrk -t1 -d3s -c" + std::to_string(connections) + " -H 'Authorization: Bearer " + key + "' " + url)
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

Row answered(int connections, double goal) {
  test::Program program{{"--port", "0", "--no-limits", "--records", "100"}};
  const test::Greeting greeting = test::greetingOf(program.line());
  test::Peer peer{greeting.port};
  peer.send(test::getBytes(records + "?limit=1", greeting.sandboxKey));
  const std::string url = greeting.url + records + '/' + idIn(peer.answer());
  std::vector<double> rates;
  for (int round = 0; round < 3; ++round)
    rates.push_back(rate(url, greeting.sandboxKey, connections));
  const double figure = median(rates);
  const std::string on = connections == 1 ? "1 connection" : std::to_string(connections) + " connections";
  return {.what = "tally-fake: retrieves by wrk on " + on,
          .figure = fixed(figure, 0) + "/s",
          .reference = "—",
          .ratio = "—",
          .goal = "≥ " + fixed(goal, 0) + "/s",
          .met = figure >= goal};
}

/// How long it takes to start it and to have an answer. What it takes to end it does not count.
double secondsToStart() {
  const auto begin = std::chrono::steady_clock::now();
  test::Program program{{"--port", "0"}};
  const test::Greeting greeting = test::greetingOf(program.line());
  test::Peer peer{greeting.port};
  peer.send(test::getBytes(records, greeting.sandboxKey));
  if (!peer.answer().starts_with("HTTP/1.1 200 ")) throw std::runtime_error{"tally-fake does not answer"};
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Row servedOnOneConnection() {
  return answered(1, 30'000);
}

Row servedOnEightConnections() {
  return answered(8, 60'000);
}

Row startProgram() {
  std::vector<double> seconds;
  for (int round = 0; round < 21; ++round)
    seconds.push_back(secondsToStart());
  const double figure = median(seconds);
  return {.what = "tally-fake from its start to its first answer",
          .figure = fixed(figure * 1e3, 1) + " ms",
          .reference = "—",
          .ratio = "—",
          .goal = "≤ " + fixed(goalToStart * 1e3, 0) + " ms",
          .met = figure <= goalToStart};
}

}  // namespace tally::bench
