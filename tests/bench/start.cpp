#include <stdexcept>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "measure.h"
#include "rows.h"

namespace tally::bench {

namespace {

constexpr double goal = 1e-3;

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
  const double seconds = secondsPerIteration("start", start);
  return {.what = "fake::Service made and answering its first call",
          .figure = fixed(seconds * 1e3, 3) + " ms",
          .reference = "—",
          .ratio = "—",
          .goal = "≤ " + fixed(goal * 1e3, 0) + " ms",
          .met = seconds <= goal};
}

}  // namespace tally::bench
