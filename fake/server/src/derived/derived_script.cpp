#include "derived/derived_script.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "derived/latency_fit.h"
#include "derived/outcome.h"
#include "har/recorded_target.h"
#include "request/request_head.h"
#include "tables/catalog.h"
#include "tables/longest_duration.h"
#include "time/saturating.h"

namespace tally::fake::detail {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using tally::detail::saturatingSince;

namespace {

constexpr std::size_t mostIncidents = 100;
constexpr double leastProbability = 0.001;

struct Observed {
  std::vector<RecordedOutcome> outcomes{};  // in the order of time
  FaultKinds kinds{};

  [[nodiscard]] nanoseconds since(Instant at) const { return saturatingSince(outcomes.front().at, at); }
  [[nodiscard]] nanoseconds length() const { return since(outcomes.back().at); }
};

std::string_view operationOf(const Router& router, const tally::detail::Exchange& exchange) {
  const bool isPost = exchange.method == "POST";
  if (!isPost && exchange.method != "GET") return {};
  const auto route = router.find(isPost ? Method::post : Method::get,
                                 targetOf(tally::detail::recordedTarget(exchange.url)).path);
  return route.operation == nullptr ? std::string_view{} : route.operation->name;
}

Observed observe(tally::detail::HarReader& recording) {
  const Catalog& catalog = *catalogOfTheApi();
  Observed observed;
  while (const auto exchange = recording.next())
    if (const auto operation = operationOf(catalog.router(), *exchange); !operation.empty())
      observed.outcomes.push_back({.at = exchange->startedAt,
                                   .duration = std::max(exchange->duration, nanoseconds{0}),
                                   .operation = operation,
                                   .kind = observed.kinds.of(*exchange)});
  if (observed.outcomes.empty())
    throw std::invalid_argument{"the recording has no request for an operation of the API description"};
  std::ranges::sort(observed.outcomes, {}, &RecordedOutcome::at);
  if (observed.length() > longestDuration)
    throw std::invalid_argument{"the recording is longer than 100 years"};
  return observed;
}

/// The same fault again and again, from one time to another.
struct Incident {
  std::size_t kind = 0;
  Instant first{};
  Instant last{};
  std::set<std::string_view> operations{};
  std::vector<nanoseconds> durations{};
};

/// Occurrences that are farther apart than `gap` are separate incidents.
std::vector<Incident> incidentsOf(const Observed& observed, nanoseconds gap) {
  std::vector<Incident> incidents;
  std::vector<std::size_t> latest(observed.kinds.count() + 1, 0);  // by kind, the incident and 1
  for (const RecordedOutcome& outcome : observed.outcomes) {
    if (outcome.kind == 0) continue;
    std::size_t& present = latest[outcome.kind];
    if (present == 0 || saturatingSince(incidents[present - 1].last, outcome.at) > gap) {
      incidents.push_back({.kind = outcome.kind, .first = outcome.at});
      present = incidents.size();
    }
    Incident& incident = incidents[present - 1];
    incident.last = outcome.at;
    incident.operations.insert(outcome.operation);
    incident.durations.push_back(outcome.duration);
  }
  return incidents;
}

/// Those of a long recording are joined until a person can read them.
std::vector<Incident> fewIncidentsOf(const Observed& observed) {
  nanoseconds gap = std::chrono::seconds{2};
  std::vector<Incident> incidents = incidentsOf(observed, gap);
  while (incidents.size() > mostIncidents && gap < observed.length())
    incidents = incidentsOf(observed, gap *= 2);
  return incidents;
}

/// How many requests an incident could have hit.
std::size_t requestsIn(const Observed& observed, const Incident& incident) {
  const auto begin = std::ranges::lower_bound(observed.outcomes, incident.first, {}, &RecordedOutcome::at);
  const auto end = std::ranges::upper_bound(observed.outcomes, incident.last, {}, &RecordedOutcome::at);
  return static_cast<std::size_t>(std::count_if(begin, end, [&](const RecordedOutcome& outcome) {
    return incident.operations.size() > 1 || incident.operations.contains(outcome.operation);
  }));
}

ScriptStep stepOf(const Observed& observed, Incident incident) {
  FaultRule rule = observed.kinds.rule(incident.kind);
  if (incident.operations.size() == 1) rule.operation = *incident.operations.begin();
  const std::size_t hits = incident.durations.size();
  ScriptStep step{.at = observed.since(incident.first)};
  if (hits == 1) {
    step.times = 1;
  } else {
    step.duration = saturatingSince(incident.first, incident.last) + milliseconds{1};
    const double share = static_cast<double>(hits) / static_cast<double>(requestsIn(observed, incident));
    rule.probability = std::max(rounded(share), leastProbability);
  }
  setLatency(rule, std::move(incident.durations));
  step.effect = std::move(rule);
  return step;
}

}  // namespace

FaultScript deriveScript(tally::detail::HarReader& recording) {
  const Observed observed = observe(recording);
  FaultScript script{.name = "recording", .seed = 1};
  for (Incident& incident : fewIncidentsOf(observed))
    script.steps.push_back(stepOf(observed, std::move(incident)));
  const std::size_t incidents = script.steps.size();
  for (ScriptStep& step : latencySteps(observed.outcomes))
    script.steps.push_back(std::move(step));
  if (script.steps.empty())
    throw std::invalid_argument{
        "the recording has no failure, and its requests took less than a millisecond, so there is nothing to "
        "play"};
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(observed.length()).count();
  script.description = "Derived from " + std::to_string(observed.outcomes.size()) + " requests within " +
                       std::to_string(seconds) + " s, with " + std::to_string(incidents) +
                       (incidents == 1 ? " incident." : " incidents.");
  return script;
}

}  // namespace tally::fake::detail
