#include "derived/latency_fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tables/longest_duration.h"
#include "time/saturating.h"

namespace tally::fake::detail {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using tally::detail::saturatingSince;

namespace {

constexpr std::size_t leastForASpread = 5;
constexpr double noticeable = 1.5;  // times another median
constexpr int mostWindows = 20;
constexpr nanoseconds leastWindow = std::chrono::seconds{10};

/// Of sorted durations. In integers: a share such as 0.95 would depend on how precisely the processor
/// multiplies it.
nanoseconds percentile(const std::vector<nanoseconds>& sorted, std::size_t percent) {
  return sorted[(sorted.size() - 1) * percent / 100];
}

nanoseconds medianOf(std::vector<nanoseconds> durations) {
  std::ranges::sort(durations);
  return percentile(durations, 50);
}

/// The requests of an operation for a while.
struct Episode {
  nanoseconds from{};
  nanoseconds until{};
  std::vector<nanoseconds> durations{};
};

bool isLike(nanoseconds one, nanoseconds other) {
  const auto [less, more] =
      std::minmax({static_cast<double>(one.count()), static_cast<double>(other.count())});
  return more <= less * noticeable || more < 1e6;  // below a millisecond, there is nothing to tell
}

/// Joins windows of which each is as fast as the one before.
std::vector<Episode> episodesOf(const std::map<std::size_t, std::vector<nanoseconds>>& windows,
                                nanoseconds width, nanoseconds end) {
  std::vector<Episode> episodes;
  nanoseconds median{};
  for (const auto& [number, durations] : windows) {
    const nanoseconds present = medianOf(durations);
    if (episodes.empty() || (durations.size() >= leastForASpread && !isLike(present, median))) {
      const nanoseconds from =
          episodes.empty() ? nanoseconds{0} : width * static_cast<nanoseconds::rep>(number);
      if (!episodes.empty()) episodes.back().until = from;
      episodes.push_back({.from = from, .until = end});
      median = present;
    }
    episodes.back().durations.insert(episodes.back().durations.end(), durations.begin(), durations.end());
  }
  return episodes;
}

}  // namespace

double rounded(double number) {
  return std::round(number * 1'000) / 1'000;
}

void setLatency(FaultRule& rule, std::vector<nanoseconds> durations) {
  std::ranges::sort(durations);
  const auto inMilliseconds = [](nanoseconds duration) {
    return std::chrono::floor<milliseconds>(std::min(duration, longestDuration));
  };
  rule.latency = inMilliseconds(percentile(durations, 50));
  const auto highest = inMilliseconds(durations.back());
  const auto high = inMilliseconds(percentile(durations, 95));
  if (durations.size() < leastForASpread || rule.latency == nanoseconds{0} || high <= rule.latency) return;
  constexpr double deviationsAt95 = 1.645;
  const double ratio =
      static_cast<double>(nanoseconds{high}.count()) / static_cast<double>(rule.latency.count());
  rule.latencySigma = std::min(rounded(std::log(ratio) / deviationsAt95), 10.0);
  if (rule.latencySigma > 0) rule.latencyUpTo = highest;  // a maximum alone would be another distribution
}

std::vector<ScriptStep> latencySteps(const std::vector<RecordedOutcome>& outcomes) {
  const Instant start = outcomes.front().at;
  const nanoseconds end = saturatingSince(start, outcomes.back().at) + milliseconds{1};
  const nanoseconds width = std::max(leastWindow, nanoseconds{end / mostWindows} + nanoseconds{1});
  std::map<std::string_view, std::map<std::size_t, std::vector<nanoseconds>>> windows;
  for (const RecordedOutcome& outcome : outcomes)
    if (outcome.kind == 0)
      windows[outcome.operation][static_cast<std::size_t>(saturatingSince(start, outcome.at) / width)]
          .push_back(outcome.duration);
  std::vector<ScriptStep> steps;
  for (const auto& [operation, ofOperation] : windows)
    for (Episode& episode : episodesOf(ofOperation, width, end)) {
      FaultRule rule{.operation = std::string{operation}};
      setLatency(rule, std::move(episode.durations));
      if (rule.latency > nanoseconds{0})
        steps.push_back(
            {.at = episode.from, .duration = episode.until - episode.from, .effect = std::move(rule)});
    }
  return steps;
}

}  // namespace tally::fake::detail
