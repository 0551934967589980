#include <algorithm>
#include <chrono>
#include <ranges>
#include <stdexcept>

#include <tally/fake/fault_script.h>

#include "tables/description.h"
#include "text/suggestion.h"

namespace tally::fake {

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr int unavailable = 503;

ScriptStep during(nanoseconds at, nanoseconds duration, FaultRule fault) {
  return {.at = at, .duration = duration, .effect = std::move(fault)};
}

/// The first step of those that apply to a request wins, so what is rare comes first.
FaultScript outage() {
  FaultRule busy{.response = HttpResponse{.status = unavailable, .body = ""},
                 .headers = {{"Retry-After", "2"}},
                 .latency = 200ms};
  busy.probabilityAtEnd = 0;
  return {.name = "outage",
          .description =
              "For 90 s, no connection can be made. Over a further 60 s, 503s become rarer, and "
              "responses become faster.",
          .steps = {during(0s, 90s, {.fault = Fault::connectionRefused}), during(90s, 60s, std::move(busy)),
                    during(90s, 60s, {.latency = 1s, .latencyUpTo = 10s, .latencySigma = 0.6})}};
}

FaultScript brownout() {
  const auto failing = [](double from, double to, FaultRule fault) {
    fault.probability = from;
    fault.probabilityAtEnd = to;
    return fault;
  };
  const FaultRule refused{.error = "api_error"};
  const FaultRule late{.fault = Fault::errorAfterProcessing};
  return {.name = "brownout",
          .description =
              "For two minutes, responses are slow. Up to 20 % of the requests fail, half of them "
              "after they took effect.",
          .steps = {during(0s, 30s, failing(0, 0.1, refused)), during(0s, 30s, failing(0, 0.1, late)),
                    during(30s, 60s, failing(0.1, 0.1, refused)), during(30s, 60s, failing(0.1, 0.1, late)),
                    during(90s, 30s, failing(0.1, 0, refused)), during(90s, 30s, failing(0.1, 0, late)),
                    during(0s, 120s, {.latency = 800ms, .latencyUpTo = 20s, .latencySigma = 0.8})}};
}

FaultScript flappingLimit() {
  return {
      .name = "flapping-limit",
      .description = "Six times, every 20 s, the global rate limit falls to 2 requests per second for 8 s.",
      .steps = {{.duration = 8s,
                 .repeat = {.times = 6, .every = 20s},
                 .effect = LimitOverride{.limit = "global_rate", .value = 2}}}};
}

FaultScript lostResponses() {
  return {.name = "lost-responses",
          .description =
              "For two minutes, one response in ten, chosen at random, is lost after its request has been "
              "processed.",
          .steps = {during(0s, 120s, {.fault = Fault::responseLost, .probability = 0.1})}};
}

bool changesItsObject(const tally::detail::AnyOperation& operation) {
  using tally::detail::OperationKind;
  return operation.kind == OperationKind::update || operation.kind == OperationKind::report;
}

FaultScript lockStorm() {
  FaultScript script{.name = "lock-storm",
                     .description =
                         "For a minute, half of the requests that change an object get a lock "
                         "timeout, after a wait of 3 s."};
  for (const auto* operation : detail::Description{}.operations)
    if (changesItsObject(*operation))
      script.steps.push_back(during(0s, 60s,
                                    {.operation = std::string{operation->name},
                                     .error = "lock_timeout",
                                     .latency = 3s,
                                     .probability = 0.5}));
  return script;
}

}  // namespace

const std::vector<FaultScript>& FaultScript::readyMade() {
  static const std::vector<FaultScript> all{outage(), brownout(), flappingLimit(), lostResponses(),
                                            lockStorm()};
  return all;
}

FaultScript FaultScript::named(std::string_view name) {
  const auto found = std::ranges::find(readyMade(), name, &FaultScript::name);
  if (found != readyMade().end()) return *found;
  const auto names = readyMade() | std::views::transform(&FaultScript::name);
  throw std::invalid_argument{"there is no ready-made fault script '" + std::string{name} + "'" +
                              tally::detail::suggestionOrList(name, names)};
}

}  // namespace tally::fake
