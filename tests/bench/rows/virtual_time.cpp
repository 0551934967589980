#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tally/fake/service.h>
#include <tally/limits.h>
#include <tally/tally.h>

#include "bench/rows/rows.h"
#include "bench/support/table.h"

namespace tally::bench {

namespace {

constexpr std::int64_t reports = 2'000;
constexpr std::int64_t threadCount = 8;
constexpr int runs = 5;
constexpr double goal = 1.01;

/// The limit in every window, and in the last one as many at a time as there are threads.
std::chrono::nanoseconds shortestTime() {
  constexpr std::int64_t perWindow = *limits::globalRate.sandbox;
  constexpr std::int64_t windows = (reports - 1) / perWindow;
  constexpr std::int64_t left = reports - windows * perWindow;
  constexpr std::int64_t turns = (left + threadCount - 1) / threadCount;
  return windows * limits::globalRate.window + turns * fake::ServiceOptions{}.duration;
}

/// The virtual time in which threads report on different records, at the limits of the sandbox. The latency
/// is constant, so the pacer needs no margin.
std::chrono::nanoseconds virtualTime() {
  fake::Service service;
  const std::string key = service.addAccount().sandboxKey;
  ClientOptions options = service.clientOptions(key);
  options.pacer = std::make_shared<Pacer>(PacerOptions{.windowMargin = std::chrono::milliseconds{0}});
  const Client client{options};
  std::vector<Id<PaymentRecord>> ids;
  for (std::int64_t n = 0; n < reports; ++n)
    ids.push_back(service.insert<PaymentRecord>(key).id);
  const Instant begin = service.clock()->now();
  service.clock()->runThreads(threadCount, [&](std::size_t thread) {
    for (std::size_t n = thread; n < ids.size(); n += threadCount)
      client.paymentRecords().reportFailed(ids[n], {.failedAt = std::chrono::sys_seconds{}}).value();
  });
  const auto took = service.clock()->now() - begin;
  if (service.requests().size() != ids.size())
    throw std::runtime_error{"a report was refused and sent again"};
  return took;
}

}  // namespace

Row threadsInVirtualTime() {
  const auto took = virtualTime();
  for (int again = 1; again < runs; ++again)
    if (virtualTime() != took) throw std::runtime_error{"another run takes another time"};
  const std::chrono::duration<double> figure = took;
  const std::chrono::duration<double> reference = shortestTime();
  const double ratio = figure / reference;
  return {.what = "2,000 reports, sandbox limits, 8 threads, virtual time; no 429, the same in " +
                  std::to_string(runs) + " runs",
          .figure = fixed(figure.count(), 2) + " s",
          .reference = fixed(reference.count(), 2) + " s, the shortest possible time",
          .ratio = fixed(ratio, 4),
          .goal = "≤ " + fixed(goal, 2),
          .met = ratio <= goal};
}

}  // namespace tally::bench
