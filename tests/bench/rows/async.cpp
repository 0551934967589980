#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "fake/server/support/program.h"

namespace tally::bench {

namespace {

constexpr double getsGoal = 1.25;
constexpr double waitingGoal = 1.10;
constexpr double connectionsGoal = 1.20;
constexpr double memoryGoal = 1.1;
constexpr double waitingKiB = 2.5;
constexpr double kiB = 1'024;

Pair measured(const std::string& arguments) {
  return pairOf(run(TALLY_BENCH_ASYNC " " + arguments).output);
}

/// Measures calls of a tally-fake that has one record.
Pair measuredAtService(const std::string& what) {
  test::Program service{{"--port", "0", "--no-limits", "--records", "1"}};
  const test::Greeting greeting = test::greetingOf(service.line());
  return measured(what + ' ' + greeting.url + ' ' + greeting.sandboxKey);
}

std::string microseconds(double seconds) {
  return fixed(seconds * 1e6, 1) + " µs";
}

/// Of what the program measures by that name.
Row cpuTime(const std::string& what, const std::string& name, const std::string& reference, double goal) {
  const Pair pair = measuredAtService(name);
  return {.what = what,
          .figure = microseconds(pair.figure),
          .reference = microseconds(pair.reference) + ", " + reference,
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace

Row asyncGets() {
  return cpuTime("asynchronous retrieve over loopback HTTP, 64 in flight, client CPU", "gets", "curl_multi",
                 getsGoal);
}

Row asyncGetsWaiting() {
  return cpuTime("the same with 2,000 outstanding, 64 in flight", "waiting", "64 outstanding", waitingGoal);
}

Row asyncConnections() {
  return cpuTime("the same on 2,000 connections, 50 ms per response", "connections",
                 "libcurl, sharded on one epoll", connectionsGoal);
}

Row asyncMemoryWaiting() {
  const double bytes = measured("memory_waiting").figure;
  return {.what = "memory of a waiting call",
          .figure = fixed(bytes / kiB, 2) + " KiB",
          .reference = "—",
          .ratio = "—",
          .goal = "≤ " + fixed(waitingKiB, 1) + " KiB",
          .met = bytes <= waitingKiB * kiB};
}

Row asyncMemoryInFlight() {
  const Pair pair = measured("memory_in_flight");
  return {.what = "memory of a call in flight",
          .figure = fixed(pair.figure / kiB, 1) + " KiB",
          .reference = fixed(pair.reference / kiB, 1) + " KiB, curl_multi",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(memoryGoal, 1),
          .met = pair.ratio <= memoryGoal};
}

}  // namespace tally::bench
