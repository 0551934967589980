#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr std::size_t threadCount = 16;
/// Few, so that other load on the machine affects figure and reference alike.
constexpr std::size_t callsInAll = 16'000;
constexpr double goal = 1.2;

/// Retrieves a record `times` times, and counts successes.
void retrieveOften(const Client& client, const Id<PaymentRecord>& id, std::size_t times,
                   std::atomic<std::size_t>& retrieved) {
  std::size_t well = 0;
  for (std::size_t n = 0; n < times; ++n)
    if (client.paymentRecords().retrieve(id)) ++well;
  retrieved += well;
}

/// Wall time per call when `threads` threads share one service and `callsInAll` calls.
double secondsPerCall(std::size_t threads) {
  fake::Service service{{.limits = false}};
  const auto account = service.addAccount();
  const Id<PaymentRecord> id = service.insert<PaymentRecord>(account.liveKey).id;
  const Client client{service.clientOptions(account.liveKey)};
  std::atomic<std::size_t> retrieved = 0;
  const auto begin = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i)
      running.emplace_back([&] { retrieveOften(client, id, callsInAll / threads, retrieved); });
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (retrieved != callsInAll) throw std::runtime_error{"not retrieved"};
  return took.count() / static_cast<double>(callsInAll);
}

}  // namespace

Row sharedByThreads() {
  const Pair pair =
      measurePair(51, [] { return secondsPerCall(threadCount); }, [] { return secondsPerCall(1); });
  return {.what = "retrieve, 16 threads on one service",
          .figure = fixed(pair.figure * 1e6, 2) + " µs",
          .reference = fixed(pair.reference * 1e6, 2) + " µs, one thread",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace tally::bench
