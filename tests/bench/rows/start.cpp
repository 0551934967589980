#include <cstddef>
#include <string>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr double goal = 0.5;
/// Uses about as much memory and text as the setup of a service.
constexpr std::size_t parsesInReference = 100;

std::string recordJson() {
  fake::Service service;
  return service.insert(service.addAccount().sandboxKey, "payment_record");
}

void start(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    fake::Service service;
    const auto account = service.addAccount();
    const Client client{service.clientOptions(account.sandboxKey)};
    for (const auto& record : client.paymentRecords().list())
      if (!record) return state.SkipWithError("not listed");
  }
}

}  // namespace

Row startService() {
  const std::string record = recordJson();
  const Pair pair = measurePair(
      15, [] { return secondsPerIteration("start", start); },
      [&] { return secondsToParse(record) * static_cast<double>(parsesInReference); });
  return {.what = "create a fake::Service and complete its first call",
          .figure = fixed(pair.figure * 1e3, 3) + " ms",
          .reference = fixed(pair.reference * 1e3, 3) + " ms, Boost.JSON parses " +
                       std::to_string(parsesInReference) + " records",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace tally::bench
