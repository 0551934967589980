#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <tally/fake/service.h>
#include <tally/metrics_observer.h>
#include <tally/tally.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr double goal = 1.10;

/// A record in a fake, and a client that retrieves it.
struct Setting {
  explicit Setting(std::shared_ptr<Observer> observer) : client(optionsWith(std::move(observer))) {}

  fake::Service service{{.limits = false, .requestLog = 0}};
  std::string key = service.addAccount().sandboxKey;
  Id<PaymentRecord> id = service.insert<PaymentRecord>(key).id;
  Client client;

 private:
  ClientOptions optionsWith(std::shared_ptr<Observer> observer) {
    ClientOptions options = service.clientOptions(key);
    options.observer = std::move(observer);
    return options;
  }
};

double secondsPerCall(const Setting& setting) {
  return secondsPerIteration("retrieve", [&](benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state)
      if (!setting.client.paymentRecords().retrieve(setting.id)) return state.SkipWithError("not retrieved");
  });
}

std::string micros(double seconds) {
  return fixed(seconds * 1e6, 2) + " µs";
}

}  // namespace

Row observedByCounters() {
  const auto counters = std::make_shared<MetricsObserver>();
  const Setting observed{counters};
  const Setting alone{nullptr};
  const Pair pair =
      measurePair(15, [&] { return secondsPerCall(observed); }, [&] { return secondsPerCall(alone); });
  if (counters->prometheusText().find(
          R"(tally_calls_total{operation="payment_records.retrieve",outcome="ok"} )") == std::string::npos)
    throw std::runtime_error{"not counted"};
  return {.what = "retrieve through the in-process fake, with tally::MetricsObserver",
          .figure = micros(pair.figure),
          .reference = micros(pair.reference) + ", without",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace tally::bench
