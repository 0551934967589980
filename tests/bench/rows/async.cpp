#include <cstddef>
#include <string>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"
#include "fake/server/support/program.h"

namespace tally::bench {

namespace {

constexpr double getsGoal = 1.05;
constexpr double waitingGoal = 1.10;
constexpr double connectionsGoal = 1.05;
constexpr double pollGoal = 1.25;
constexpr double memoryGoal = 1.1;
constexpr double waitingKiB = 2.5;
constexpr double kiB = 1'024;

Pair measured(const std::string& arguments, const std::string& program = TALLY_BENCH_ASYNC) {
  return pairOf(run(program + ' ' + arguments).output);
}

/// A tally-fake that has one record.
class Service {
 public:
  /// The arguments for what the program is to measure.
  [[nodiscard]] std::string arguments(const std::string& what) const {
    return what + ' ' + greeting_.url + ' ' + greeting_.sandboxKey;
  }

 private:
  test::Program program_{{"--port", "0", "--no-limits", "--records", "1"}};
  test::Greeting greeting_ = test::greetingOf(program_.line());
};

std::string microseconds(double seconds) {
  return fixed(seconds * 1e6, 1) + " µs";
}

/// Of what the program measures by that name.
Row cpuTime(const std::string& what, const std::string& name, const std::string& reference, double goal) {
  const Pair pair = measured(Service{}.arguments(name));
  return {.what = what,
          .figure = microseconds(pair.figure),
          .reference = microseconds(pair.reference) + ", " + reference,
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

/// What TALLY_EVENTS can be, against each other and against curl_multi_poll alone.
Row polled(std::size_t count) {
  const Service service;
  const std::string arguments = service.arguments("transfers") + ' ' + std::to_string(count);
  const Pair poll = measured(arguments, TALLY_BENCH_ASYNC_POLL);
  const Pair epoll = measured(arguments);
  return {.what = "the same by curl_multi_poll, " + std::to_string(count) + " in flight",
          .figure = microseconds(poll.figure) + "; by epoll " + microseconds(epoll.figure),
          .reference = microseconds(poll.reference) + ", curl_multi",
          .ratio = fixed(poll.ratio, 2),
          .goal = "≤ " + fixed(pollGoal, 2),
          .met = poll.ratio <= pollGoal};
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

Row asyncPolled1() {
  return polled(1);
}

Row asyncPolled64() {
  return polled(64);
}

Row asyncPolled500() {
  return polled(500);
}

Row asyncPolled2000() {
  return polled(2'000);
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
