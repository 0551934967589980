#include <cstddef>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <tally/fake/service.h>
#include <tally/tally.h>

#include "bench/rows/rows.h"
#include "bench/support/measure.h"

namespace tally::bench {

namespace {

constexpr std::size_t count = 1'000;
constexpr double goal = 0.75;

/// Records in a fake, the requests that retrieve them, and their bodies in a map.
struct Setting {
  Setting();

  fake::Service service{{.limits = false}};  // the read allocation would soon be exhausted
  std::shared_ptr<Transport> transport = service.transport();
  std::vector<std::string> ids{};
  std::vector<HttpRequest> requests{};
  std::unordered_map<std::string, std::string> bodies{};
  SendLimits limits{.deadline = Instant::max(), .stop = {}};
};

Setting::Setting() {
  const auto account = service.addAccount();
  const ClientOptions options = service.clientOptions(account.sandboxKey);
  for (std::size_t n = 0; n < count; ++n) {
    ids.push_back(service.insert<PaymentRecord>(account.sandboxKey).id.str());
    requests.push_back({.method = Method::get,
                        .url = options.baseUrl + "/v1/payment_records/" + ids.back(),
                        .headers = {{"Authorization", "Bearer " + account.sandboxKey}}});
    const auto result = transport->send(requests.back(), limits);
    bodies[ids.back()] = std::get<HttpResponse>(result).body;
    if (bodies[ids.back()].find(ids.back()) == std::string::npos) throw std::runtime_error{"no such record"};
  }
}

void throughTheFake(benchmark::State& state, Setting& setting) {
  std::size_t n = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto result = setting.transport->send(setting.requests[n], setting.limits);
    const auto* response = std::get_if<HttpResponse>(&result);
    if (response == nullptr || response->status != 200 ||
        response->body.size() != setting.bodies[setting.ids[n]].size())
      return state.SkipWithError("not the record");
    n = (n + 1) % count;
  }
}

std::string perSecond(double seconds) {
  return fixed(1e-3 / seconds, 0) + " k/s";
}

}  // namespace

Row retrieve() {
  Setting setting;
  const Pair pair = measurePair(
      15,
      [&] {
        return secondsPerIteration("fake", [&](benchmark::State& state) { throughTheFake(state, setting); });
      },
      [&] { return secondsToParse(setting.bodies[setting.ids[0]]); });
  return {.what = "retrieve through the in-process fake, one thread",
          .figure = perSecond(pair.figure),
          .reference = perSecond(pair.reference) + ", Boost.JSON parses its response",
          .ratio = fixed(pair.ratio, 2),
          .goal = "≤ " + fixed(goal, 2),
          .met = pair.ratio <= goal};
}

}  // namespace tally::bench
