#include <cstddef>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr std::size_t count = 1'000;
constexpr double parseGoal = 2.5;
constexpr double limitsGoal = 1.25;

/// Records in a fake, and the requests that report on them.
struct Setting {
  explicit Setting(bool limited);

  fake::Service service;
  std::shared_ptr<Transport> transport = service.transport();
  std::vector<HttpRequest> requests{};
  std::size_t next = 0;
};

Setting::Setting(bool limited) : service{{.limits = limited}} {
  const auto account = service.addAccount();
  for (std::size_t n = 0; n < count; ++n) {
    const std::string id = service.insert<PaymentRecord>(account.liveKey).id.str();
    requests.push_back({.method = Method::post,
                        .url = "/v1/payment_records/" + id + "/report_payment_attempt_failed",
                        .headers = {{"Authorization", "Bearer " + account.liveKey},
                                    {"Content-Type", "application/x-www-form-urlencoded"}},
                        .body = "failed_at=1767225600"});
  }
}

void reportOften(benchmark::State& state, Setting& setting) {
  for ([[maybe_unused]] auto _ : state) {
    const auto result = setting.transport->send(setting.requests[setting.next], {.deadline = Instant::max()});
    const auto* response = std::get_if<HttpResponse>(&result);
    if (response == nullptr || response->status != 200) return state.SkipWithError("not reported");
    setting.next = (setting.next + 1) % count;
  }
}

/// The record in the service's response.
std::string recordIn(Setting& setting) {
  const auto result = setting.transport->send(setting.requests[0], {.deadline = Instant::max()});
  return std::get<HttpResponse>(result).body;
}

double seconds(const std::string& name, Setting& setting) {
  return secondsPerIteration(name, [&](benchmark::State& state) { reportOften(state, setting); });
}

}  // namespace

Row report() {
  Setting limited{true};
  const std::string record = recordIn(limited);
  const Pair pair =
      measurePair(15, [&] { return seconds("limits on", limited); }, [&] { return secondsToParse(record); });
  return {.what = "report through the in-process fake, all limits on, one thread",
          .figure = fixed(1e-3 / pair.figure, 0) + " k/s",
          .reference = fixed(1e-3 / pair.reference, 0) + " k/s, Boost.JSON parses its response",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(parseGoal, 2),
          .met = pair.ratio <= parseGoal};
}

Row reportWithLimits() {
  Setting limited{true};
  Setting unlimited{false};
  const Pair pair = measurePair(
      15, [&] { return seconds("limits on", limited); }, [&] { return seconds("limits off", unlimited); });
  return {.what = "the same report, limits on and off",
          .figure = fixed(1e-3 / pair.figure, 0) + " k/s",
          .reference = fixed(1e-3 / pair.reference, 0) + " k/s, limits off",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(limitsGoal, 2),
          .met = pair.ratio <= limitsGoal};
}

}  // namespace tally::bench
