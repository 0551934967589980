#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/async.h>
#include <tally/fake/service.h>
#include <tally/tally.h>

#include <malloc.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr std::size_t callers = 10'000;
constexpr std::size_t callsOfEach = 5;
constexpr double reportsGoal = 0.6;
constexpr double memoryGoal = 4;
constexpr double kiB = 1'024;

/// A service without limits, and a record for each caller.
struct World {
  World() {
    for (std::size_t n = 0; n < callers; ++n)
      ids.push_back(service.insert<PaymentRecord>(key).id);
  }

  fake::Service service{{.limits = false, .requestLog = 0}};
  std::string key = service.addAccount().sandboxKey;
  std::vector<Id<PaymentRecord>> ids{};
};

const std::chrono::sys_seconds failedAt{std::chrono::seconds{1'750'000'000}};

Task<> retrieveRepeatedly(const AsyncClient& async, const Id<PaymentRecord>& id, std::size_t& right) {
  for (std::size_t n = 0; n < callsOfEach; ++n)
    if (co_await async.paymentRecords().retrieve(id)) ++right;
}

Task<> reportRepeatedly(const AsyncClient& async, const Id<PaymentRecord>& id, std::size_t& right) {
  for (std::size_t n = 0; n < callsOfEach; ++n)
    if (co_await async.paymentRecords().reportFailed(id, {.failedAt = failedAt})) ++right;
}

/// Calls per second of all callers, in one thread.
double simulated(World& world, Task<> (&caller)(const AsyncClient&, const Id<PaymentRecord>&, std::size_t&)) {
  AsyncClient async{world.service.clientOptions(world.key), {.maxInFlight = callers}};
  std::size_t right = 0;
  const double seconds = secondsOf([&] {
    for (const Id<PaymentRecord>& id : world.ids)
      spawn(caller(async, id, right));
    async.run();
  });
  if (right != callers * callsOfEach) throw std::runtime_error{"a call failed"};
  return static_cast<double>(right) / seconds;
}

/// Requests per second, without a client. Each round is a virtual second, so that no request waits for a
/// lock.
double driven(World& world, Method method, const std::string& action, const std::string& body) {
  std::vector<HttpRequest> requests;
  for (const Id<PaymentRecord>& id : world.ids)
    requests.push_back({.method = method,
                        .url = "http://fake/v1/payment_records/" + id.str() + action,
                        .headers = {{"Authorization", "Bearer " + world.key},
                                    {"User-Agent", "tally"},
                                    {"Content-Type", "application/x-www-form-urlencoded"}},
                        .body = body});
  std::size_t right = 0;
  const double seconds = secondsOf([&] {
    for (std::size_t n = 0; n < callsOfEach; ++n) {
      for (const HttpRequest& request : requests)
        if (world.service.handle(request).status == 200) ++right;
      world.service.clock()->advance(std::chrono::seconds{1});
    }
  });
  if (right != callers * callsOfEach) throw std::runtime_error{"a request failed"};
  return static_cast<double>(right) / seconds;
}

Row row(const std::string& what, const Pair& pair) {
  return {.what = "simulation of 10,000 callers in one thread, " + what,
          .figure = fixed(pair.figure / 1'000, 0) + "k/s",
          .reference = fixed(pair.reference / 1'000, 0) + "k/s, fake::Service alone",
          .ratio = fixed(pair.ratio, 2)};
}

}  // namespace

// Without a goal: ./dev check counts limits the instructions of one.
Row simulatedRetrieves() {
  World world;
  return row("retrieves", measurePair(
                              7, [&] { return simulated(world, retrieveRepeatedly); },
                              [&] { return driven(world, Method::get, "", ""); }));
}

Row simulatedReports() {
  World world;
  const Pair pair = measurePair(
      7, [&] { return simulated(world, reportRepeatedly); },
      [&] { return driven(world, Method::post, "/report_payment_attempt_failed", "failed_at=1750000000"); });
  Row made = row("reports", pair);
  made.goal = "≥ " + fixed(reportsGoal, 1);
  made.met = pair.ratio >= reportsGoal;
  return made;
}

Row simulationMemory() {
  World world;
  AsyncClient async{world.service.clientOptions(world.key), {.maxInFlight = callers}};
  std::size_t right = 0;
  const std::size_t before = mallinfo2().uordblks;
  for (const Id<PaymentRecord>& id : world.ids)
    spawn(retrieveRepeatedly(async, id, right));
  const double bytes = static_cast<double>(mallinfo2().uordblks - before) / callers;
  async.run();
  return {.what = "memory of a caller in a simulation",
          .figure = fixed(bytes / kiB, 2) + " KiB",
          .reference = "—",
          .ratio = "—",
          .goal = "≤ " + fixed(memoryGoal, 0) + " KiB",
          .met = bytes <= memoryGoal * kiB};
}

}  // namespace tally::bench
